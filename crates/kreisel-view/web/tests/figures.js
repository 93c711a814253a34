// What the page manages: pictures per second at ten thousand elements, and how soon a drag is seen.
// KREISEL=target/release/kreisel node figures.js

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, browse, placeOf, serve, until } from "./common.js";

const LARGE = `title = "Ten thousand"
ground = true
duration = "100 s"
[[body]]
name = "block"
shape = { box = [21, 21, 21] }
at = [0, 0, 14]
material = { like = "gel", young = "20 kPa" }
cells = 21
[view]
show = "elements"
`;

const high = (values) => values.sort((a, b) => a - b)[Math.floor(0.95 * (values.length - 1))];

const file = join(mkdtempSync(join(tmpdir(), "kreisel-figures-")), "large.toml");
writeFileSync(file, LARGE);
const context = await browse({ viewport: { width: 800, height: 600 } });

const large = await serve(file);
const page = await context.newPage();
await page.goto(large.address);
await until(page, () => kreisel.store.count > 10000 && kreisel.app.stage.pictures > 5);
const drawn = await page.evaluate(async () => {
  kreisel.app.togglePanel(false);
  kreisel.app.stage.renderer.setPixelRatio(1);
  kreisel.app.stage.adapt = () => {};
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  await wait(1000);
  const [n, t] = [kreisel.app.stage.pictures, performance.now()];
  await wait(5000);
  return { rate: (1000 * (kreisel.app.stage.pictures - n)) / (performance.now() - t), balls: kreisel.app.stage.balls.shown.length, size: [kreisel.app.stage.canvas.width, kreisel.app.stage.canvas.height] };
});
console.log(`pictures per second at ${drawn.size.join("×")}, 10648 elements (${drawn.balls} drawn): ${drawn.rate.toFixed(1)} (aim: 20)`);
await page.close();
await large.end();

const small = await serve("falling-block");
const other = await context.newPage();
await other.goto(small.address);
await until(other, () => kreisel.store.status.time > 1.5);
await other.evaluate(() => kreisel.app.togglePanel(false));
const at = await placeOf(other, "block");
const waits = [];
for (let i = 0; i < 40; i++) {
  waits.push(await other.evaluate(async ([x, y, i]) => {
    const { app, store } = kreisel;
    const send = (name, dx) => app.stage.canvas.dispatchEvent(new PointerEvent(name, { clientX: x + dx, clientY: y, ctrlKey: true, bubbles: true, pointerId: 1 }));
    app.stage.canvas.setPointerCapture = () => {};
    app.stage.canvas.hasPointerCapture = () => false;
    if (i === 0) send("pointerdown", 0);
    await new Promise((done) => setTimeout(done, 120));
    const target = () => store.status.hands[0]?.target.join();
    const before = target();
    const begin = performance.now();
    send("pointermove", i % 2 ? 60 : 0);
    while (target() === before && performance.now() - begin < 2000) await new Promise(requestAnimationFrame);
    const picture = app.stage.pictures;
    while (app.stage.pictures < picture + 1) await new Promise(requestAnimationFrame);
    return performance.now() - begin;
  }, [at.x, at.y, i]));
}
console.log(`from drag to the picture that shows it, p95 of ${waits.length}: ${high(waits.slice(2)).toFixed(0)} ms (aim: 100)`);
await context.close();
await small.end();
process.exit(0);
