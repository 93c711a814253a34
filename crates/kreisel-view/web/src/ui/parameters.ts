// The tab "change": every parameter of the scene that makes sense while it runs.

import type { Link } from "../link";
import type { Parameter, Vec3 } from "../protocol";
import type { Store } from "../store";
import { h, quantity } from "./dom";

export class Parameters {
  readonly element = h("section", {});
  private key = "";
  private opened = new Map<string, boolean>();

  constructor(private readonly store: Store, private readonly link: Link, private readonly complain: (words: string) => void) {
    store.on("model", () => this.build());
    // What changed meanwhile is shown when the hand is off.
    this.element.addEventListener("focusout", () => setTimeout(() => this.build()));
  }

  /** Shows what is, not what was asked for. */
  restore(): void {
    this.key = "";
    this.build();
  }

  private build(): void {
    const all = this.store.model?.parameters ?? [];
    // What the user is moving at the moment is not taken out of his hand.
    const active = document.activeElement;
    if (this.element.contains(active) && active instanceof HTMLInputElement) return;
    const focused = active instanceof HTMLElement && this.element.contains(active) ? active.dataset.testid : undefined;
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
    if (focused) this.element.querySelector<HTMLElement>(`[data-testid="${focused}"]`)?.focus();
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
    const name = `${p.group}: ${label}`;
    const typed = h("input", { type: "text", inputmode: "decimal", class: "number", value: quantity(value, p.unit), "data-testid": `${test}-number`, "aria-label": `${name}, typed`, onfocus: () => typed.select() });
    typed.addEventListener("change", () => {
      const v = readNumber(typed.value, p.unit);
      if (v === null) {
        this.complain(`“${typed.value}” is no number${p.unit ? ` [${p.unit}]` : ""}.`);
        this.key = "";
      } else change(v);
      typed.blur();
    });
    const input = h("input", { type: "range", min, max, step: (max - min) / 400, value: inward(value), "data-testid": test, "aria-label": name });
    input.addEventListener("input", () => {
      const v = outward(Number(input.value));
      typed.value = quantity(v, p.unit);
      change(Number(v.toPrecision(4)));
    });
    // Who moves it with the keys keeps it.
    input.addEventListener("pointerup", () => input.blur());
    return h("div", { class: "slider" }, h("span", {}, label), typed, input);
  }
}

/** Factors that a unit may have in front. */
const PREFIXES: Record<string, number> = { n: 1e-9, µ: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9 };

/** A number as people type it: with a comma, with its unit, with a prefix before that; `null` if it is none. */
export function readNumber(text: string, unit: string): number | null {
  const found = /^\s*([-+−]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+]?\d+)?)\s*(.*?)\s*$/iu.exec(text);
  if (!found) return null;
  const [, digits, rest] = found;
  const prefix = rest.slice(0, rest.length - unit.length);
  const isKnown = rest === "" || (unit !== "" && rest.endsWith(unit) && (prefix === "" || prefix in PREFIXES));
  const value = Number(digits.replace(",", ".").replace("−", "-")) * (rest === "" ? 1 : (PREFIXES[prefix] ?? 1));
  return isKnown && Number.isFinite(value) ? value : null;
}
