// The tab "measure": live plots with zoom and values under the pointer; CSV and PNG.

import type { Store } from "../store";
import { download, h, short } from "./dom";

const COLOURS = ["#e07a3f", "#3e86b5", "#e9b949", "#5ba36b", "#c8553d", "#8c6bb1", "#2a9d8f", "#d88c9a", "#7a8490", "#b05f2f", "#4b6cb7", "#9a8f2f"];

/** A budget is drawn where the cost comes nearer to it than this share. */
const FAR_BELOW = 0.15;

/** What is smaller than the largest number by this is none. */
const ROUNDING = 1e-12;

interface Series { name: string; sign: number }
interface Kind { label: string; unit: string; stacked: boolean; rate?: boolean; perFrame?: boolean; series: (columns: string[]) => Series[]; line?: string; budget?: boolean }

const plain = (names: string[]) => names.map((name) => ({ name, sign: 1 }));
const STAGES = ["rewire", "detect", "free_motion", "contact", "advance", "report"];
const WORK = ["cost", "measuring", "contacts", "rigid", "steps", "solver_iterations", "contact_sweeps", "left_of_law", ...STAGES, "contact_push", "strongest_contact"];
const LEDGER = ["time", "kinetic", "gravity", "elastic", "frozen", "load_work", "support_work", "damping_loss", "friction_loss", "contact_loss", "fracture_loss", "conversion_loss", "residual", "turnover", ...WORK];

const KINDS: Record<string, Kind> = {
  ledger: { label: "energy, stacked", unit: "J", stacked: true, line: "residual", series: () => plain(["kinetic", "elastic", "frozen", "damping_loss", "friction_loss", "contact_loss", "fracture_loss", "conversion_loss"]) },
  balance: { label: "energy, works and residual", unit: "J", stacked: false, series: () => plain(["kinetic", "gravity", "elastic", "load_work", "support_work", "residual"]) },
  momentum: { label: "momentum", unit: "kg m/s", stacked: false, series: () => plain(["momentum.x", "momentum.y", "momentum.z"]) },
  angular: { label: "angular momentum", unit: "kg m²/s", stacked: false, series: () => plain(["angular_momentum.x", "angular_momentum.y", "angular_momentum.z"]) },
  force: { label: "force from outside (contact, supports, weight)", unit: "N", stacked: false, rate: true, series: () => plain(["external_impulse.x", "external_impulse.y", "external_impulse.z"]) },
  impulse: { label: "impulse from outside", unit: "kg m/s", stacked: false, series: () => plain(["external_impulse.x", "external_impulse.y", "external_impulse.z"]) },
  probes: { label: "probes", unit: "", stacked: false, series: (columns) => plain(columns.filter((c) => !LEDGER.includes(c) && !/^(angular_)?momentum|^external_/.test(c)).slice(0, 12)) },
  pushes: { label: "contact forces: all, the strongest", unit: "N", stacked: false, series: () => plain(["contact_push", "strongest_contact"]) },
  impulses: { label: "contact impulses of a frame, by the push at its end", unit: "N s", stacked: false, perFrame: true, series: () => plain(["contact_push", "strongest_contact"]) },
  stages: { label: "cost of a frame by stage", unit: "s", stacked: true, budget: true, series: () => plain([...STAGES, "measuring"]) },
  work: { label: "work of a frame: steps, iterations, sweeps", unit: "", stacked: false, series: () => plain(["steps", "solver_iterations", "contact_sweeps"]) },
  fidelity: { label: "fidelity: share that is rigid, rest of the contact law", unit: "", stacked: false, series: () => plain(["rigid", "left_of_law"]) },
  contacts: { label: "contacts", unit: "", stacked: false, series: () => plain(["contacts"]) },
};

export class Plots {
  readonly element: HTMLElement;
  private canvas = h("canvas", { class: "plot", "data-testid": "plot", tabindex: 0, "aria-label": "plot" });
  private kind = h("select", { "data-testid": "plot-kind", onchange: () => this.draw() }, ...Object.entries(KINDS).map(([k, v]) => h("option", { value: k }, v.label)));
  private values = h("div", { class: "values", "data-testid": "plot-values" });
  private zoom: [number, number] | null = null;
  private hover: number | null = null;
  private drag: number | null = null;
  visible = false;

  constructor(private readonly store: Store, private readonly seek: (frame: number) => void) {
    this.element = h("section", {}, this.kind, this.canvas, this.values,
      h("div", { class: "buttons" },
        h("button", { type: "button", "data-testid": "download-csv", onclick: () => download("kreisel.csv", this.csv(), "text/csv") }, "CSV"),
        h("button", { type: "button", "data-testid": "download-png", onclick: () => this.png() }, "PNG"),
        h("button", { type: "button", onclick: () => { this.zoom = null; this.draw(); } }, "whole time")),
      h("p", { class: "quiet" }, "Drag to zoom, double-click to go to a moment."));
    store.on("rows", () => this.draw());
    this.canvas.addEventListener("pointermove", (e) => { this.hover = e.offsetX; this.draw(); });
    this.canvas.addEventListener("pointerleave", () => { this.hover = null; this.draw(); });
    this.canvas.addEventListener("pointerdown", (e) => { this.drag = e.offsetX; });
    this.canvas.addEventListener("pointerup", (e) => this.endDrag(e.offsetX));
    this.canvas.addEventListener("dblclick", (e) => this.jump(e.offsetX));
  }

  /** Number of rows that there are. */
  get rows(): number {
    return this.store.rows.frames.length;
  }

  private csv(): string {
    const { columns, values, width } = this.store.rows;
    const lines = [columns.join(",")];
    for (let r = 0; r < this.rows; r++) lines.push(values.slice(r * width, (r + 1) * width).join(","));
    return `${lines.join("\n")}\n`;
  }

  private png(): void {
    this.canvas.toBlob((blob) => { if (blob) download("kreisel.png", blob, "image/png"); });
  }

  private range(): [number, number] {
    const { values, width } = this.store.rows;
    return this.zoom ?? [values[0] ?? 0, values[(this.rows - 1) * width] ?? 1];
  }

  private timeAt(px: number): number {
    const [a, b] = this.range();
    return a + ((b - a) * (px - 44)) / Math.max(this.canvas.clientWidth - 52, 1);
  }

  private endDrag(px: number): void {
    if (this.drag !== null && Math.abs(px - this.drag) > 8) {
      const ends = [this.timeAt(this.drag), this.timeAt(px)].sort((p, q) => p - q);
      this.zoom = [ends[0], ends[1]];
    }
    this.drag = null;
    this.draw();
  }

  private jump(px: number): void {
    const row = this.rowAt(this.timeAt(px));
    if (row >= 0) this.seek(this.store.rows.frames[row]);
  }

  private rowAt(time: number): number {
    const { values, width } = this.store.rows;
    let low = 0, high = this.rows - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (values[middle * width] <= time) low = middle;
      else high = middle - 1;
    }
    return high;
  }

  draw(): void {
    if (!this.visible) return;
    const ratio = Math.min(devicePixelRatio, 2);
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (!width || !this.rows) return;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    context.scale(ratio, ratio);
    const style = getComputedStyle(this.canvas);
    new Painter(context, width, height, style.color, style.getPropertyValue("--line")).paint(this.curves(), this.range(), KINDS[this.kind.value].unit);
    this.drawHover(context, height, style.color);
  }

  private curves(): Curve[] {
    const kind = KINDS[this.kind.value];
    const { columns, values, width } = this.store.rows;
    const stride = Math.max(1, Math.floor(this.rows / 1200));
    const rows = Array.from({ length: Math.ceil(this.rows / stride) }, (_, i) => i * stride);
    const times = rows.map((r) => values[r * width]);
    const below = new Array<number>(rows.length).fill(0);
    const curves: Curve[] = [];
    for (const [number, { name, sign }] of kind.series(columns).entries()) {
      const column = columns.indexOf(name);
      if (column < 0) continue;
      const own = rows.map((r) => sign * this.value(r, column, kind));
      if (kind.stacked && own.every((v) => v === 0)) continue;
      const base = kind.stacked ? [...below] : null;
      if (kind.stacked) own.forEach((v, i) => { below[i] += Math.max(v, 0); });
      curves.push({ name, colour: COLOURS[number % COLOURS.length], times, values: kind.stacked ? [...below] : own, base });
    }
    const level = kind.budget ? this.store.status.interval : Infinity;
    // The time that a frame may take; far above everything it would only press the rest flat.
    if (below.some((v) => v > FAR_BELOW * level)) curves.push({ name: "time of a frame", colour: "#d64545", times, values: times.map(() => level), base: null });
    const column = kind.line ? columns.indexOf(kind.line) : -1;
    if (column >= 0) curves.push({ name: kind.line!, colour: "#d64545", times, values: rows.map((r) => values[r * width + column]), base: null });
    return curves;
  }

  /** A value of a row, times that of a frame; or how fast it grows. */
  private value(row: number, column: number, { rate, perFrame }: Kind): number {
    const { values, width } = this.store.rows;
    if (!rate) return values[row * width + column] * (perFrame ? this.store.status.interval : 1);
    if (row === 0) return 0;
    const span = values[row * width] - values[(row - 1) * width];
    return span > 0 ? (values[row * width + column] - values[(row - 1) * width + column]) / span : 0;
  }

  private drawHover(context: CanvasRenderingContext2D, height: number, colour: string): void {
    const time = this.hover === null ? this.store.status.time : this.timeAt(this.hover);
    const row = this.rowAt(time);
    const { columns, values, width } = this.store.rows;
    const kind = KINDS[this.kind.value];
    const names = [...kind.series(columns).map((s) => s.name), ...(kind.line ? [kind.line] : [])].filter((n) => columns.includes(n));
    const curves = this.curves();
    const numbers = names.map((name) => this.value(row, columns.indexOf(name), kind));
    const least = ROUNDING * Math.max(...numbers.map(Math.abs));
    this.values.replaceChildren(h("b", {}, `${short(values[row * width])} s`), ...names.map((name, i) => {
      const colour = curves.find((c) => c.name === name)?.colour;
      return h("span", { class: "item" }, h("i", { style: `background: ${colour ?? "transparent"}` }), `${name.replaceAll("_", " ")} ${short(Math.abs(numbers[i]) < least ? 0 : numbers[i])}`);
    }));
    if (this.hover === null) return;
    context.strokeStyle = colour;
    context.globalAlpha = 0.4;
    context.beginPath();
    context.moveTo(this.hover, 6);
    context.lineTo(this.hover, height - 20);
    context.stroke();
    context.globalAlpha = 1;
  }
}

interface Curve { name: string; colour: string; times: number[]; values: number[]; base: number[] | null }

/** Axes and curves. */
class Painter {
  constructor(private readonly c: CanvasRenderingContext2D, private readonly width: number, private readonly height: number, private readonly ink: string, private readonly line: string) {}

  paint(curves: Curve[], [from, to]: [number, number], unit: string): void {
    const inside = (t: number) => t >= from && t <= to;
    let low = 0, high = 0;
    for (const { times, values } of curves) values.forEach((v, i) => { if (inside(times[i])) { low = Math.min(low, v); high = Math.max(high, v); } });
    if (high === low) high = low + 1;
    const x = (t: number) => 44 + ((this.width - 52) * (t - from)) / (to - from || 1);
    const y = (v: number) => 8 + ((this.height - 30) * (high - v)) / (high - low);
    this.axes(low, high, from, to, y, x, unit);
    this.c.save();
    this.c.beginPath();
    this.c.rect(44, 4, this.width - 48, this.height - 26);
    this.c.clip();
    for (const curve of [...curves].reverse()) this.curve(curve, x, y);
    this.c.restore();
  }

  private curve({ times, values, base, colour }: Curve, x: (t: number) => number, y: (v: number) => number): void {
    const c = this.c;
    c.beginPath();
    times.forEach((t, i) => (i ? c.lineTo(x(t), y(values[i])) : c.moveTo(x(t), y(values[i]))));
    if (base) {
      for (let i = times.length - 1; i >= 0; i--) c.lineTo(x(times[i]), y(base[i]));
      c.closePath();
      c.fillStyle = colour;
      c.globalAlpha = 0.85;
      c.fill();
      c.globalAlpha = 1;
    } else {
      c.strokeStyle = colour;
      c.lineWidth = 1.6;
      c.stroke();
    }
  }

  private axes(low: number, high: number, from: number, to: number, y: (v: number) => number, x: (t: number) => number, unit: string): void {
    const c = this.c;
    c.font = "11px system-ui, sans-serif";
    c.fillStyle = this.ink;
    c.strokeStyle = this.line || this.ink;
    c.lineWidth = 1;
    for (const v of ticks(low, high)) {
      c.textAlign = "right";
      c.fillText(axisNumber(v), 40, y(v) + 4);
      c.beginPath();
      c.moveTo(44, y(v));
      c.lineTo(this.width - 6, y(v));
      c.stroke();
    }
    c.textAlign = "center";
    for (const t of ticks(from, to)) c.fillText(`${Number(t.toPrecision(4))}`, x(t), this.height - 8);
    c.textAlign = "left";
    c.fillText(unit, 48, 14);
  }
}

/** A round number, as short as it can be written. */
function axisNumber(v: number): string {
  const size = Math.abs(v);
  return size !== 0 && (size >= 1e5 || size < 1e-3) ? v.toExponential(1).replace(".0e", "e") : `${Number(v.toPrecision(4))}`;
}

/** Some round numbers in a range. */
function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = ([1, 2, 5, 10].find((s) => s * power >= rough) ?? 10) * power;
  const found: number[] = [];
  for (let v = Math.ceil(low / step) * step; v <= high && found.length < 12; v += step) found.push(Math.abs(v) < 1e-9 * step ? 0 : v);
  return found;
}
