// The legend of the colours.

import { css, GRIPS, ramp, type Colouring, type Rgb } from "../draw/colours";
import type { Overlays } from "../draw/overlays";
import { h, quantity } from "./dom";

export class Legend {
  readonly element = h("div", { class: "legend", "data-testid": "legend" });
  private shown = "";

  constructor(private readonly colouring: Colouring, private readonly overlays: Overlays) {}

  update(): void {
    const legend = this.colouring.legend();
    const contacts = this.overlays.on.has("contacts") || this.overlays.on.has("forces");
    const key = JSON.stringify([legend, contacts]);
    if (key === this.shown) return;
    this.shown = key;
    const list = (items: [string, Rgb][]) => items.map(([name, colour]) => h("span", { class: "item" }, h("i", { style: `background: ${css(colour)}` }), name));
    if (legend.kind === "ramp") {
      const stops = Array.from({ length: 9 }, (_, i) => css(ramp(i / 8))).join(", ");
      this.element.replaceChildren(
        h("span", {}, legend.label),
        h("span", { class: "ramp", style: `background: linear-gradient(to right, ${stops})` }),
        h("span", { class: "ends" }, h("span", {}, "0"), h("span", {}, quantity(legend.largest, legend.unit))));
    } else {
      const items = list(legend.items);
      this.element.replaceChildren(...(legend.label && !items.length ? [h("span", {}, legend.label)] : []), ...items);
    }
    if (contacts) this.element.append(h("span", { class: "group-of" }, "a contact"), ...list(GRIPS));
  }
}
