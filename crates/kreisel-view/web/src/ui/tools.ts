// The tab "touch": what is selected, and what can be done with it; the palette; snapshots; files.

import type { Link } from "../link";
import { placed } from "../draw/shapes";
import type { Stage } from "../draw/stage";
import type { Store } from "../store";
import type { Touch } from "../touch";
import { download, h, short } from "./dom";
import { row } from "./look";
import { toObj, toStl } from "./meshes";

const SHAPES = ["ball", "block", "plank", "rod", "ring"];
const MATERIALS = ["gel", "rubber", "foam", "oak", "ice", "steel"];

export class Tools {
  readonly element: HTMLElement;
  private about = h("p", { class: "quiet", "data-testid": "selection" }, "");
  private shape = h("select", { "data-testid": "drop-shape" }, ...SHAPES.map((s) => h("option", {}, s)));
  private material = h("select", { "data-testid": "drop-material" }, ...MATERIALS.map((m) => h("option", {}, m)));
  private rigid = h("input", { type: "checkbox", "data-testid": "drop-rigid" });
  private size = h("input", { type: "range", min: 0.05, max: 0.6, step: 0.01, value: 0.2, "aria-label": "size of what is dropped" });
  private kept = h("div", { class: "buttons" });
  private buttons: HTMLButtonElement[];

  constructor(private readonly store: Store, private readonly stage: Stage, private readonly touch: Touch, private readonly link: Link, private readonly say: (words: string) => void) {
    const button = (label: string, test: string, onclick: () => void) => h("button", { type: "button", "data-testid": test, onclick }, label);
    this.buttons = [
      button("make rigid (R)", "make-rigid", () => this.withSelection("make-rigid")),
      button("make soft (S)", "make-soft", () => this.withSelection("make-soft")),
      button("fix", "fix", () => this.withSelection("fix")),
      button("release", "free", () => this.withSelection("free")),
      button("keep this shape", "keep-shape", () => this.withBody("keep-shape")),
      button("delete", "delete", () => this.withBody("delete")),
      button("STL", "download-stl", () => this.mesh("stl")),
      button("OBJ", "download-obj", () => this.mesh("obj")),
    ];
    this.element = h("section", {}, this.about, h("div", { class: "buttons" }, ...this.buttons),
      h("h3", {}, "drop something"),
      row("shape", this.shape), row("material", this.material), row("size", this.size), h("label", { class: "check" }, this.rigid, "rigid"),
      h("div", { class: "buttons" }, button("place it", "drop", () => touch.setTool("drop"))),
      h("h3", {}, "moments"),
      h("div", { class: "buttons" }, button("keep this moment", "snapshot", () => link.ask({ ask: "snapshot" }))), this.kept,
      h("div", { class: "buttons" }, h("a", { href: "api/session.kreisel", download: "session.kreisel", class: "button", "data-testid": "save-session" }, "download the session as a recording")));
    touch.onSelect = () => this.select();
    touch.onDrop = (at) => this.drop(at);
    store.on("facts", () => this.moments());
    this.select();
  }

  withSelection(what: string): void {
    const chosen = this.touch.chosen;
    if (chosen) this.touch.act({ do: what, what: chosen });
    else this.say("Nothing is selected: double-click a body first.");
  }

  private withBody(what: string): void {
    const body = this.touch.selection?.body;
    if (body !== undefined) this.touch.act({ do: what, body });
  }

  private drop(at: [number, number, number]): void {
    const size = Number(this.size.value) * 2 * this.stage.reach;
    this.touch.act({ do: "drop", shape: this.shape.value, material: this.material.value, size: Number(size.toPrecision(3)), at: [at[0], at[1], at[2] + 0.8 * size], rigid: this.rigid.checked });
  }

  private select(): void {
    const { selection } = this.touch;
    const name = selection ? this.store.model?.bodies[selection.body]?.name : undefined;
    const part = selection?.elements ? ` (${selection.elements.length === 1 ? `element ${selection.element}` : `${selection.elements.length} elements around the point`})` : "";
    this.about.textContent = name
      ? `${name}${part}: ${this.describe(selection!.body)}`
      : "Double-click selects a body, with Shift the region around the point, with Alt one element. Ctrl-drag pulls, with Shift it twists.";
    this.buttons.forEach((b) => { b.disabled = !selection; });
    const every = Array.from({ length: this.store.count }, (_, e) => e);
    this.stage.overlays.selection = !selection ? [] : selection.elements ?? every.filter((e) => this.store.body[e] === selection.body);
  }

  private describe(body: number): string {
    let mass = 0, rigid = 0, count = 0;
    for (let e = 0; e < this.store.count; e++) {
      if (this.store.body[e] !== body) continue;
      mass += this.store.mass[e];
      count += 1;
      if (this.store.owner[e] !== 0xffffffff) rigid += 1;
    }
    const how = rigid === count ? "rigid" : rigid ? `${Math.round((100 * rigid) / count)} % rigid` : "soft";
    return `${short(mass)} kg, ${count} elements, ${how}`;
  }

  private moments(): void {
    const { snapshots } = this.store.status;
    if (this.kept.childElementCount === snapshots.length) return;
    this.kept.replaceChildren(...snapshots.map((time, number) => h("button", { type: "button", "data-testid": "restore", onclick: () => this.link.ask({ ask: "restore", number }) }, `${time.toFixed(2)} s`)));
  }

  private mesh(kind: "stl" | "obj"): void {
    const body = this.touch.selection?.body;
    const form = this.store.skins.find((s) => s.body === body);
    const vertices = form?.local ? placed(this.store, form) : this.stage.skins.find((s) => s.form === form)?.vertices;
    const name = this.store.model?.bodies[body ?? 0]?.name ?? "body";
    if (!form || !vertices) return;
    if (kind === "stl") download(`${name}.stl`, toStl(vertices, form.triangles), "model/stl");
    else download(`${name}.obj`, toObj(name, vertices, form), "model/obj");
  }
}
