// Elements as sphere impostors: a square each, on which the fragment shader finds the ball.

import * as THREE from "three";
import type { SkinForm, Store } from "../store";
import type { Colouring } from "./colours";
import * as materials from "./materials";
import type { Shadows } from "./shadows";

/** Corners of a square. */
const CORNERS = [-1, -1, 1, -1, 1, 1, -1, 1];

/**
 * Balls with a shadow on each ground. Every corner of a square knows its ball: drawn as instances, each ball would be a
 * call of its own where the processor draws, which takes ten times as long.
 */
export class Balls {
  readonly group = new THREE.Group();
  readonly material = materials.ball();
  /** Elements that are drawn. */
  shown: number[] = [];
  /** Exact balls that are drawn besides. */
  exact: SkinForm[] = [];
  /** Size of a ball as a share of its contact radius. */
  share = 1;
  private geometry = new THREE.BufferGeometry();
  private place = new THREE.BufferAttribute(new Float32Array(0), 4);
  private tint = new THREE.BufferAttribute(new Uint8Array(0), 3, true);
  private painted = -1;

  constructor() {
    this.reserve(64);
    const mesh = new THREE.Mesh(this.geometry, this.material);
    mesh.frustumCulled = false;
    this.group.add(mesh);
  }

  /** Casts shadows on these. */
  setGrounds(grounds: Shadows[]): void {
    grounds.forEach((ground) => ground.add("ball", this.geometry));
  }

  show(elements: number[], share: number, exact: SkinForm[] = []): void {
    this.shown = elements;
    this.share = share;
    this.exact = exact;
    const count = elements.length + exact.length;
    this.reserve(Math.max(count, 1));
    this.geometry.setDrawRange(0, 6 * count);
    this.group.visible = count > 0;
    this.painted = -1;
  }

  update(store: Store, colouring: Colouring, moved: boolean): void {
    if (moved || this.painted < 0) this.move(store);
    if (this.painted !== colouring.version) this.paint(colouring);
  }

  private move(store: Store): void {
    const place = this.place.array as Float32Array;
    const { shown, share, exact } = this;
    const { x, radius } = store;
    for (let k = 0; k < shown.length; k++) {
      const e = shown[k];
      place[16 * k] = x[3 * e]; place[16 * k + 1] = x[3 * e + 1]; place[16 * k + 2] = x[3 * e + 2];
      place[16 * k + 3] = share * radius[e];
    }
    exact.forEach((form, i) => placeBall(store, form, place, 16 * (shown.length + i)));
    for (let k = 0; k < 16 * (shown.length + exact.length); k += 16) place.copyWithin(k + 4, k, k + 4), place.copyWithin(k + 8, k, k + 8);
    this.place.needsUpdate = true;
  }

  private paint(colouring: Colouring): void {
    this.painted = colouring.version;
    const tint = this.tint.array as Uint8Array;
    const { shown, exact } = this;
    for (let k = 0; k < shown.length + exact.length; k++) {
      const e = 3 * (k < shown.length ? shown[k] : (exact[k - shown.length].carrier ?? 0));
      for (let i = 12 * k; i < 12 * k + 12; i += 3) {
        tint[i] = colouring.colours[e]; tint[i + 1] = colouring.colours[e + 1]; tint[i + 2] = colouring.colours[e + 2];
      }
    }
    this.tint.needsUpdate = true;
  }

  private reserve(count: number): void {
    if (this.place.count >= 4 * count && this.geometry.attributes.place) return;
    const size = Math.ceil(1.2 * count);
    this.geometry.dispose();
    const corner = new Int8Array(8 * size);
    const index = new Uint32Array(6 * size);
    for (let k = 0; k < size; k++) {
      corner.set(CORNERS, 8 * k);
      index.set([4 * k, 4 * k + 1, 4 * k + 2, 4 * k, 4 * k + 2, 4 * k + 3], 6 * k);
    }
    this.place = new THREE.BufferAttribute(new Float32Array(16 * size), 4).setUsage(THREE.DynamicDrawUsage);
    this.tint = new THREE.BufferAttribute(new Uint8Array(12 * size), 3, true).setUsage(THREE.DynamicDrawUsage);
    this.geometry.setIndex(new THREE.BufferAttribute(index, 1));
    this.geometry.setAttribute("corner", new THREE.BufferAttribute(corner, 2));
    this.geometry.setAttribute("place", this.place);
    this.geometry.setAttribute("tint", this.tint);
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
