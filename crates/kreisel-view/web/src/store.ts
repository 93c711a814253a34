// What is known about the scene: model, who carries what, and where everything is between the last two moments.

import * as P from "./protocol";

export interface SkinForm {
  body: number; parts: string[]; ruled: boolean;
  /** Of an exact shape: the element whose rigid body carries it, and its vertices in the frame of that; equal ones share them. */
  carrier?: number; local?: Float32Array;
  /** Of an exact ball: radius and middle in the frame of its rigid body [m]. */
  ball?: number | null; at?: P.Vec3;
  starts: Uint32Array; riders: Uint32Array; weights: Float32Array; node: Uint32Array; triangles: Uint32Array; part: Uint8Array;
}

type SkinMeta = Pick<SkinForm, "body" | "parts" | "ruled" | "carrier" | "ball" | "at"> & { like?: number };

export interface Rows { columns: string[]; values: number[]; frames: number[]; width: number }

const EMPTY: P.Status = {
  mode: "none", scene: "", title: "", time: 0, frame: 0, latest: 0, duration: 0, interval: 1 / 60, running: false, speed: 1,
  pace: 0, cost: 0, substeps: 0, contacts: 0, energy: 0, residual: 0, hash: "", error: null, problem: null, line: null,
  hands: [], snapshots: [], entries: 0, memory: 0, opened: 0,
};

/** Numbers per contact: point, force, normal, slip, step, grip. */
export const PER_CONTACT = 14;
/** What a contact does, the last of its numbers. */
export const Grip = { touches: 0, sticks: 1, slides: 2, unknown: 3 } as const;

/** The owner of an element that no rigid body carries. */
const FREE = 0xffffffff;
/** Motion towards a moment takes so many times as long as the next is expected to: it need not stop for one that is late. */
const SPARE = 1.25;
/** Longer than this between two moments is a pause; a single one, as of a step by hand, is reached within the other [ms]. */
const LONGEST = 3000, SINGLE = 60;
/** While something is held, what is drawn is behind what is known by at most this [ms]. */
const PROMPT = 24;

type Topic = "status" | "model" | "topology" | "skins" | "motion" | "scalars" | "overlays" | "rows" | "events" | "people" | "line";

export class Store {
  status: P.Status = EMPTY;
  model: P.ModelMeta | null = null;
  people: P.People = { watchers: 0, holder: null, asking: null };
  me = 0;
  line: "open" | "lost" | "refused" = "lost";
  count = 0;
  radius: Float32Array = new Float32Array(0);
  mass: Float32Array = new Float32Array(0);
  body: Uint32Array = new Uint32Array(0);
  outer: Uint8Array = new Uint8Array(0);
  held: Uint8Array = new Uint8Array(0);
  ends: Uint32Array = new Uint32Array(0);
  owner: Uint32Array = new Uint32Array(0);
  local: Float32Array = new Float32Array(0);
  broken: Uint32Array = new Uint32Array(0);
  /** Joints that have broken. */
  parted: Uint32Array = new Uint32Array(0);
  skins: SkinForm[] = [];
  /** Where elements are drawn [m]. */
  x: Float32Array = new Float32Array(0);
  contacts: Float32Array = new Float32Array(0);
  velocities: Float32Array = new Float32Array(0);
  bodies: Float32Array = new Float32Array(0);
  shapes: Float32Array = new Float32Array(0);
  scalars = new Map<number, Float32Array>();
  rows: Rows = { columns: [], values: [], frames: [], width: 0 };
  events: P.Noted[] = [];
  bytes = 0;
  messages = 0;

  /** Places and orientations of rigid bodies as they are drawn, 7 numbers each. */
  poses: Float32Array = new Float32Array(0);

  private free: number[] = [];
  private aggregates = 0;
  private before: Float32Array = new Float32Array(0);
  private after: Float32Array = new Float32Array(0);
  private arrived = 0;
  /** Time until the next moment is expected, and the usual one [ms]. */
  private span = 16;
  private usual = 16;
  private jumps = -1;
  /** True if elements are carried by others than in the last moment. */
  private regrouped = true;
  private still = true;
  private listeners = new Map<Topic, (() => void)[]>();

  on(topic: Topic, listener: () => void): void {
    const all = this.listeners.get(topic) ?? [];
    all.push(listener);
    this.listeners.set(topic, all);
  }

  tell(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  get iControl(): boolean {
    return this.people.holder === this.me;
  }

  read(buffer: ArrayBuffer): void {
    this.bytes += buffer.byteLength;
    this.messages += 1;
    for (const { tag, bytes } of P.sections(buffer)) this.section(tag, bytes);
  }

  private section(tag: number, bytes: Uint8Array): void {
    switch (tag) {
      case P.Tag.Status: this.status = { ...EMPTY, ...P.json<P.Status>(bytes) }; this.tell("status"); break;
      case P.Tag.Model: this.readModel(bytes); break;
      case P.Tag.Topology: this.readTopology(bytes); break;
      case P.Tag.Skins: this.readSkins(bytes); break;
      case P.Tag.Motion: this.readMotion(bytes); break;
      case P.Tag.Contacts: this.contacts = P.floats(bytes); this.tell("overlays"); break;
      case P.Tag.Velocities: this.velocities = P.floats(bytes); this.tell("overlays"); break;
      case P.Tag.Bodies: this.bodies = P.floats(bytes); this.tell("overlays"); break;
      case P.Tag.Shapes: this.shapes = P.floats(bytes); this.tell("overlays"); break;
      case P.Tag.Rows: this.readRows(bytes); break;
      case P.Tag.Events: {
        const { from, events } = P.json<{ from: number; events: P.Noted[] }>(bytes);
        this.events.length = from;
        this.events.push(...events);
        this.tell("events");
        break;
      }
      case P.Tag.People: this.people = P.json<P.People>(bytes); this.tell("people"); break;
      default:
        if (tag >= P.Tag.Speed && tag <= P.Tag.Law) {
          this.scalars.set(tag, P.floats(bytes));
          this.tell("scalars");
        }
    }
  }

  private readModel(bytes: Uint8Array): void {
    const { meta, arrays } = P.table<P.ModelMeta>(bytes);
    this.model = meta;
    this.count = meta.elements;
    this.radius = arrays.radius as Float32Array;
    this.mass = arrays.mass as Float32Array;
    this.body = arrays.body as Uint32Array;
    this.outer = arrays.outer as Uint8Array;
    this.held = arrays.held as Uint8Array;
    this.ends = arrays.ends as Uint32Array;
    this.x = new Float32Array(3 * this.count);
    this.scalars.clear();
    this.contacts = this.velocities = this.bodies = new Float32Array(0);
    this.jumps = -1;
    this.tell("model");
  }

  private readTopology(bytes: Uint8Array): void {
    const { meta, arrays } = P.table<{ aggregates: number }>(bytes);
    const owner = arrays.owner as Uint32Array;
    const bent = new Set(arrays.bent as Uint32Array);
    const free: number[] = [];
    owner.forEach((o, e) => { if (o === FREE || bent.has(e)) free.push(e); });
    this.regrouped ||= meta.aggregates !== this.aggregates || owner.some((o, e) => o !== this.owner[e]) || free.length !== this.free.length;
    this.owner = owner;
    this.local = spread(this.owner, arrays.local as Float32Array);
    this.broken = arrays.broken as Uint32Array;
    this.parted = (arrays.parted ?? new Uint32Array(0)) as Uint32Array;
    this.aggregates = meta.aggregates;
    this.free = free;
    this.tell("topology");
  }

  private readSkins(bytes: Uint8Array): void {
    const { meta, arrays } = P.table<{ skins: SkinMeta[] }>(bytes);
    this.skins = meta.skins.map((skin, i) => skin.carrier !== undefined ? exact(skin, arrays[`local${skin.like ?? i}`] as Float32Array, arrays[`triangles${skin.like ?? i}`] as Uint32Array) : ({
      ...skin,
      starts: arrays[`starts${i}`] as Uint32Array,
      riders: arrays[`riders${i}`] as Uint32Array,
      weights: arrays[`weights${i}`] as Float32Array,
      node: arrays[`node${i}`] as Uint32Array,
      triangles: arrays[`triangles${i}`] as Uint32Array,
      part: arrays[`part${i}`] as Uint8Array,
    }));
    this.tell("skins");
  }

  private readMotion(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const jumps = view.getUint32(12, true);
    const carriers = P.floats(bytes, 16);
    const now = performance.now();
    const fits = carriers.length === 3 * this.free.length + 7 * this.aggregates;
    if (jumps !== this.jumps || !fits) {
      this.before = carriers;
      // What is regrouped before the first picture starts from here, not from nowhere.
      if (fits) this.carry(carriers, this.x);
    }
    else this.before = this.regrouped ? this.asDrawn(carriers) : this.mixed(now);
    this.after = carriers;
    this.regrouped = false;
    const gap = now - this.arrived;
    // The next moment is expected after as long as this one took, or as they took lately; pauses say nothing.
    const isSteady = this.status.running && gap < LONGEST;
    if (isSteady) this.usual += 0.3 * (gap - this.usual);
    this.span = SPARE * (isSteady ? Math.max(this.usual, gap) : Math.min(this.usual, SINGLE));
    // Who holds something sees what it does soon rather than smoothly.
    if (this.status.hands.length) this.span = Math.min(this.span, PROMPT);
    this.arrived = now;
    this.jumps = jumps;
    this.still = false;
    this.tell("motion");
  }

  private readRows(bytes: Uint8Array): void {
    const { meta, arrays } = P.table<{ columns: string[]; from: number }>(bytes);
    const width = meta.columns.length;
    const rows = this.rows;
    rows.columns = meta.columns;
    rows.width = width;
    rows.values.length = meta.from * width;
    rows.frames.length = meta.from;
    for (const value of arrays.values as Float64Array) rows.values.push(value);
    for (const frame of arrays.frames as Uint32Array) rows.frames.push(frame);
    this.tell("rows");
  }

  /** Carriers between the last two moments: straight lines, and turns along the shorter arc. */
  private mixed(now: number): Float32Array {
    const share = Math.min(1, (now - this.arrived) / Math.max(this.span, 1));
    const { before, after } = this;
    if (share >= 1 || before === after || before.length !== after.length) return after;
    const out = new Float32Array(after.length);
    const poses = 3 * this.free.length;
    for (let i = 0; i < after.length; i++) out[i] = before[i] + share * (after[i] - before[i]);
    for (let k = poses; k + 7 <= after.length; k += 7) {
      let dot = 0;
      for (let i = 3; i < 7; i++) dot += before[k + i] * after[k + i];
      const sign = dot < 0 ? -1 : 1;
      let norm = 0;
      for (let i = 3; i < 7; i++) {
        out[k + i] = before[k + i] + share * (sign * after[k + i] - before[k + i]);
        norm += out[k + i] ** 2;
      }
      for (let i = 3; i < 7; i++) out[k + i] /= Math.sqrt(norm) || 1;
    }
    return out;
  }

  /** Brings `x` to the present; false if nothing moved since the last time. */
  place(now: number): boolean {
    if (this.still || this.after.length !== 3 * this.free.length + 7 * this.aggregates) return false;
    const carriers = this.mixed(now);
    this.still = carriers === this.after;
    this.poses = carriers.subarray(3 * this.free.length);
    this.carry(carriers, this.x);
    return true;
  }

  /**
   * Carriers such that everything is where it is drawn: elements there, rigid bodies, which may not have been any before, moved
   * there without being turned back.
   */
  private asDrawn(carriers: Float32Array): Float32Array {
    const { x, free, owner } = this;
    const out = carriers.slice();
    free.forEach((e, k) => { for (let i = 0; i < 3; i++) out[3 * k + i] = x[3 * e + i]; });
    const next = new Float32Array(x.length);
    this.carry(carriers, next);
    const members = new Uint32Array(this.aggregates);
    for (let e = 0; e < this.count; e++) if (owner[e] !== FREE) members[owner[e]] += 1;
    for (let e = 0; e < this.count; e++) {
      if (owner[e] === FREE) continue;
      const p = 3 * free.length + 7 * owner[e];
      for (let i = 0; i < 3; i++) out[p + i] += (x[3 * e + i] - next[3 * e + i]) / members[owner[e]];
    }
    return out;
  }

  /** Where carriers bring the elements. */
  private carry(carriers: Float32Array, x: Float32Array): void {
    const { free, owner, local } = this;
    const poses = 3 * free.length;
    for (let e = 0; e < this.count; e++) {
      const a = owner[e];
      if (a === FREE) continue;
      const p = poses + 7 * a;
      const qx = carriers[p + 3], qy = carriers[p + 4], qz = carriers[p + 5], qw = carriers[p + 6];
      const vx = local[3 * e], vy = local[3 * e + 1], vz = local[3 * e + 2];
      const tx = 2 * (qy * vz - qz * vy), ty = 2 * (qz * vx - qx * vz), tz = 2 * (qx * vy - qy * vx);
      x[3 * e] = carriers[p] + vx + qw * tx + qy * tz - qz * ty;
      x[3 * e + 1] = carriers[p + 1] + vy + qw * ty + qz * tx - qx * tz;
      x[3 * e + 2] = carriers[p + 2] + vz + qw * tz + qx * ty - qy * tx;
    }
    // Last, as some of them are carried and bend.
    for (let k = 0; k < free.length; k++) {
      const e = 3 * free[k];
      x[e] = carriers[3 * k]; x[e + 1] = carriers[3 * k + 1]; x[e + 2] = carriers[3 * k + 2];
    }
  }

  /** Elements that can be seen from outside: the outer ones, and those laid bare where connections broke. */
  seenElements(): Uint8Array {
    const seen = Uint8Array.from(this.outer);
    if (!this.broken.length) return seen;
    const bare = new Uint8Array(this.count);
    for (const c of this.broken) bare[this.ends[2 * c]] = bare[this.ends[2 * c + 1]] = 1;
    for (let c = 0; 2 * c < this.ends.length; c++) {
      const a = this.ends[2 * c], b = this.ends[2 * c + 1];
      if (bare[a] || bare[b]) seen[a] = seen[b] = 1;
    }
    return seen;
  }

  /** Takes an exact shape into bounds, as a ball around it. */
  private widen(form: SkinForm, low: number[], high: number[]): void {
    const p = 7 * this.owner[form.carrier ?? 0];
    if (!form.local || p + 7 > this.poses.length) return;
    let reach = 0;
    for (let k = 0; k < form.local.length; k += 3) reach = Math.max(reach, Math.hypot(form.local[k], form.local[k + 1], form.local[k + 2]));
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], this.poses[p + k] - reach);
      high[k] = Math.max(high[k], this.poses[p + k] + reach);
    }
  }

  /** Middle and reach of some elements [m]. */
  bounds(wanted: (element: number) => boolean): { centre: P.Vec3; reach: number } | null {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    let any = false;
    for (let e = 0; e < this.count; e++) {
      if (!wanted(e)) continue;
      any = true;
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], this.x[3 * e + k] - this.radius[e]);
        high[k] = Math.max(high[k], this.x[3 * e + k] + this.radius[e]);
      }
    }
    if (!any) return null;
    for (const form of this.skins) if (form.local && wanted(form.carrier ?? 0)) this.widen(form, low, high);
    const centre = low.map((l, k) => 0.5 * (l + high[k])) as P.Vec3;
    return { centre, reach: 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) };
  }
}

/** Three numbers for each element, of which only those that are carried come over the wire. */
function spread(owner: Uint32Array, carried: Float32Array): Float32Array {
  const all = new Float32Array(3 * owner.length);
  let k = 0;
  owner.forEach((o, e) => { if (o !== FREE) all.set(carried.subarray(k, (k += 3)), 3 * e); });
  return all;
}

/** The form of an exact shape: its vertices ride on nothing but its rigid body. */
function exact(skin: SkinMeta, local: Float32Array, triangles: Uint32Array): SkinForm {
  return {
    ...skin, local, triangles, starts: new Uint32Array(0), riders: new Uint32Array(0), weights: new Float32Array(0),
    node: new Uint32Array(0), part: new Uint8Array(0),
  };
}
