// Which balls can be seen: a coarse picture in which each ball leaves its number where it is the nearest.

import * as THREE from "three";

/** From where balls are looked at: across, up and depth as rows of an affine map, in cells of the coarse picture. */
export interface Eye {
  /** Across, up and depth: three factors and a summand each; the first two are then divided by the depth. */
  rows: number[];
  /** Cells per metre at depth 1. */
  scale: number;
  width: number;
  height: number;
}

/** Radius of a middling ball in the coarse picture [cells]. */
const FINE = 4;
/** Balls hide a little less than they cover, so that nothing is missed at their edges. */
const SHRUNK = 0.96;
/** Around what is seen of a ball, so many cells more are drawn: the cells are coarse, and what hides the rest is shrunk. */
const MARGIN = 1.2;
/** Smaller than this as a share of its distance, a ball looks as if it were straight ahead. */
const SMALL = 0.06;
/** Seen in part, and not to be trimmed. */
const SOME = 1, ALL = 2;

/** Finds the balls that are not hidden entirely by others. Worth its time only where the processor draws: there, pixels are dear. */
export class Sieve {
  /** Numbers of the balls that are seen and large in the picture, the first `count` of them. */
  kept = new Uint32Array(0);
  count = 0;
  /** The same for those that are small. */
  small = new Uint32Array(0);
  smalls = 0;
  /** What can be seen of each ball: least and largest x and y on its disc, between −1 and 1. */
  trims = new Float32Array(0);
  private depth = new Float32Array(0);
  private nearest = new Int32Array(0);
  private seen = new Uint8Array(0);
  /** Middle and radius of each ball in the coarse picture [cells]. */
  private discs = new Float32Array(0);
  /** The rows of the coarse picture that something is in. */
  private top = 0;
  private bottom = -1;

  /** Looks at balls, four numbers each: middle and radius [m]. */
  sift(balls: Float32Array, count: number, eye: Eye): void {
    const cells = eye.width * eye.height;
    if (this.depth.length < cells) {
      this.depth = new Float32Array(cells);
      this.nearest = new Int32Array(cells);
    }
    if (this.seen.length < count) {
      this.seen = new Uint8Array(count);
      this.kept = new Uint32Array(count);
      this.small = new Uint32Array(count);
      this.trims = new Float32Array(4 * count);
      this.discs = new Float32Array(3 * count);
    }
    this.top = eye.height;
    this.bottom = -1;
    this.depth.fill(Infinity, 0, cells);
    this.nearest.fill(-1, 0, cells);
    this.seen.fill(0, 0, count);
    for (let k = 0; k < count; k++) this.leave(balls, k, eye);
    this.look(eye);
    this.count = this.smalls = 0;
    for (let k = 0; k < count; k++) if (this.seen[k]) this.keep(k, eye.scale);
  }

  /** Finds what of each ball can be seen, in cells. */
  private look({ width }: Eye): void {
    const { nearest, seen, trims } = this;
    for (let row = this.top; row <= this.bottom; row++) {
      for (let column = 0; column < width; column++) {
        const k = nearest[row * width + column];
        if (k < 0) continue;
        const at = 4 * k;
        if (!seen[k]) {
          seen[k] = SOME;
          trims[at] = trims[at + 1] = column;
          trims[at + 2] = row;
        } else if (column < trims[at]) trims[at] = column;
        else if (column > trims[at + 1]) trims[at + 1] = column;
        trims[at + 3] = row;
      }
    }
  }

  /** Keeps a ball, of which what can be seen is on its disc from now on. */
  private keep(k: number, scale: number): void {
    const { trims, discs } = this;
    if (this.seen[k] === SOME && discs[3 * k + 2] < SMALL * scale) this.small[this.smalls++] = k;
    else this.kept[this.count++] = k;
    for (let side = 0; side < 4; side++) {
      const along = side >> 1, sign = side % 2 ? 1 : -1;
      const edge = (trims[4 * k + side] + 0.5 + sign * (0.5 + MARGIN) - discs[3 * k + along]) / discs[3 * k + 2];
      trims[4 * k + side] = this.seen[k] === SOME ? Math.max(-1, Math.min(1, edge)) : sign;
    }
  }

  /** A ball leaves its number where it is the nearest so far. */
  private leave(balls: Float32Array, k: number, { rows: m, scale, width, height }: Eye): void {
    const x = balls[4 * k], y = balls[4 * k + 1], z = balls[4 * k + 2], r = balls[4 * k + 3];
    const d = m[8] * x + m[9] * y + m[10] * z + m[11];
    if (d < 2 * r) {
      // So near to the eye that it is no disc.
      if (d > -r) this.seen[k] = ALL;
      return;
    }
    const per = 1 / d;
    const a = (m[0] * x + m[1] * y + m[2] * z + m[3]) * per + 0.5 * width;
    const b = (m[4] * x + m[5] * y + m[6] * z + m[7]) * per + 0.5 * height;
    const reach = Math.max(SHRUNK * scale * r * per, 0.75);
    const { depth, nearest, discs } = this;
    discs[3 * k] = a; discs[3 * k + 1] = b; discs[3 * k + 2] = scale * r * per;
    const last = Math.min(height - 1, Math.floor(b + reach - 0.5)), begin = Math.max(0, Math.ceil(b - reach - 0.5));
    if (begin < this.top) this.top = begin;
    if (last > this.bottom) this.bottom = last;
    for (let row = begin; row <= last; row++) {
      const high = (row + 0.5 - b) / reach;
      const half = reach * Math.sqrt(Math.max(0, 1 - high * high));
      const first = Math.max(0, Math.ceil(a - half - 0.5)), end = row * width + Math.min(width - 1, Math.floor(a + half - 0.5));
      // The front of the ball, near enough: 1 − k instead of √(1 − k).
      const base = d - r * (1 - high * high);
      let wide = (first + 0.5 - a) / reach;
      for (let cell = row * width + first; cell <= end; cell++, wide += 1 / reach) {
        const front = base + r * wide * wide;
        if (front < depth[cell]) {
          depth[cell] = front;
          nearest[cell] = k;
        }
      }
    }
  }
}

/** Through a camera, onto a picture so many pixels wide and high; `radius` is a middling ball's [m]. */
export function eyeOf(camera: THREE.PerspectiveCamera, target: THREE.Vector3, width: number, height: number, radius: number): Eye {
  const v = camera.matrixWorldInverse.elements, p = camera.projectionMatrix.elements;
  const pixels = (0.5 * height * p[5] * radius) / Math.max(camera.position.distanceTo(target), 1e-9);
  const share = Math.min(1, FINE / Math.max(pixels, 1e-9));
  const [w, h] = [Math.ceil(share * width), Math.ceil(share * height)];
  const row = (k: number, factor: number) => [v[k], v[k + 4], v[k + 8], v[k + 12]].map((c) => factor * c);
  return { rows: [...row(0, 0.5 * w * p[0]), ...row(1, 0.5 * h * p[5]), ...row(2, -1)], scale: 0.5 * h * p[5], width: w, height: h };
}
