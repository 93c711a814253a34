// The tab "change": every parameter of the scene that makes sense while it runs.

import type { Link } from "../link";
import type { Parameter, Vec3 } from "../protocol";
import type { Store } from "../store";
import { h, quantity } from "./dom";

export class Parameters {
  readonly element = h("section", {});
  private key = "";
  private opened = new Map<string, boolean>();

  constructor(private readonly store: Store, private readonly link: Link) {
    store.on("model", () => this.build());
  }

  private build(): void {
    const all = this.store.model?.parameters ?? [];
    // What the user is moving at the moment is not taken out of his hand.
    if (this.element.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement) return;
    const key = JSON.stringify(all);
    if (key === this.key) return;
    this.key = key;
    const groups = new Map<string, Parameter[]>();
    for (const parameter of all) groups.set(parameter.group, [...(groups.get(parameter.group) ?? []), parameter]);
    // What was opened or closed by hand stays so.
    for (const block of this.element.querySelectorAll("details")) this.opened.set(block.dataset.group ?? "", block.open);
    const open = (name: string) => this.opened.get(name) ?? (name === "World" || name === "Contact" || groups.size < 5);
    const blocks = [...groups].map(([name, list]) => {
      const block = h("details", { "data-group": name }, h("summary", {}, name), ...list.map((p) => this.control(p)));
      block.open = open(name);
      return block;
    });
    this.element.replaceChildren(...(blocks.length ? blocks : [h("p", { class: "quiet" }, "A recording cannot be changed.")]));
  }

  private set(parameter: Parameter, value: unknown): void {
    this.link.ask({ ask: "act", action: { do: "set", path: parameter.path, value } });
  }

  private control(p: Parameter): HTMLElement {
    if (typeof p.value === "boolean") {
      const box = h("input", { type: "checkbox", checked: p.value, "data-testid": `set-${p.path}`, onchange: () => this.set(p, box.checked) });
      return h("label", { class: "check" }, box, p.label);
    }
    if (typeof p.value === "string") {
      const select = h("select", { "data-testid": `set-${p.path}`, onchange: () => this.set(p, select.value) }, ...p.choices.map((c) => h("option", { value: c, selected: c === p.value }, c)));
      return h("label", { class: "row" }, h("span", {}, p.label), select);
    }
    if (Array.isArray(p.value)) return this.vector(p, p.value);
    return this.slider(p, p.label, `set-${p.path}`, p.value, (value) => this.set(p, value));
  }

  private vector(p: Parameter, value: Vec3): HTMLElement {
    const now = [...value];
    const axes = ["x", "y", "z"].map((axis, i) => this.slider(p, `${p.label} ${axis}`, `set-${p.path}-${axis}`, value[i], (v) => {
      now[i] = v;
      this.set(p, [...now]);
    }));
    return h("div", {}, ...axes);
  }

  private slider(p: Parameter, label: string, test: string, value: number, change: (value: number) => void): HTMLElement {
    const [min, max] = p.log ? [Math.log10(p.min), Math.log10(p.max)] : [p.min, p.max];
    const inward = (v: number) => (p.log ? Math.log10(Math.max(v, 1e-30)) : v);
    const outward = (v: number) => (p.log ? 10 ** v : v);
    const shown = h("output", {}, quantity(value, p.unit));
    const input = h("input", { type: "range", min, max, step: (max - min) / 400, value: inward(value), "data-testid": test, "aria-label": `${p.group}: ${label}` });
    input.addEventListener("input", () => {
      const v = outward(Number(input.value));
      shown.textContent = quantity(v, p.unit);
      change(Number(v.toPrecision(4)));
    });
    input.addEventListener("change", () => input.blur());
    return h("label", { class: "slider" }, h("span", {}, label), shown, input);
  }
}
