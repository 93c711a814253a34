// The legend of the colours.

import { css, ramp, type Colouring } from "../draw/colours";
import { h, quantity } from "./dom";

export class Legend {
  readonly element = h("div", { class: "legend", "data-testid": "legend" });
  private shown = "";

  constructor(private readonly colouring: Colouring) {}

  update(): void {
    const legend = this.colouring.legend();
    const key = JSON.stringify(legend);
    if (key === this.shown) return;
    this.shown = key;
    if (legend.kind === "ramp") {
      const stops = Array.from({ length: 9 }, (_, i) => css(ramp(i / 8))).join(", ");
      this.element.replaceChildren(
        h("span", {}, legend.label),
        h("span", { class: "ramp", style: `background: linear-gradient(to right, ${stops})` }),
        h("span", { class: "ends" }, h("span", {}, "0"), h("span", {}, quantity(legend.largest, legend.unit))));
    } else {
      const items = legend.items.map(([name, colour]) => h("span", { class: "item" }, h("i", { style: `background: ${css(colour)}` }), name));
      this.element.replaceChildren(...(legend.label && !items.length ? [h("span", {}, legend.label)] : []), ...items);
    }
  }
}
