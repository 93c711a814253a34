// The tab "look": what is drawn, what colours mean, what lies over it, from where.

import { EVERYBODY, NOBODY } from "../draw/cameras";
import { MODES, type Mode } from "../draw/colours";
import { OVERLAYS, type Overlay } from "../draw/overlays";
import type { Show, Stage } from "../draw/stage";
import { Want } from "../protocol";
import type { Store } from "../store";
import { h } from "./dom";

const OVERLAY_WANTS: Record<Overlay, number> = {
  contacts: Want.contacts, forces: Want.contacts, centres: Want.bodies, velocities: Want.velocities, boxes: Want.bodies, joints: 0,
};

const OVERLAY_LABELS: Record<Overlay, string> = {
  contacts: "contacts (C)", forces: "contact forces (F)", centres: "centre of mass and inertia", velocities: "velocities",
  boxes: "bounding boxes", joints: "joints and what is held",
};

export class Look {
  readonly element: HTMLElement;
  private show = choice("show", ["skins", "elements", "connections"], (value) => this.setShow(value as Show));
  private colour = choice("colour", MODES.map((m) => m.mode), (value) => this.setColour(value as Mode), MODES.map((m) => m.label));
  private follow = h("select", { "data-testid": "follow", onchange: () => this.stage.cameras.setFollow(Number(this.follow.value)) });
  private boxes = new Map<string, HTMLInputElement>();
  private opened = -1;

  constructor(private readonly store: Store, private readonly stage: Stage, private readonly onWants: () => void, private readonly frameSelection: () => void) {
    const overlays = OVERLAYS.map((name) => this.check(name, OVERLAY_LABELS[name], (on) => this.setOverlay(name, on)));
    this.element = h("section", {},
      row("draw", this.show), row("colour by", this.colour),
      h("h3", {}, "overlays"), ...overlays,
      this.check("transparent", "transparent (T)", (on) => stage.setTransparent(on)),
      this.check("wireframe", "wireframe (W)", (on) => stage.setWireframe(on)),
      h("h3", {}, "camera"), row("follow", this.follow),
      h("div", { class: "buttons" },
        h("button", { type: "button", onclick: () => stage.cameras.fromScene(), "data-testid": "camera-scene" }, "as the scene says"),
        h("button", { type: "button", onclick: frameSelection, "data-testid": "camera-frame" }, "frame selection")));
    store.on("model", () => this.newModel());
    stage.cameras.onFollow = () => this.showFollowed();
  }

  /** Sections that what is shown needs. */
  get wants(): number {
    let bits = MODES.find((m) => m.mode === this.stage.colouring.mode)?.want ?? 0;
    for (const overlay of this.stage.overlays.on) bits |= OVERLAY_WANTS[overlay];
    return bits;
  }

  setShow(show: Show): void {
    this.stage.setShow(show);
    this.show.value = show;
  }

  setColour(mode: Mode): void {
    this.stage.colouring.set(mode);
    this.colour.value = mode;
    this.onWants();
  }

  toggle(name: Overlay | "transparent" | "wireframe"): void {
    this.boxes.get(name)?.click();
  }

  frame(): void {
    this.frameSelection();
  }

  private setOverlay(name: Overlay, on: boolean): void {
    if (on) this.stage.overlays.on.add(name);
    else this.stage.overlays.on.delete(name);
    this.onWants();
  }

  private check(name: string, label: string, change: (on: boolean) => void): HTMLElement {
    const box = h("input", { type: "checkbox", "data-testid": `overlay-${name}`, onchange: () => change(box.checked) });
    this.boxes.set(name, box);
    return h("label", { class: "check" }, box, label);
  }

  private showFollowed(): void {
    this.follow.value = String(this.stage.cameras.follow);
  }

  private newModel(): void {
    const { model } = this.store;
    if (!model) return;
    this.follow.replaceChildren(h("option", { value: NOBODY }, "nothing"), h("option", { value: EVERYBODY }, "everything"), ...model.bodies.map((b, i) => h("option", { value: i }, b.name)));
    this.showFollowed();
    if (this.opened === this.store.status.opened) return;
    this.opened = this.store.status.opened;
    this.show.value = model.view.show;
    this.setColour(model.view.colour as Mode);
  }
}

export function row(label: string, control: HTMLElement): HTMLElement {
  return h("label", { class: "row" }, h("span", {}, label), control);
}

function choice(test: string, values: string[], change: (value: string) => void, labels = values): HTMLSelectElement {
  const select = h("select", { "data-testid": test }, ...values.map((v, i) => h("option", { value: v }, labels[i])));
  select.addEventListener("change", () => change(select.value));
  return select;
}
