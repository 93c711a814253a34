// What all tests of the page share: a viewer on loopback, a browser, and a few words to read them.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "../../../..");
export const program = process.env.KREISEL ?? join(root, "target/release/kreisel");
export const pictures = join(here, "out");
mkdirSync(pictures, { recursive: true });

/** Nothing takes longer than this, even on a busy machine [ms]. */
export const PATIENCE = Number(process.env.PATIENCE ?? 180000);

const FLAGS = ["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Starts `kreisel view`; gives its address and a way to end it. */
export async function serve(...words) {
  const child = spawn(program, ["view", "--no-open", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`kreisel ended with ${code}`)));
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return {
    address: line,
    end: async () => {
      child.kill("SIGINT");
      return ended;
    },
  };
}

/** A browser with a profile of its own. */
export async function browse(options = {}) {
  const profile = mkdtempSync(join(tmpdir(), "kreisel-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
    viewport: { width: 1280, height: 800 },
    colorScheme: "dark",
    ...options,
  });
  // While the page is being worked on: PAGE=../dist, after `npx vite build`.
  if (process.env.PAGE) {
    await context.route("**/assets/*", (route) => route.fulfill({ path: join(process.env.PAGE, "assets", new URL(route.request().url()).pathname.split("/").pop()) }));
  }
  context.setDefaultTimeout(PATIENCE);
  return context;
}

export const by = (page, name) => page.getByTestId(name).first();

/** Waits until a function of the page's own state is true. */
export const until = (page, test, argument) => page.waitForFunction(test, argument, { timeout: PATIENCE });

/** Closes what is open, opens a scene by its card, and waits until it moves and is drawn. */
export async function open(page, scene) {
  await until(page, () => kreisel.store.line === "open");
  await ask(page, { ask: "close" });
  await until(page, () => kreisel.store.status.mode === "none");
  await page.locator(`[data-scene="${scene}"]`).click();
  await moves(page, scene);
}

/** Waits until a scene moves and is drawn. */
export async function moves(page, scene) {
  await until(page, (scene) => kreisel.store.status.scene === scene && kreisel.store.model && kreisel.store.status.frame > 1, scene);
  await drawn(page);
}

/** Waits until two more pictures have been drawn. */
export async function drawn(page) {
  const pictures = await page.evaluate(() => kreisel.app.stage.pictures);
  await until(page, (pictures) => kreisel.app.stage.pictures > pictures + 1, pictures);
}

export const ask = (page, request) => page.evaluate((request) => kreisel.link.ask(request), request);

/** Pauses and gives the hash of the state. */
export async function paused(page) {
  await ask(page, { ask: "pause" });
  await until(page, () => !kreisel.store.status.running && kreisel.store.status.hash !== "");
  return page.getByTestId("state-hash").first().textContent();
}

/** Goes to a frame and gives the hash there. */
export async function seek(page, frame) {
  await ask(page, { ask: "seek", frame });
  await until(page, (frame) => kreisel.store.status.frame === frame && kreisel.store.status.hash !== "", frame);
  return page.getByTestId("state-hash").first().textContent();
}


/** Where an element of a body is on the screen, one that can be picked there. */
export async function placeOf(page, body) {
  await drawn(page);
  return page.evaluate((body) => {
    const { store, app } = kreisel;
    const number = store.model.bodies.findIndex((b) => b.name === body);
    const box = app.stage.canvas.getBoundingClientRect();
    const elements = [];
    for (let e = 0; e < store.count; e++) if (store.body[e] === number) elements.push(e);
    const middle = [0, 1, 2].map((k) => elements.reduce((sum, e) => sum + store.x[3 * e + k], 0) / elements.length);
    const distance = (e) => Math.hypot(...[0, 1, 2].map((k) => store.x[3 * e + k] - middle[k]));
    elements.sort((a, b) => distance(a) - distance(b));
    for (const e of elements) {
      const p = app.stage.cameras.camera.position.clone().fromArray(store.x, 3 * e).project(app.stage.cameras.camera);
      const at = { x: box.left + (0.5 + 0.5 * p.x) * box.width, y: box.top + (0.5 - 0.5 * p.y) * box.height };
      const hit = app.touch.at({ clientX: at.x, clientY: at.y });
      if (document.elementFromPoint(at.x, at.y) === app.stage.canvas && hit?.body === number) return at;
    }
    return null;
  }, body);
}
