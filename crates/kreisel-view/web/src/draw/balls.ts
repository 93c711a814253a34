// Elements as sphere impostors: a square each, on which the fragment shader finds the ball.

import * as THREE from "three";
import type { SkinForm, Store } from "../store";
import type { Colouring } from "./colours";
import { Dots } from "./dots";
import * as materials from "./materials";
import type { Shadows } from "./shadows";
import { Sieve, type Eye } from "./sieve";
import { Squares } from "./squares";

/** Balls with a shadow on each ground. */
export class Balls {
  readonly group = new THREE.Group();
  readonly material = materials.ball();
  /** Elements that are drawn. */
  shown: number[] = [];
  /** Exact balls that are drawn besides. */
  exact: SkinForm[] = [];
  /** Size of a ball as a share of its contact radius. */
  share = 1;
  /** Radius of a middling ball [m]. */
  middling = 1;
  private squares = new Squares();
  private dots = new Dots();
  private sieve: Sieve | null;
  /** Middle and radius of each ball [m]. */
  places = new Float32Array(0);
  private colours = new Uint8Array(0);
  private painted = -1;
  private sifted = false;

  /** `sifted`: balls behind others are left out. */
  constructor(sifted: boolean) {
    this.sieve = sifted ? new Sieve() : null;
    this.reserve(64);
    const mesh = new THREE.Mesh(this.squares.geometry, this.material);
    mesh.frustumCulled = false;
    this.group.add(mesh, this.dots.points);
  }

  /** Casts shadows on these. */
  setGrounds(grounds: Shadows[]): void {
    grounds.forEach((ground) => ground.add("ball", this.squares.geometry));
  }

  show(elements: number[], share: number, exact: SkinForm[] = []): void {
    this.shown = elements;
    this.share = share;
    this.exact = exact;
    this.reserve(Math.max(this.count, 1));
    this.group.visible = this.count > 0;
    this.painted = -1;
  }

  get count(): number {
    return this.shown.length + this.exact.length;
  }

  /** Brings places and colours up to date; `eye` sees what is drawn, all is drawn without. */
  update(store: Store, colouring: Colouring, moved: boolean, eye: () => Eye | null): void {
    if (!this.count) return this.hide();
    const first = this.painted < 0;
    const repaint = this.painted !== colouring.version;
    if (moved || first) this.move(store);
    if (repaint) this.paint(colouring);
    const from = eye();
    const sieve = from && this.sieve;
    if (sieve) {
      sieve.sift(this.places, this.count, from);
      this.dots.fill(this.places, this.colours, sieve.small, sieve.smalls, sieve.trims);
    } else this.dots.clear();
    const [count, kept] = sieve ? [sieve.count, sieve.kept] : [this.count, null];
    const other = sieve !== null || this.sifted;
    this.sifted = sieve !== null;
    if (moved || first || other) this.squares.move(this.places, count, kept);
    if (repaint || other) this.squares.paint(this.colours, count, kept);
    this.squares.trim(sieve && sieve.trims, count, kept);
  }

  private hide(): void {
    this.squares.geometry.setDrawRange(0, 0);
    this.dots.clear();
  }

  private move(store: Store): void {
    const { shown, share, exact, places } = this;
    const { x, radius } = store;
    for (let k = 0; k < shown.length; k++) {
      const e = shown[k];
      places[4 * k] = x[3 * e]; places[4 * k + 1] = x[3 * e + 1]; places[4 * k + 2] = x[3 * e + 2];
      places[4 * k + 3] = share * radius[e];
    }
    exact.forEach((form, i) => placeBall(store, form, places, 4 * (shown.length + i)));
    let sum = 0;
    for (let k = 0; k < this.count; k++) sum += places[4 * k + 3];
    this.middling = sum / this.count;
  }

  private paint(colouring: Colouring): void {
    this.painted = colouring.version;
    const { shown, exact, colours } = this;
    for (let k = 0; k < this.count; k++) {
      const e = 3 * (k < shown.length ? shown[k] : (exact[k - shown.length].carrier ?? 0));
      for (let i = 0; i < 3; i++) colours[3 * k + i] = colouring.colours[e + i];
    }
  }

  private reserve(count: number): void {
    this.squares.reserve(count);
    if (this.places.length >= 4 * count) return;
    this.places = new Float32Array(4 * count);
    this.colours = new Uint8Array(3 * count);
  }
}

/** Middle and radius of an exact ball where its rigid body is. */
function placeBall(store: Store, form: SkinForm, out: Float32Array, k: number): void {
  const { poses } = store;
  const p = 7 * store.owner[form.carrier ?? 0];
  const [vx, vy, vz] = form.at ?? [0, 0, 0];
  out[k + 3] = p + 7 > poses.length ? 0 : (form.ball ?? 0);
  const qx = poses[p + 3], qy = poses[p + 4], qz = poses[p + 5], qw = poses[p + 6];
  const tx = 2 * (qy * vz - qz * vy), ty = 2 * (qz * vx - qx * vz), tz = 2 * (qx * vy - qy * vx);
  out[k] = poses[p] + vx + qw * tx + qy * tz - qz * ty;
  out[k + 1] = poses[p + 1] + vy + qw * ty + qz * tx - qx * tz;
  out[k + 2] = poses[p + 2] + vz + qw * tz + qx * ty - qy * tx;
}
