// Elements as sphere impostors: a square each, on which the fragment shader finds the ball.

import * as THREE from "three";
import type { SkinForm, Store } from "../store";
import type { Colouring } from "./colours";
import * as materials from "./materials";

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
  private geometry = new THREE.InstancedBufferGeometry();
  private discs = new THREE.InstancedBufferGeometry();
  private place = new THREE.InstancedBufferAttribute(new Float32Array(0), 4);
  private tint = new THREE.InstancedBufferAttribute(new Uint8Array(0), 3, true);
  private painted = -1;

  constructor() {
    this.reserve(64);
    const mesh = new THREE.Mesh(this.geometry, this.material);
    mesh.frustumCulled = false;
    this.group.add(mesh);
  }

  setGrounds(grounds: { normal: THREE.Vector3; offset: number }[]): void {
    while (this.group.children.length > 1) this.group.remove(this.group.children[1]);
    for (const { normal, offset } of grounds.slice(0, 2)) {
      const shadow = new THREE.Mesh(this.discs, materials.ballShadow(normal, offset));
      shadow.frustumCulled = false;
      shadow.renderOrder = 2;
      this.group.add(shadow);
    }
  }

  show(elements: number[], share: number, exact: SkinForm[] = []): void {
    this.shown = elements;
    this.share = share;
    this.exact = exact;
    const count = elements.length + exact.length;
    this.reserve(Math.max(count, 1));
    this.geometry.instanceCount = this.discs.instanceCount = count;
    this.group.visible = count > 0;
    this.painted = -1;
  }

  update(store: Store, colouring: Colouring, moved: boolean): void {
    const { shown, share } = this;
    if (moved || this.painted < 0) {
      const place = this.place.array as Float32Array;
      const { x, radius } = store;
      for (let k = 0; k < shown.length; k++) {
        const e = shown[k];
        place[4 * k] = x[3 * e]; place[4 * k + 1] = x[3 * e + 1]; place[4 * k + 2] = x[3 * e + 2];
        place[4 * k + 3] = share * radius[e];
      }
      this.exact.forEach((form, i) => placeBall(store, form, place, 4 * (shown.length + i)));
      this.place.needsUpdate = true;
    }
    if (this.painted !== colouring.version) {
      this.painted = colouring.version;
      const tint = this.tint.array as Uint8Array;
      for (let k = 0; k < shown.length + this.exact.length; k++) {
        const e = 3 * (shown[k] ?? this.exact[k - shown.length].carrier ?? 0);
        tint[3 * k] = colouring.colours[e]; tint[3 * k + 1] = colouring.colours[e + 1]; tint[3 * k + 2] = colouring.colours[e + 2];
      }
      this.tint.needsUpdate = true;
    }
  }

  private reserve(count: number): void {
    if (this.place.count >= count && this.geometry.attributes.position) return;
    const size = Math.ceil(1.2 * count);
    this.geometry.dispose();
    this.discs.dispose();
    setPolygon(this.geometry, 4, Math.SQRT2);
    setPolygon(this.discs, 8, 1.03);
    this.place = new THREE.InstancedBufferAttribute(new Float32Array(4 * size), 4).setUsage(THREE.DynamicDrawUsage);
    this.tint = new THREE.InstancedBufferAttribute(new Uint8Array(3 * size), 3, true).setUsage(THREE.DynamicDrawUsage);
    this.geometry.setAttribute("place", this.place);
    this.geometry.setAttribute("tint", this.tint);
    this.discs.setAttribute("place", this.place);
  }
}

/** A regular polygon; without holes to cut, shadows that lie on others are passed over early. */
function setPolygon(geometry: THREE.BufferGeometry, sides: number, radius: number): void {
  const angle = (k: number) => ((2 * k + 1) * Math.PI) / sides;
  const corners = Array.from({ length: sides }, (_, k) => [radius * Math.cos(angle(k)), radius * Math.sin(angle(k)), 0]).flat();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  geometry.setIndex(Array.from({ length: sides - 2 }, (_, k) => [0, k + 1, k + 2]).flat());
}

/** Middle and radius of an exact ball where its rigid body is. */
export function placeBall(store: Store, form: SkinForm, out: Float32Array, k: number): void {
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
