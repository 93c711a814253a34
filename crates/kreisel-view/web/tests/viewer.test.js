// The page in a real browser: gallery, controls, touching, measuring, watchers. Each test opens what it needs.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, browse, by, drawn, moves, open, paused, pictures, placeOf, seek, serve, until } from "./common.js";

let server, context, page;
const troubles = [];

before(async () => {
  server = await serve();
  context = await browse();
  page = await context.newPage();
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") troubles.push(message.text()); });
  await page.goto(server.address);
  await by(page, "gallery-item").waitFor();
});

after(async () => {
  await context?.close();
  const code = await server?.end();
  assert.equal(code, 0, "Ctrl-C ends the viewer cleanly");
});

const frame = () => page.evaluate(() => kreisel.store.status.frame);
const height = () => page.evaluate(() => { let sum = 0; for (let e = 0; e < kreisel.store.count; e++) sum += kreisel.store.x[3 * e + 2]; return sum / kreisel.store.count; });

test("the gallery shows every scene, and each one starts with a click", async () => {
  const scenes = await page.locator("[data-scene]").evaluateAll((cards) => cards.map((c) => c.dataset.scene));
  assert.ok(scenes.length >= 30 && scenes.includes("lever"));
  await until(page, () => [...document.querySelectorAll(".card img")].slice(0, 3).every((i) => i.complete && i.naturalWidth > 0));
  await page.screenshot({ path: join(pictures, "gallery.png") });
  await open(page, "falling-block");
  for (const scene of scenes) {
    const begin = Date.now();
    await ask(page, { ask: "open", scene });
    await moves(page, scene);
    assert.equal(await page.evaluate(() => kreisel.store.status.error), null, scene);
    assert.ok(await page.evaluate(() => kreisel.app.stage.seesBodies()), `the camera looks at ${scene}`);
    if (process.env.VERBOSE) console.log(scene, Date.now() - begin);
    if (process.env.PICTURES) await page.screenshot({ path: join(pictures, `scene-${scene}.png`) });
  }
});

test("run, pause, step; a step back returns to the same bits", async () => {
  await open(page, "falling-block");
  const first = await paused(page);
  const begin = await frame();
  await by(page, "step").click();
  await until(page, (f) => kreisel.store.status.frame === f + 1 && kreisel.store.status.hash !== "", begin);
  assert.notEqual(await by(page, "state-hash").textContent(), first);
  await by(page, "step-back").click();
  await until(page, (f) => kreisel.store.status.frame === f && kreisel.store.status.hash !== "", begin);
  assert.equal(await by(page, "state-hash").textContent(), first);
  assert.match(await by(page, "time").textContent(), /\d s/);
  await page.keyboard.press("Space");
  await until(page, (f) => kreisel.store.status.frame > f + 5, begin);
  await page.keyboard.press("Space");
  await until(page, () => !kreisel.store.status.running);
  assert.equal(await seek(page, begin), first, "from afar too");
});

test("a drag moves a body, shows its force, and is replayed by going back", async () => {
  await open(page, "falling-block");
  await ask(page, { ask: "speed", factor: 4 });
  await until(page, () => kreisel.store.status.time > 1.2);
  await ask(page, { ask: "speed", factor: 1 });
  await paused(page);
  const [low, at] = [await height(), await placeOf(page, "block")];
  await page.keyboard.down("Control");
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await until(page, () => kreisel.store.status.hands.length === 1);
  await ask(page, { ask: "run" });
  for (let i = 1; i <= 10; i++) await page.mouse.move(at.x + 3 * i, at.y - 14 * i);
  await until(page, () => kreisel.store.status.hands.length === 1 && Math.hypot(...kreisel.store.status.hands[0].force) > 1);
  assert.match(await by(page, "grab-force").textContent(), /\d k?N/);
  await until(page, (low) => { let sum = 0; for (let e = 0; e < kreisel.store.count; e++) sum += kreisel.store.x[3 * e + 2]; return sum / kreisel.store.count > low + 0.02; }, low);
  await page.screenshot({ path: join(pictures, "drag.png") });
  await page.mouse.up();
  await page.keyboard.up("Control");
  await until(page, () => kreisel.store.status.hands.length === 0);
  const hash = await paused(page);
  const last = await frame();
  assert.ok((await page.evaluate(() => kreisel.store.status.entries)) >= 3, "what was done is in the journal");
  await seek(page, 2);
  assert.equal(await seek(page, last), hash, "the drag happens again, bit for bit");
});

test("a selected body becomes rigid and soft again, fixed and free", async () => {
  await open(page, "falling-block");
  await paused(page);
  const at = await placeOf(page, "block");
  await page.mouse.dblclick(at.x, at.y);
  await until(page, () => kreisel.app.touch.selection !== null);
  await by(page, "tab-touch").click();
  await by(page, "make-rigid").click();
  await until(page, () => kreisel.store.owner.every((o) => o !== 0xffffffff));
  await by(page, "make-soft").click();
  await until(page, () => kreisel.store.owner.every((o) => o === 0xffffffff));
  await by(page, "fix").click();
  await until(page, () => kreisel.store.held.some((h) => h));
  await by(page, "free").click();
  await until(page, () => kreisel.store.held.every((h) => !h));
});

test("a stroke cuts, the cut is an event, and the event leads to its moment", async () => {
  await open(page, "beam-soft");
  await paused(page);
  const at = await placeOf(page, "beam");
  await by(page, "tool-cut").click();
  await page.mouse.move(at.x, at.y - 160);
  await page.mouse.down();
  for (let i = 1; i <= 8; i++) await page.mouse.move(at.x, at.y - 160 + 40 * i);
  await page.mouse.up();
  await until(page, () => kreisel.store.broken.length > 0);
  await by(page, "tool-look").click();
  await by(page, "tab-events").click();
  await ask(page, { ask: "step" });
  await until(page, () => kreisel.store.events.some((e) => e.word === "broke") && document.querySelectorAll("[data-testid=events] li").length > 0);
  await ask(page, { ask: "run" });
  await until(page, (f) => kreisel.store.status.frame > f + 5, await frame());
  const noted = await page.evaluate(() => kreisel.store.events.find((e) => /broke/i.test(e.word)).frame);
  await page.locator("[data-testid=events] li", { hasText: /broke/i }).last().getByRole("button").click();
  await until(page, (f) => kreisel.store.status.frame === f && !kreisel.store.status.running, noted);
});

test("something is dropped, and taken away again", async () => {
  await open(page, "falling-block");
  await paused(page);
  await by(page, "tab-touch").click();
  await by(page, "drop").click();
  const box = await by(page, "stage").boundingBox();
  await page.mouse.click(box.x + 0.35 * box.width, box.y + 0.35 * box.height);
  await until(page, () => kreisel.store.model.bodies.length === 2);
  await ask(page, { ask: "act", action: { do: "delete", body: 1 } });
  await until(page, () => kreisel.store.model.bodies.length === 1);
});

test("a body is pressed by a tool, keeps its shape, and is handed out as STL and OBJ", async () => {
  await open(page, "sculpt");
  await until(page, () => kreisel.store.status.time > 0.2);
  await paused(page);
  const body = await page.evaluate(() => kreisel.store.skins.find((s) => s.carrier === undefined && kreisel.store.owner.some((o, e) => kreisel.store.body[e] === s.body && o === 0xffffffff)).body);
  const name = await page.evaluate((b) => kreisel.store.model.bodies[b].name, body);
  await page.evaluate((b) => kreisel.app.touch.select({ body: b, element: kreisel.store.body.indexOf(b), point: null, distance: 0 }), body);
  await by(page, "tab-touch").click();
  const entries = await page.evaluate(() => kreisel.store.status.entries);
  await by(page, "keep-shape").click();
  await until(page, (n) => kreisel.store.status.entries === n + 1, entries);
  for (const kind of ["stl", "obj"]) {
    await until(page, () => kreisel.app.touch.selection !== null);
    const [file] = await Promise.all([page.waitForEvent("download"), by(page, `download-${kind}`).click()]);
    assert.equal(file.suggestedFilename(), `${name}.${kind}`);
    assert.ok(readFileSync(await file.path()).length > 500);
  }
});

test("a slider changes gravity while it runs", async () => {
  await open(page, "falling-block");
  await by(page, "tab-change").click();
  await by(page, "set-gravity-z").evaluate((slider) => { slider.value = "5"; slider.dispatchEvent(new Event("input")); });
  await until(page, () => kreisel.store.model.gravity[2] === 5);
  await by(page, "set-gravity-z").evaluate((slider) => slider.blur());
});

test("numbers can be typed; what is none, and what cannot be, is said and taken back", async () => {
  await open(page, "falling-block");
  await by(page, "tab-change").click();
  const type = async (name, text) => {
    await by(page, `set-${name}-number`).fill(text);
    await by(page, `set-${name}-number`).press("Enter");
  };
  const value = (path) => page.evaluate((path) => kreisel.store.model.parameters.find((p) => p.path === path).value, path);
  await type("gravity-z", "−3,5 m/s²");
  await until(page, () => kreisel.store.model.gravity[2] === -3.5);
  await type("gravity-z", "much");
  await page.getByText("“much” is no number").waitFor();
  await until(page, () => document.querySelector("[data-testid=set-gravity-z-number]").value.startsWith("-3.5"));
  await type("material.0.young", "80 kPa");
  await until(page, () => kreisel.store.model.parameters.find((p) => p.path === "material.0.young").value === 80000);
  const before = await value("material.0.restitution");
  await type("material.0.restitution", "7");
  await page.getByText("no possible value of restitution").waitFor();
  await until(page, (before) => Number(document.querySelector("[data-testid='set-material.0.restitution-number']").value) === before, before);
  assert.equal(await value("material.0.restitution"), before);
});

test("a slider moved with the keys keeps the focus", async () => {
  await open(page, "falling-block");
  await by(page, "tab-change").click();
  await by(page, "set-drag").focus();
  for (let k = 1; k <= 3; k++) {
    await page.keyboard.press("ArrowRight");
    await until(page, (k) => Math.abs(kreisel.store.model.parameters.find((p) => p.path === "drag").value - 0.0125 * k) < 1e-3, k);
  }
  assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "set-drag");
  await by(page, "set-drag").evaluate((slider) => slider.blur());
});

test("a twist turns a body and shows its couple", async () => {
  await open(page, "falling-block");
  await paused(page);
  const at = await placeOf(page, "block");
  for (const key of ["Control", "Shift"]) await page.keyboard.down(key);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await until(page, () => kreisel.store.status.hands.length === 1 && kreisel.store.status.hands[0].twists);
  await ask(page, { ask: "run" });
  for (let i = 1; i <= 10; i++) await page.mouse.move(at.x + 8 * i, at.y);
  await until(page, () => Math.hypot(...kreisel.store.status.hands[0].couple) > 0.1);
  assert.match(await by(page, "grab-force").textContent(), /\d k?N m/);
  await page.mouse.up();
  for (const key of ["Control", "Shift"]) await page.keyboard.up(key);
  await until(page, () => kreisel.store.status.hands.length === 0);
});

test("keys that need a selection say so without one", async () => {
  await open(page, "falling-block");
  await page.keyboard.press("Escape");
  await page.keyboard.press("r");
  await page.getByText("Nothing is selected").waitFor();
});

test("law, integrator and material change while it runs; what does not go together is refused in words", async () => {
  await open(page, "falling-block");
  await by(page, "tab-change").click();
  await by(page, "set-law").selectOption("constraint");
  await until(page, () => kreisel.store.model.parameters.find((p) => p.path === "law").value === "constraint");
  const begin = await frame();
  await until(page, (f) => kreisel.store.status.frame > f + 5 && kreisel.store.status.error === null, begin);
  await by(page, "set-constraint.facets").selectOption("8");
  await until(page, () => kreisel.store.model.parameters.find((p) => p.path === "constraint.facets").value === "8");
  await ask(page, { ask: "act", action: { do: "set", path: "integrator", value: "midpoint" } });
  await by(page, "refusal").waitFor();
  await ask(page, { ask: "act", action: { do: "set", path: "material.0.poisson", value: 0.4 } });
  await until(page, () => kreisel.store.model.parameters.find((p) => p.path === "material.0.poisson").value === 0.4);
});

test("plots have data, values and a table", async () => {
  await open(page, "falling-block");
  await by(page, "tab-measure").click();
  await until(page, () => kreisel.store.rows.frames.length > 40);
  await page.screenshot({ path: join(pictures, "ledger.png") });
  const [file] = await Promise.all([page.waitForEvent("download"), by(page, "download-csv").click()]);
  assert.equal(file.suggestedFilename(), "kreisel.csv");
  assert.match(await by(page, "plot-values").textContent(), /kinetic/);
  const [picture] = await Promise.all([page.waitForEvent("download"), by(page, "download-png").click()]);
  assert.equal(picture.suggestedFilename(), "kreisel.png");
  for (const kind of await by(page, "plot-kind").locator("option").evaluateAll((all) => all.map((o) => o.value))) {
    await by(page, "plot-kind").selectOption(kind);
    assert.notEqual(await by(page, "plot-values").textContent(), "", kind);
  }
  await by(page, "plot-kind").selectOption("ledger");
});

test("every colour has a legend, and everything can be laid over the lever", async () => {
  await open(page, "lever");
  await by(page, "tab-look").click();
  await until(page, () => kreisel.store.status.time > 0.4);
  await page.screenshot({ path: join(pictures, "lever.png") });
  for (const colour of ["rigid", "speed", "strain", "stress", "island", "law", "body"]) {
    await by(page, "colour").selectOption(colour);
    await until(page, (mode) => kreisel.app.stage.colouring.mode === mode && document.querySelector("[data-testid=legend]").textContent !== "", colour);
    const tag = { speed: 16, strain: 17, stress: 18, island: 19, law: 20 }[colour];
    if (tag) await until(page, (tag) => kreisel.store.scalars.get(tag)?.length === kreisel.store.count, tag);
    await drawn(page);
    if (process.env.PICTURES) await page.screenshot({ path: join(pictures, `colour-${colour}.png`) });
  }
  const overlays = ["contacts", "forces", "centres", "velocities", "boxes", "joints"];
  for (const overlay of overlays) await by(page, `overlay-${overlay}`).check();
  await until(page, () => kreisel.store.bodies.length > 0 && kreisel.store.velocities.length > 0);
  await drawn(page);
  await page.screenshot({ path: join(pictures, "overlays.png") });
  for (const overlay of overlays) await by(page, `overlay-${overlay}`).uncheck();
});

test("exact shapes are drawn as they are, and joints where they are", async () => {
  await open(page, "tippe-top");
  await until(page, () => kreisel.store.skins.some((s) => s.carrier !== undefined));
  await page.screenshot({ path: join(pictures, "top.png") });
  await open(page, "crank");
  await by(page, "tab-look").click();
  await by(page, "overlay-joints").check();
  await until(page, () => kreisel.store.model.joints.length > 0);
  await drawn(page);
  await page.screenshot({ path: join(pictures, "joints.png") });
  await by(page, "overlay-joints").uncheck();
});

test("keys do what they do in MuJoCo, and ours on top", async () => {
  await open(page, "lever");
  await paused(page);
  await page.keyboard.press("c");
  await until(page, () => kreisel.app.stage.overlays.on.has("contacts"));
  await page.keyboard.press("f");
  await until(page, () => kreisel.app.stage.overlays.on.has("forces"));
  for (const key of ["c", "f"]) await page.keyboard.press(key);
  await page.keyboard.press("t");
  await until(page, () => kreisel.app.stage.isTransparent);
  await page.keyboard.press("t");
  await page.keyboard.press("w");
  await until(page, () => kreisel.app.stage.isWireframe);
  await page.keyboard.press("w");
  await page.keyboard.press("x");
  await until(page, () => kreisel.app.stage.show === "connections");
  await page.keyboard.press("x");
  await page.keyboard.press("-");
  await until(page, () => kreisel.store.status.speed === 0.5);
  await page.keyboard.press("+");
  await until(page, () => kreisel.store.status.speed === 1);
  const begin = await frame();
  await page.keyboard.press("ArrowRight");
  await until(page, (f) => kreisel.store.status.frame === f + 1, begin);
  await page.keyboard.press("ArrowLeft");
  await until(page, (f) => kreisel.store.status.frame === f, begin);
  await page.keyboard.press("Tab");
  await until(page, () => document.querySelector("[data-testid=panel]").hidden);
  await page.keyboard.press("Tab");
  await until(page, () => !document.querySelector("[data-testid=panel]").hidden);
});

test("a second watcher sees, and gets the controls when he asks", async () => {
  await open(page, "falling-block");
  const other = await context.newPage();
  await other.goto(server.address);
  await until(other, () => kreisel.store.count > 0 && kreisel.store.people.watchers === 2);
  await ask(page, { ask: "run" });
  await ask(other, { ask: "pause" });
  await by(other, "refusal").waitFor();
  await by(other, "take").click();
  await by(page, "give").click();
  await until(other, () => kreisel.store.iControl);
  await ask(other, { ask: "pause" });
  await until(page, () => !kreisel.store.status.running);
  await other.close();
  await until(page, () => kreisel.store.iControl);
});

test("a lost connection is said and comes back", async () => {
  await open(page, "falling-block");
  const before = await page.evaluate(() => kreisel.store.me);
  await page.evaluate(() => {
    window.said = false;
    const line = document.querySelector("[data-testid=line]");
    new MutationObserver(() => { window.said ||= !line.hidden; }).observe(line, { attributes: true });
    kreisel.link.cut();
  });
  await until(page, (before) => window.said && kreisel.store.me !== before && kreisel.store.line === "open", before);
  await by(page, "line").waitFor({ state: "hidden" });
  await until(page, () => kreisel.store.iControl);
});

test("a scene file is read again when it changes, and a mistake is shown at its line", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "kreisel-scene-")), "mine.toml");
  const good = (height) => `title = "Mine"\nground = true\n[[body]]\nname = "a"\nshape = { box = [0.2, 0.2, 0.2] }\nat = [0, 0, ${height}]\nmaterial = "gel"\n`;
  writeFileSync(file, good(0.5));
  const own = await serve(file);
  const mine = await context.newPage();
  await mine.goto(own.address);
  await until(mine, () => kreisel.store.status.title === "Mine" && kreisel.store.status.frame > 3);
  writeFileSync(file, good(0.5).replace("gel", "jell"));
  await by(mine, "error").waitFor();
  assert.match(await by(mine, "error").textContent(), /line 7/);
  const begin = await mine.evaluate(() => kreisel.store.status.frame);
  await until(mine, (f) => kreisel.store.status.frame > f, begin);
  await mine.screenshot({ path: join(pictures, "mistake.png") });
  writeFileSync(file, good(0.9).replace("Mine", "Mended"));
  await until(mine, () => kreisel.store.status.title === "Mended" && kreisel.store.status.problem === null);
  await mine.close();
  await own.end();
});

test("nothing went wrong on the page", () => {
  assert.deepEqual(troubles.filter((t) => !/WebSocket|ERR_CONNECTION|GPU stall|GL Driver/.test(t)), []);
});
