// What is drawn: shortcuts where the processor draws do not change the picture.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, browse, by, drawn, open, serve, until } from "./common.js";

let server, context, page;

before(async () => {
  server = await serve();
  context = await browse({ viewport: { width: 800, height: 600 } });
  page = await context.newPage();
  await page.goto(server.address);
  await by(page, "gallery-item").waitFor();
  // A way to look at the picture between two others.
  await page.evaluate(() => {
    window.look = () => {
      const gl = kreisel.app.stage.renderer.getContext();
      const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
      gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return pixels;
    };
    window.drawWhole = () => {
      const { renderer, scene, cameras } = kreisel.app.stage;
      renderer.setScissorTest(false);
      renderer.render(scene, cameras.camera);
    };
  });
});

after(async () => {
  await context?.close();
  await server?.end();
});

for (const scene of ["falling-block", "lever", "ball-pit", "turntable", "bar-break"]) {
  test(`what is kept of the pictures before is what would be drawn: ${scene}`, async () => {
    await open(page, scene);
    // A camera that goes after bodies draws everything anew.
    await by(page, "follow").selectOption("-1");
    let confined = 0;
    for (let k = 0; confined < 6; k++) {
      assert.ok(k < 60, `only a part of the picture is drawn anew; of ${k} pictures that was so in ${confined}`);
      const pictures = await page.evaluate(() => kreisel.app.stage.pictures);
      await until(page, (pictures) => kreisel.app.stage.pictures > pictures + 2, pictures);
      const found = await page.evaluate(async () => {
        // Just after a picture, before anything else arrives.
        for (let n = kreisel.app.stage.pictures; n === kreisel.app.stage.pictures; ) await new Promise(requestAnimationFrame);
        const isConfined = kreisel.app.stage.renderer.getScissorTest();
        const kept = look();
        drawWhole();
        const whole = look();
        let different = 0;
        // The ground is divided elsewhere when shadows move on, which rounds it up or down.
        for (let i = 0; i < kept.length; i++) different += Number(Math.abs(kept[i] - whole[i]) > 1);
        return { isConfined, different };
      });
      confined += Number(found.isConfined);
      assert.equal(found.different, 0, `colours that differ by more than rounding in picture ${k}`);
    }
  });
}

test("small balls drawn as points look like those drawn on squares", async () => {
  await open(page, "lever-soft");
  await ask(page, { ask: "pause" });
  await until(page, () => !kreisel.store.status.running);
  await page.evaluate(() => kreisel.app.look.setShow("elements"));
  await drawn(page);
  const found = await page.evaluate(() => {
    const { stage } = kreisel.app;
    const { balls, colouring } = stage;
    const points = look();
    const smalls = balls.sieve.smalls;
    balls.update(kreisel.store, colouring, true, () => null);
    drawWhole();
    const squares = look();
    let sum = 0, most = 0;
    for (let i = 0; i < points.length; i++) {
      sum += Math.abs(points[i] - squares[i]);
      most = Math.max(most, squares[i]);
    }
    return { smalls, mean: sum / points.length, most };
  });
  assert.ok(found.smalls > 100, "there are small balls");
  assert.ok(found.most > 100, "something is seen");
  assert.ok(found.mean < 2, `of 255, they differ by ${found.mean} in the mean`);
});

test("what leaves the picture is followed, unless somebody looks elsewhere himself", async () => {
  const EVERYBODY = -2;
  const lookAside = () => page.evaluate(() => {
    const { camera, controls } = kreisel.app.stage.cameras;
    const aside = camera.position.distanceTo(controls.target);
    camera.position.x += aside;
    controls.target.x += aside;
  });
  const follows = () => page.evaluate(() => kreisel.app.stage.cameras.follow);
  await open(page, "falling-block");
  await lookAside();
  await drawn(page);
  assert.equal(await follows(), EVERYBODY);
  await open(page, "falling-block");
  await page.evaluate(() => kreisel.app.stage.cameras.controls.dispatchEvent({ type: "start" }));
  await lookAside();
  await drawn(page);
  assert.notEqual(await follows(), EVERYBODY);
});

/** Somebody else who comes to see what is on, through a window of this size. */
async function watcher(viewport) {
  const other = await context.newPage();
  await other.setViewportSize(viewport);
  await other.goto(server.address);
  await until(other, () => kreisel.store.count > 0 && kreisel.app.stage.pictures > 2);
  return other;
}

test("what the scene follows is seen by who comes when it has gone far, and by who looks again as the scene says", async () => {
  await open(page, "tippe-top-captured");
  await until(page, () => Math.hypot(kreisel.store.x[0], kreisel.store.x[1]) > 0.05);
  const other = await watcher({ width: 800, height: 600 });
  assert.ok(await other.evaluate(() => kreisel.app.stage.seesBodies()), "who comes");
  await other.close();
  await by(page, "camera-scene").click();
  await drawn(page);
  assert.ok(await page.evaluate(() => kreisel.app.stage.seesBodies()), "who looks again");
});

test("the first scene of a page is seen from where any other is: as far away as its picture is narrow", async () => {
  await open(page, "lever");
  await ask(page, { ask: "pause" });
  await until(page, () => !kreisel.store.status.running);
  const other = await watcher({ width: 740, height: 800 });
  const distance = () => other.evaluate(() => kreisel.app.stage.cameras.camera.position.distanceTo(kreisel.app.stage.cameras.controls.target));
  const first = await distance();
  await by(other, "camera-scene").click();
  assert.ok(Math.abs(first / (await distance()) - 1) < 1e-6, `${first} m, then ${await distance()} m`);
  await other.close();
});
