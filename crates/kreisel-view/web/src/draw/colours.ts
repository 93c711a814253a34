// What colours mean, with the numbers for a legend.

import { Tag, Want } from "../protocol";
import type { Store } from "../store";

export type Mode = "body" | "rigid" | "speed" | "strain" | "stress" | "island" | "law";

export const MODES: { mode: Mode; label: string; unit: string; tag: number; want: number }[] = [
  { mode: "body", label: "body", unit: "", tag: 0, want: 0 },
  { mode: "rigid", label: "rigid / soft", unit: "", tag: 0, want: 0 },
  { mode: "speed", label: "speed", unit: "m/s", tag: Tag.Speed, want: Want.speed },
  { mode: "strain", label: "strain", unit: "", tag: Tag.Strain, want: Want.strain },
  { mode: "stress", label: "von Mises stress", unit: "Pa", tag: Tag.Stress, want: Want.stress },
  { mode: "island", label: "island", unit: "", tag: Tag.Island, want: Want.island },
  { mode: "law", label: "contact law in force", unit: "", tag: Tag.Law, want: Want.law },
];

export type Rgb = [number, number, number];

const BODIES = [0xe07a3f, 0x3e86b5, 0xe9b949, 0x5ba36b, 0xc8553d, 0x8c6bb1, 0x2a9d8f, 0xd88c9a].map(rgb);
const PARTS: [string, number][] = [
  ["coat", 0xf3ede2], ["patch", 0x3a2a22], ["muzzle", 0xe3a99a], ["nose", 0xe3a99a], ["udder", 0xedb2a8], ["horn", 0xdccba6],
  ["hoof", 0x3b332e], ["eye", 0x15110f], ["ear", 0xc99e88], ["tail", 0x4a382e], ["bone", 0xefe6d0], ["tissue", 0xd9776a],
];
export const RIGID = rgb(0x3f6fa8);
export const SOFT = rgb(0xeda04a);
/** What contacts do, by the numbers of the wire, and the colours of that. */
export const GRIPS: [string, Rgb][] = [
  ["touches", rgb(0x9aa4b0)], ["sticks", rgb(0x3fbf73)], ["slides", rgb(0xf05050)], ["pushes", rgb(0xffd23f)],
];
const LAWS = [rgb(0x8a8f98), rgb(0x3f9d63), rgb(0xd64545)];

export function rgb(hex: number): Rgb {
  return [((hex >> 16) & 255) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${Math.round(255 * r)} ${Math.round(255 * g)} ${Math.round(255 * b)})`;
}

export function bodyColour(body: number): Rgb {
  return BODIES[body % BODIES.length];
}

/** The colour of a named part of a surface, if its name says something. */
export function partColour(name: string | undefined): Rgb | null {
  const found = PARTS.find(([word]) => name?.toLowerCase().includes(word));
  return found ? rgb(found[1]) : null;
}

/** From dark violet over blue and green to yellow, lighter all the way. */
export function ramp(value: number): Rgb {
  const s = Math.min(1, Math.max(0, value || 0));
  const hue = ((310 - 205 * s) * Math.PI) / 180;
  const chroma = 0.115 + 0.06 * s * s;
  const [L, a, b] = [0.36 + 0.55 * s, chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (L + 0.3963 * a + 0.2158 * b) ** 3, m = (L - 0.1056 * a - 0.0639 * b) ** 3, n = (L - 0.0895 * a - 1.2915 * b) ** 3;
  const gamma = (v: number) => (v <= 0.0031308 ? 12.92 * v : 1.055 * Math.max(v, 0) ** (1 / 2.4) - 0.055);
  return [4.0767 * l - 3.3077 * m + 0.231 * n, -1.2684 * l + 2.6098 * m - 0.3413 * n, -0.0042 * l - 0.7034 * m + 1.7076 * n]
    .map((v) => Math.min(1, Math.max(0, gamma(v)))) as Rgb;
}

/** Strains below this are rounding; so are speeds [m/s], nearly. */
const ROUNDING = 1e-9;

/** Bodies that a legend names. */
const MOST_NAMED = 8;

/** The colours of all elements. */
export class Colouring {
  mode: Mode = "body";
  /** The number that has the last colour. */
  largest = 1;
  colours: Uint8Array = new Uint8Array(0);
  /** Counts changes. */
  version = 0;

  constructor(private readonly store: Store) {
    const anew = () => this.update();
    store.on("model", () => { this.largest = 0; anew(); });
    store.on("topology", anew);
    store.on("scalars", anew);
  }

  /** True if colours come from numbers that differ within a body. */
  get isField(): boolean {
    return this.mode !== "body";
  }

  set(mode: Mode): void {
    this.mode = mode;
    this.largest = 0;
    this.update();
  }

  update(): void {
    const { store } = this;
    if (this.colours.length !== 3 * store.count) this.colours = new Uint8Array(3 * store.count);
    const values = store.scalars.get(MODES.find((m) => m.mode === this.mode)?.tag ?? 0);
    if (values && (this.mode === "speed" || this.mode === "strain" || this.mode === "stress")) this.stretch(values);
    for (let e = 0; e < store.count; e++) {
      const [r, g, b] = this.of(e, values?.[e] ?? 0);
      this.colours[3 * e] = 255 * r;
      this.colours[3 * e + 1] = 255 * g;
      this.colours[3 * e + 2] = 255 * b;
    }
    this.version += 1;
  }

  private of(e: number, value: number): Rgb {
    switch (this.mode) {
      case "body": return bodyColour(this.store.body[e]);
      case "rigid": return this.store.owner[e] === 0xffffffff ? SOFT : RIGID;
      case "island": return bodyColour(value);
      case "law": return LAWS[value] ?? LAWS[0];
      default: return ramp(value / (this.largest || 1));
    }
  }

  /** The range only grows, and ends at a round number: single peaks do not count. */
  private stretch(values: Float32Array): void {
    const sorted = Float32Array.from(values).sort();
    const high = sorted[Math.floor(0.99 * (sorted.length - 1))] ?? 0;
    if (high > Math.max(this.largest, this.rounding()) && Number.isFinite(high)) this.largest = niceAbove(high);
    else if (!this.largest) this.largest = niceAbove(this.rounding());
  }

  /** What is smaller than this is rounding, and gets no colours: strain, speed [m/s], or stress [Pa] of the softest material. */
  private rounding(): number {
    if (this.mode !== "stress") return ROUNDING;
    const young = this.store.model?.parameters.filter((p) => /^material.*young$/.test(p.path)).map((p) => Number(p.value)) ?? [];
    return ROUNDING * Math.min(...young, 1e12);
  }

  /** The first bodies, and how many more there are. */
  private bodies(): [string, Rgb][] {
    const all = this.store.model?.bodies ?? [];
    // What has colours of its own is known by the first of them.
    const own = (i: number) => this.store.skins.find((s) => s.body === i)?.parts.map(partColour).find((c) => c);
    const first: [string, Rgb][] = all.slice(0, MOST_NAMED).map((b, i) => [b.name, own(i) ?? bodyColour(i)]);
    return all.length > MOST_NAMED ? [...first, [`and ${all.length - MOST_NAMED} more`, rgb(0x8a8f98)]] : first;
  }

  legend(): { kind: "ramp"; unit: string; label: string; largest: number } | { kind: "list"; label: string; items: [string, Rgb][] } {
    const about = MODES.find((m) => m.mode === this.mode)!;
    switch (this.mode) {
      case "body": return { kind: "list", label: "body", items: this.bodies() };
      case "rigid": return { kind: "list", label: "", items: [["rigid", RIGID], ["soft", SOFT]] };
      case "island": return { kind: "list", label: "what hangs together has one colour", items: [] };
      case "law": return { kind: "list", label: "contact connections", items: [["no contact", LAWS[0]], ["sticks", LAWS[1]], ["slides", LAWS[2]]] };
      default: return { kind: "ramp", unit: about.unit, label: about.label, largest: this.largest };
    }
  }
}

export function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((s) => s * power >= value * (1 - 1e-9)) ?? 10) * power;
}
