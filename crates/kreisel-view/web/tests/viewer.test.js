// The page in a real browser: gallery, controls, touching, measuring, watchers.

import assert from "node:assert/strict";
import { writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask, browse, by, open, paused, pictures, placeOf, serve, until } from "./common.js";

let server, context, page;
const troubles = [];

before(async () => {
  server = await serve();
  context = await browse();
  page = await context.newPage();
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") troubles.push(message.text()); });
  await page.goto(server.address);
});

after(async () => {
  await context?.close();
  const code = await server?.end();
  assert.equal(code, 0, "Ctrl-C ends the viewer cleanly");
});

test("the gallery shows every scene, and each one starts with a click", async () => {
  await by(page, "gallery-item").waitFor();
  const scenes = await page.locator("[data-scene]").evaluateAll((cards) => cards.map((c) => c.dataset.scene));
  assert.ok(scenes.length >= 30 && scenes.includes("lever"));
  await page.waitForFunction(() => [...document.querySelectorAll(".card img")].slice(0, 3).every((i) => i.complete && i.naturalWidth > 0), null, { timeout: 60000 });
  await page.screenshot({ path: join(pictures, "gallery.png") });
  await open(page, "falling-block");
  for (const scene of scenes) {
    const begin = Date.now();
    await ask(page, { ask: "open", scene });
    await until(page, (scene) => kreisel.store.status.scene === scene && kreisel.store.status.frame > 0, scene);
    assert.equal(await page.evaluate(() => kreisel.store.status.error), null, scene);
    if (process.env.VERBOSE) console.log(scene, Date.now() - begin);
  }
  await by(page, "home").click();
  await by(page, "gallery").waitFor();
});

test("run, pause, step; a step back returns to the same bits", async () => {
  await open(page, "falling-block");
  const first = await paused(page);
  const frame = await page.evaluate(() => kreisel.store.status.frame);
  await by(page, "step").click();
  await until(page, (frame) => kreisel.store.status.frame === frame + 1 && kreisel.store.status.hash, frame);
  assert.notEqual(await by(page, "state-hash").textContent(), first);
  await by(page, "step-back").click();
  await until(page, (frame) => kreisel.store.status.frame === frame && kreisel.store.status.hash, frame);
  assert.equal(await by(page, "state-hash").textContent(), first);
  await page.keyboard.press("Space");
  await until(page, (frame) => kreisel.store.status.frame > frame + 5, frame);
  await page.keyboard.press("Space");
  await ask(page, { ask: "seek", frame });
  await until(page, (frame) => kreisel.store.status.frame === frame && kreisel.store.status.hash, frame);
  assert.equal(await by(page, "state-hash").textContent(), first, "from afar too");
});

test("a drag moves a body, shows its force, and is replayed by going back", async () => {
  await ask(page, { ask: "reset" });
  await ask(page, { ask: "run" });
  await until(page, () => kreisel.store.status.time > 1.2);
  const at = await placeOf(page, "block");
  const mean = () => page.evaluate(() => { let sum = 0; for (let e = 0; e < kreisel.store.count; e++) sum += kreisel.store.x[3 * e + 2]; return sum / kreisel.store.count; });
  const low = await mean();
  await page.keyboard.down("Control");
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  for (let i = 1; i <= 10; i++) {
    await page.mouse.move(at.x + 3 * i, at.y - 14 * i);
    await page.waitForTimeout(30);
  }
  await until(page, () => kreisel.store.status.hands.length === 1 && Math.hypot(...kreisel.store.status.hands[0].force) > 1);
  assert.match(await by(page, "grab-force").textContent(), /\d N/);
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(pictures, "drag.png") });
  assert.ok((await mean()) > low + 0.02, "the block is lifted");
  await page.mouse.up();
  await page.keyboard.up("Control");
  const hash = await paused(page);
  const frame = await page.evaluate(() => kreisel.store.status.frame);
  assert.ok((await page.evaluate(() => kreisel.store.status.entries)) > 3, "what was done is in the journal");
  await ask(page, { ask: "seek", frame: 2 });
  await until(page, () => kreisel.store.status.frame === 2);
  await ask(page, { ask: "seek", frame });
  await until(page, (frame) => kreisel.store.status.frame === frame && kreisel.store.status.hash, frame);
  assert.equal(await by(page, "state-hash").textContent(), hash, "the drag happens again, bit for bit");
});

test("a selected body becomes rigid and soft again, fixed and free", async () => {
  const at = await placeOf(page, "block");
  await page.mouse.dblclick(at.x, at.y);
  await by(page, "tab-touch").click();
  await until(page, () => kreisel.app.touch.selection !== null);
  const isRigid = () => kreisel.store.owner.every((o) => o !== 0xffffffff);
  await by(page, "make-rigid").click();
  await until(page, isRigid);
  await by(page, "make-soft").click();
  await until(page, () => kreisel.store.owner.every((o) => o === 0xffffffff));
  await page.mouse.dblclick(at.x, at.y);
  await by(page, "fix").click();
  await until(page, () => kreisel.store.held.some((h) => h));
});

test("a stroke cuts, and the cut is an event", async () => {
  await open_anew("beam-soft");
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
  await until(page, () => document.querySelectorAll("[data-testid=events] li").length > 0);
});

test("something is dropped, and taken away again", async () => {
  const bodies = await page.evaluate(() => kreisel.store.model.bodies.length);
  await by(page, "tab-touch").click();
  await by(page, "drop").click();
  await page.mouse.click(500, 300);
  await until(page, (n) => kreisel.store.model.bodies.length === n + 1, bodies);
  await ask(page, { ask: "act", action: { do: "delete", body: bodies } });
  await until(page, (n) => kreisel.store.model.bodies.length === n, bodies);
});

test("a slider changes gravity while it runs", async () => {
  await open_anew("falling-block");
  await by(page, "tab-change").click();
  await page.getByTestId("set-gravity-z").evaluate((slider) => { slider.value = "5"; slider.dispatchEvent(new Event("input")); });
  await until(page, () => kreisel.store.model.gravity[2] === 5);
});

test("plots have data, values and a table", async () => {
  await open_anew("lever");
  await by(page, "tab-measure").click();
  await until(page, () => kreisel.store.rows.frames.length > 20);
  await page.screenshot({ path: join(pictures, "ledger.png") });
  const [file] = await Promise.all([page.waitForEvent("download"), by(page, "download-csv").click()]);
  assert.equal(file.suggestedFilename(), "kreisel.csv");
  assert.match(await by(page, "plot-values").textContent(), /kinetic/);
});

test("the lever and the tumbling top look as they should", async () => {
  await by(page, "tab-look").click();
  await until(page, () => kreisel.store.status.time > 0.5);
  await page.screenshot({ path: join(pictures, "lever.png") });
  for (const colour of ["rigid", "speed", "strain", "stress", "island", "law"]) {
    await by(page, "colour").selectOption(colour);
    await page.waitForTimeout(120);
  }
  for (const overlay of ["contacts", "forces", "centres", "velocities", "boxes", "joints"]) await by(page, `overlay-${overlay}`).check();
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(pictures, "overlays.png") });
  for (const overlay of ["contacts", "forces", "centres", "velocities", "boxes", "joints"]) await by(page, `overlay-${overlay}`).uncheck();
  await open_anew("tumbling-top");
  await page.screenshot({ path: join(pictures, "top.png") });
});

test("a second watcher sees, and gets the controls when he asks", async () => {
  const other = await context.newPage();
  await other.goto(server.address);
  await until(other, () => kreisel.store.count > 0 && kreisel.store.people.watchers === 2);
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
  const before = await page.evaluate(() => { const { me } = kreisel.store; kreisel.link.cut(); return me; });
  await by(page, "line").waitFor();
  await until(page, (before) => kreisel.store.me !== before && kreisel.store.line === "open", before);
  await by(page, "line").waitFor({ state: "hidden" });
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
  const frame = await mine.evaluate(() => kreisel.store.status.frame);
  await until(mine, (frame) => kreisel.store.status.frame > frame, frame);
  await mine.screenshot({ path: join(pictures, "mistake.png") });
  writeFileSync(file, good(0.9).replace("Mine", "Mended"));
  await until(mine, () => kreisel.store.status.title === "Mended" && kreisel.store.status.problem === null);
  await mine.close();
  await own.end();
});

test("nothing went wrong on the page", () => {
  assert.deepEqual(troubles.filter((t) => !/WebSocket|ERR_CONNECTION|GPU stall|GL Driver/.test(t)), []);
});

async function open_anew(scene) {
  await by(page, "home").click();
  await by(page, "gallery").waitFor();
  await open(page, scene);
}
