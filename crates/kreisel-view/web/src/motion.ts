// Where everything is, between the last two moments that are known.

import * as P from "./protocol";

/** The owner of an element that no rigid body carries. */
const FREE = 0xffffffff;
/** Motion towards a moment takes so many times as long as the next is expected to: it need not stop for one that is late. */
const SPARE = 1.25;
/** Longer than this between two moments is a pause; a single one, as of a step by hand, is reached within the other [ms]. */
const LONGEST = 3000, SINGLE = 60;
/** While something is held, what is drawn is behind what is known by at most this [ms]. */
const PROMPT = 24;

export class Motion {
  count = 0;
  /** Where elements are drawn [m]. */
  x: Float32Array = new Float32Array(0);
  /** Places and orientations of rigid bodies as they are drawn, 7 numbers each. */
  poses: Float32Array = new Float32Array(0);
  owner: Uint32Array = new Uint32Array(0);
  local: Float32Array = new Float32Array(0);

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

  /** A new model of so many elements. */
  reset(count: number): void {
    this.count = count;
    this.x = new Float32Array(3 * count);
    this.jumps = -1;
  }

  /** Who carries what from now on; `carried` are places in the frames of rigid bodies, `bent` elements that are placed nevertheless. */
  regroup(owner: Uint32Array, carried: Float32Array, bent: Set<number>, aggregates: number): void {
    const free: number[] = [];
    owner.forEach((o, e) => { if (o === FREE || bent.has(e)) free.push(e); });
    this.regrouped ||= aggregates !== this.aggregates || owner.some((o, e) => o !== this.owner[e]) || free.length !== this.free.length;
    this.owner = owner;
    this.local = spread(owner, carried);
    this.aggregates = aggregates;
    this.free = free;
  }

  /** A new moment; `running`: more will follow, `held`: somebody waits to see what his hand does. */
  read(bytes: Uint8Array, running: boolean, held: boolean): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const jumps = view.getUint32(12, true);
    const carriers = P.floats(bytes, 16);
    const now = performance.now();
    const fits = carriers.length === 3 * this.free.length + 7 * this.aggregates;
    if (jumps !== this.jumps || !fits) {
      this.before = carriers;
      // What is regrouped before the first picture starts from here, not from nowhere.
      if (fits) this.carry(carriers, this.x);
    } else this.before = this.regrouped ? this.asDrawn(carriers) : this.mixed(now);
    this.after = carriers;
    this.regrouped = false;
    this.expect(now, running, held);
    this.jumps = jumps;
    this.still = false;
  }

  /** The next moment is expected after as long as this one took, or as they took lately; pauses say nothing. */
  private expect(now: number, running: boolean, held: boolean): void {
    const gap = now - this.arrived;
    const isSteady = running && gap < LONGEST;
    if (isSteady) this.usual += 0.3 * (gap - this.usual);
    this.span = SPARE * (isSteady ? Math.max(this.usual, gap) : Math.min(this.usual, SINGLE));
    // Who holds something sees what it does soon rather than smoothly.
    if (held) this.span = Math.min(this.span, PROMPT);
    this.arrived = now;
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
}

/** Three numbers for each element, of which only those that are carried come over the wire. */
function spread(owner: Uint32Array, carried: Float32Array): Float32Array {
  const all = new Float32Array(3 * owner.length);
  let k = 0;
  owner.forEach((o, e) => { if (o !== FREE) all.set(carried.subarray(k, (k += 3)), 3 * e); });
  return all;
}
