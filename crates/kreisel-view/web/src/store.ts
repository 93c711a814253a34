// What is known about the scene: model, who carries what, and where everything is between the last two moments.

import { Motion } from "./motion";
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

/** While something runs, the words on the page change at most so often [ms]: nobody reads faster. */
const READABLE = 100;

/** `status` is told with every moment, `facts` as often as people read. */
type Topic = "status" | "facts" | "model" | "topology" | "skins" | "motion" | "scalars" | "overlays" | "rows" | "events" | "people" | "line";

export class Store {
  status: P.Status = EMPTY;
  model: P.ModelMeta | null = null;
  people: P.People = { watchers: 0, holder: null, asking: null };
  me = 0;
  line: "open" | "lost" | "refused" = "lost";
  radius: Float32Array = new Float32Array(0);
  mass: Float32Array = new Float32Array(0);
  body: Uint32Array = new Uint32Array(0);
  outer: Uint8Array = new Uint8Array(0);
  held: Uint8Array = new Uint8Array(0);
  ends: Uint32Array = new Uint32Array(0);
  broken: Uint32Array = new Uint32Array(0);
  /** Joints that have broken. */
  parted: Uint32Array = new Uint32Array(0);
  skins: SkinForm[] = [];
  contacts: Float32Array = new Float32Array(0);
  velocities: Float32Array = new Float32Array(0);
  bodies: Float32Array = new Float32Array(0);
  shapes: Float32Array = new Float32Array(0);
  scalars = new Map<number, Float32Array>();
  rows: Rows = { columns: [], values: [], frames: [], width: 0 };
  events: P.Noted[] = [];
  bytes = 0;
  messages = 0;

  private motion = new Motion();
  /** When the words on the page were last brought up to date [ms]. */
  private told = 0;
  private listeners = new Map<Topic, (() => void)[]>();

  on(topic: Topic, listener: () => void): void {
    const all = this.listeners.get(topic) ?? [];
    all.push(listener);
    this.listeners.set(topic, all);
  }

  tell(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  get count(): number {
    return this.motion.count;
  }

  /** Where elements are drawn [m]. */
  get x(): Float32Array {
    return this.motion.x;
  }

  /** Places and orientations of rigid bodies as they are drawn, 7 numbers each. */
  get poses(): Float32Array {
    return this.motion.poses;
  }

  /** The rigid body that carries each element. */
  get owner(): Uint32Array {
    return this.motion.owner;
  }

  /** Brings everything to where it is now; false if nothing moved since the last time. */
  place(now: number): boolean {
    return this.motion.place(now);
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
      case P.Tag.Status: this.readStatus(P.json<P.Status>(bytes)); break;
      case P.Tag.Model: this.readModel(bytes); break;
      case P.Tag.Topology: this.readTopology(bytes); break;
      case P.Tag.Skins: this.readSkins(bytes); break;
      case P.Tag.Motion: this.motion.read(bytes, this.status.running, this.status.hands.length > 0); this.tell("motion"); break;
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

  private readStatus(status: P.Status): void {
    const before = this.status;
    this.status = { ...EMPTY, ...status };
    this.tell("status");
    const now = performance.now();
    const isNews = !status.running || (["running", "opened", "mode", "speed", "error", "problem"] as const).some((key) => before[key] !== this.status[key]);
    if (!isNews && now - this.told < READABLE) return;
    this.told = now;
    this.tell("facts");
  }

  private readModel(bytes: Uint8Array): void {
    const { meta, arrays } = P.table<P.ModelMeta>(bytes);
    this.model = meta;
    this.motion.reset(meta.elements);
    this.radius = arrays.radius as Float32Array;
    this.mass = arrays.mass as Float32Array;
    this.body = arrays.body as Uint32Array;
    this.outer = arrays.outer as Uint8Array;
    this.held = arrays.held as Uint8Array;
    this.ends = arrays.ends as Uint32Array;
    this.scalars.clear();
    this.contacts = this.velocities = this.bodies = new Float32Array(0);
    this.tell("model");
  }

  private readTopology(bytes: Uint8Array): void {
    const { meta, arrays } = P.table<{ aggregates: number }>(bytes);
    this.motion.regroup(arrays.owner as Uint32Array, arrays.local as Float32Array, new Set(arrays.bent as Uint32Array), meta.aggregates);
    this.broken = arrays.broken as Uint32Array;
    this.parted = (arrays.parted ?? new Uint32Array(0)) as Uint32Array;
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

/** The form of an exact shape: its vertices ride on nothing but its rigid body. */
function exact(skin: SkinMeta, local: Float32Array, triangles: Uint32Array): SkinForm {
  return {
    ...skin, local, triangles, starts: new Uint32Array(0), riders: new Uint32Array(0), weights: new Float32Array(0),
    node: new Uint32Array(0), part: new Uint8Array(0),
  };
}
