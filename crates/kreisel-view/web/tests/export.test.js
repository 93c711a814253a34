// A recording as one page, opened from disk; and the page on a phone, dark and light.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { browse, by, drawn, open, pictures, program, serve, until } from "./common.js";

let context;
before(async () => { context = await browse(); });
after(async () => { await context?.close(); });

test("an exported page opens from disk, plays, and goes back", async () => {
  const directory = mkdtempSync(join(tmpdir(), "kreisel-export-"));
  execFileSync(program, ["run", "dumbbell", "--out", directory, "--quiet"]);
  const file = join(directory, "dumbbell.html");
  execFileSync(program, ["export", directory, "--to", "html", "--out", file]);
  assert.ok(statSync(file).size > 100000);
  const page = await context.newPage();
  const asked = [];
  page.on("request", (request) => { if (!/^(file|blob|data):/.test(request.url())) asked.push(request.url()); });
  await page.goto(pathToFileURL(file).href);
  await until(page, () => kreisel.store.status.mode === "recording" && kreisel.store.status.frame > 3);
  await by(page, "step-back").click();
  const frame = await page.evaluate(() => kreisel.store.status.frame);
  await by(page, "step-back").click();
  await until(page, (frame) => kreisel.store.status.frame === frame - 1, frame);
  await page.getByTestId("tab-measure").click();
  await until(page, () => kreisel.store.rows.frames.length > 10);
  await page.screenshot({ path: join(pictures, "exported.png") });
  assert.deepEqual(asked, [], "nothing is fetched");
});

test("the page fits a phone, in the light", async () => {
  const server = await serve();
  const phone = await browse({ viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true });
  const page = await phone.newPage();
  await page.goto(server.address);
  await by(page, "gallery-item").waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll(".card img")].slice(0, 4).every((i) => i.complete && i.naturalWidth > 0), null, { timeout: 60000 });
  await page.screenshot({ path: join(pictures, "phone-gallery.png") });
  await open(page, "lever");
  await until(page, () => kreisel.store.status.time > 0.3);
  await page.screenshot({ path: join(pictures, "phone-lever.png") });
  await by(page, "panel-toggle").click();
  await by(page, "panel").waitFor();
  await drawn(page);
  await page.screenshot({ path: join(pictures, "phone-panel.png") });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
  for (const name of ["run", "step", "step-back", "time"]) assert.ok(await by(page, name).isVisible(), name);
  await phone.close();
  await server.end();
});
