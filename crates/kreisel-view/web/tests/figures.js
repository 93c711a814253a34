// What the page manages: pictures per second at ten thousand elements, what a picture costs the process that draws, and how
// soon a drag is seen.
// KREISEL=target/release/kreisel node figures.js

import { execSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
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

/** The process that draws for the browser that this one started; `null` where processes cannot be listed like that. */
function drawingProcess() {
  const lines = execSync("ps -eo pid,ppid,args").toString().split("\n").map((line) => line.trim().split(/\s+/));
  const own = new Set([String(process.pid)]);
  for (let depth = 0; depth < 5; depth++) for (const [pid, parent] of lines) if (own.has(parent)) own.add(pid);
  return lines.find(([pid, , ...words]) => own.has(pid) && words.includes("--type=gpu-process"))?.[0] ?? null;
}

/** Processor time of a process [ms]. */
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

const high = (values) => values.sort((a, b) => a - b)[Math.floor(0.95 * (values.length - 1))];

const file = join(mkdtempSync(join(tmpdir(), "kreisel-figures-")), "large.toml");
writeFileSync(file, LARGE);
const context = await browse({ viewport: { width: 800, height: 600 } });

const large = await serve(file);
const page = await context.newPage();
await page.goto(large.address);
await until(page, () => kreisel.store.count > 10000 && kreisel.app.stage.pictures > 5);
const [drawer, begin] = [drawingProcess(), await page.evaluate(() => kreisel.app.stage.pictures)];
const before = drawer && processorTime(drawer);
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
const many = (await page.evaluate(() => kreisel.app.stage.pictures)) - begin;
if (drawer) console.log(`processor time of a picture in the process that draws: ${((processorTime(drawer) - before) / many).toFixed(0)} ms`);
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
