// scratch: pictures of the page to look at
import { join } from "node:path";
import { ask, browse, by, drawn, moves, open, paused, pictures, serve, until } from "./common.js";
const which = process.argv.slice(2);
const server = await serve();
for (const [name, options] of [["desk-dark", { viewport: { width: 1280, height: 800 }, colorScheme: "dark" }], ["phone-light", { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true }], ["desk-light", { viewport: { width: 1280, height: 800 }, colorScheme: "light" }]]) {
  if (which.length && !which.some((w) => name.startsWith(w))) continue;
  const context = await browse(options);
  const page = await context.newPage();
  await page.goto(server.address);
  await by(page, "gallery-item").waitFor();
  await until(page, () => [...document.querySelectorAll(".card img")].slice(0, 6).every((i) => i.complete && i.naturalWidth > 0));
  await page.screenshot({ path: join(pictures, `${name}-gallery.png`) });
  for (const scene of ["lever", "tippe-top", "card-house", "crank", "sculpt"]) {
    await ask(page, { ask: "open", scene });
    await moves(page, scene);
    await until(page, () => kreisel.store.status.frame > 12);
    await drawn(page);
    await page.screenshot({ path: join(pictures, `${name}-${scene}.png`) });
  }
  if (name.startsWith("phone")) await by(page, "panel-toggle").click();
  for (const tab of ["touch", "change", "measure", "events"]) {
    await by(page, `tab-${tab}`).click();
    await drawn(page);
    await page.screenshot({ path: join(pictures, `${name}-tab-${tab}.png`) });
  }
  await context.close();
}
await server.end();
