// VR with an emulated headset: two controllers grab and pull a soft body, and tear it.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { ask, browse, by, pictures, serve, until } from "./common.js";

const here = dirname(fileURLToPath(import.meta.url));
let server, context, page;

const BAR = `title = "A bar to tear"
gravity = [0, 0, 0]
[[body]]
name = "bar"
shape = { box = [0.6, 0.1, 0.1] }
material = { like = "gel", young = "50 kPa", fracture_strain = 0.25 }
cells = 2
`;

before(async () => {
  const file = join(mkdtempSync(join(tmpdir(), "kreisel-bar-")), "bar.toml");
  writeFileSync(file, BAR);
  server = await serve(file);
  context = await browse({ viewport: { width: 800, height: 500 } });
  page = await context.newPage();
  await page.addInitScript({ path: join(here, "node_modules/iwer/build/iwer.min.js") });
  await page.addInitScript(() => {
    const device = new IWER.XRDevice(IWER.metaQuest3);
    device.installRuntime({ forceInstall: true });
    device.stereoEnabled = true;
    device.position.set(0, 1.6, 0);
    window.headset = device;
  });
  await page.goto(server.address);
  await until(page, () => kreisel.store.count > 0 && kreisel.app.stage.pictures > 2);
});

after(async () => {
  await context?.close();
  await server?.end();
});

test("VR is entered, and the scene stands in front of the viewer in stereo", async () => {
  await by(page, "enter-vr").waitFor();
  await by(page, "enter-vr").dispatchEvent("click");
  await until(page, () => kreisel.app.xr.isOn && kreisel.app.xr.grips.length === 2);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(pictures, "stereo.png") });
});

/** Puts a controller where an element is. */
const reach = (hand, place) => page.evaluate(([hand, place]) => {
  const { store, app } = kreisel;
  const order = [...Array(store.count).keys()].sort((a, b) => store.x[3 * a] - store.x[3 * b]);
  const e = place === "first" ? order[0] : order[order.length - 1];
  const p = app.stage.cameras.camera.position.clone().fromArray(store.x, 3 * e);
  app.stage.root.localToWorld(p);
  headset.controllers[hand].position.set(p.x, p.y, p.z);
  return [p.x, p.y, p.z];
}, [hand, place]);

test("two controllers take the ends of a bar, pull it, and tear it", async () => {
  await ask(page, { ask: "pause" });
  await page.evaluate(() => { for (const c of Object.values(headset.controllers)) c.connected = true; });
  const left = await reach("left", "first");
  const right = await reach("right", "last");
  await page.waitForTimeout(200);
  await page.evaluate(() => { for (const side of ["left", "right"]) headset.controllers[side].updateButtonValue("trigger", 1); });
  await until(page, () => kreisel.store.status.hands.length === 2);
  await ask(page, { ask: "run" });
  const begin = await page.evaluate(() => Math.max(...kreisel.store.x.filter((_, i) => i % 3 === 0)));
  const apart = left[0] < right[0] ? 1 : -1;
  for (let i = 1; i <= 40; i++) {
    await page.evaluate(([l, r, d]) => {
      headset.controllers.left.position.set(l[0] - d, l[1], l[2]);
      headset.controllers.right.position.set(r[0] + d, r[1], r[2]);
    }, [left, right, 0.05 * i * apart]);
    await page.waitForTimeout(50);
    if (i === 12) {
      const now = await page.evaluate(() => Math.max(...kreisel.store.x.filter((_, i) => i % 3 === 0)));
      assert.ok(now !== begin, "the bar follows the hands");
    }
    if (await page.evaluate(() => kreisel.store.broken.length > 0)) break;
  }
  await until(page, () => kreisel.store.broken.length > 0);
  await page.screenshot({ path: join(pictures, "torn.png") });
  await page.evaluate(() => { for (const side of ["left", "right"]) headset.controllers[side].updateButtonValue("trigger", 0); });
  await until(page, () => kreisel.store.status.hands.length === 0);
});

test("buttons pause, step, and make what was held rigid", async () => {
  const press = async (side, button) => {
    await page.evaluate(([s, b]) => headset.controllers[s].updateButtonValue(b, 1), [side, button]);
    await page.waitForTimeout(150);
    await page.evaluate(([s, b]) => headset.controllers[s].updateButtonValue(b, 0), [side, button]);
    await page.waitForTimeout(150);
  };
  await press("left", "x-button");
  await until(page, () => !kreisel.store.status.running);
  const frame = await page.evaluate(() => kreisel.store.status.frame);
  await press("left", "y-button");
  await until(page, (frame) => kreisel.store.status.frame === frame + 1, frame);
  await press("right", "a-button");
  await until(page, () => kreisel.store.owner.some((o) => o !== 0xffffffff));
});
