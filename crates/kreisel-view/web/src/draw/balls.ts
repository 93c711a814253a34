// Elements as sphere impostors: a square each, on which the fragment shader finds the ball.

import * as THREE from "three";
import type { Store } from "../store";
import type { Colouring } from "./colours";
import * as materials from "./materials";

/** Balls with a shadow on each ground. */
export class Balls {
  readonly group = new THREE.Group();
  readonly material = materials.ball();
  /** Elements that are drawn. */
  shown: number[] = [];
  /** Size of a ball as a share of its contact radius. */
  share = 1;
  private geometry = new THREE.InstancedBufferGeometry();
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
      const shadow = new THREE.Mesh(this.geometry, materials.ballShadow(normal, offset));
      shadow.frustumCulled = false;
      shadow.renderOrder = 2;
      this.group.add(shadow);
    }
  }

  show(elements: number[], share: number): void {
    this.shown = elements;
    this.share = share;
    this.reserve(Math.max(elements.length, 1));
    this.geometry.instanceCount = elements.length;
    this.group.visible = elements.length > 0;
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
      this.place.needsUpdate = true;
    }
    if (this.painted !== colouring.version) {
      this.painted = colouring.version;
      const tint = this.tint.array as Uint8Array;
      for (let k = 0; k < shown.length; k++) {
        const e = 3 * shown[k];
        tint[3 * k] = colouring.colours[e]; tint[3 * k + 1] = colouring.colours[e + 1]; tint[3 * k + 2] = colouring.colours[e + 2];
      }
      this.tint.needsUpdate = true;
    }
  }

  private reserve(count: number): void {
    if (this.place.count >= count && this.geometry.attributes.position) return;
    const size = Math.ceil(1.2 * count);
    this.geometry.dispose();
    const corners = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
    this.geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.place = new THREE.InstancedBufferAttribute(new Float32Array(4 * size), 4).setUsage(THREE.DynamicDrawUsage);
    this.tint = new THREE.InstancedBufferAttribute(new Uint8Array(3 * size), 3, true).setUsage(THREE.DynamicDrawUsage);
    this.geometry.setAttribute("place", this.place);
    this.geometry.setAttribute("tint", this.tint);
  }
}
