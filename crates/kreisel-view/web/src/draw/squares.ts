// The squares that balls are drawn on: four corners each, of which every one knows its ball.

import * as THREE from "three";

/** Corners of a square, as shares of 127. */
const CORNERS = [-127, -127, 127, -127, 127, 127, -127, 127];

/**
 * Squares for some of many balls. Drawn as instances, each ball would be a call of its own where the processor draws, which
 * takes ten times as long.
 */
export class Squares {
  readonly geometry = new THREE.BufferGeometry();
  private corner = new THREE.BufferAttribute(new Int8Array(0), 2, true);
  private place = new THREE.BufferAttribute(new Float32Array(0), 4);
  private tint = new THREE.BufferAttribute(new Uint8Array(0), 3, true);

  /** Room for so many. */
  reserve(count: number): void {
    if (this.place.count >= 4 * count && this.geometry.attributes.place) return;
    const size = Math.ceil(1.2 * count);
    this.geometry.dispose();
    const corner = new Int8Array(8 * size);
    this.corner = new THREE.BufferAttribute(corner, 2, true);
    const index = new Uint32Array(6 * size);
    for (let k = 0; k < size; k++) {
      corner.set(CORNERS, 8 * k);
      index.set([4 * k, 4 * k + 1, 4 * k + 2, 4 * k, 4 * k + 2, 4 * k + 3], 6 * k);
    }
    this.place = new THREE.BufferAttribute(new Float32Array(16 * size), 4).setUsage(THREE.DynamicDrawUsage);
    this.tint = new THREE.BufferAttribute(new Uint8Array(12 * size), 3, true).setUsage(THREE.DynamicDrawUsage);
    this.geometry.setIndex(new THREE.BufferAttribute(index, 1));
    this.geometry.setAttribute("corner", this.corner);
    this.geometry.setAttribute("place", this.place);
    this.geometry.setAttribute("tint", this.tint);
  }

  /** Takes over the places of balls, four numbers each: of those that were kept, or of the first `count`. */
  move(balls: Float32Array, count: number, kept: Uint32Array | null): void {
    const place = this.place.array as Float32Array;
    for (let i = 0; i < count; i++) {
      const k = 4 * (kept ? kept[i] : i);
      const [x, y, z, r] = [balls[k], balls[k + 1], balls[k + 2], balls[k + 3]];
      for (let c = 16 * i; c < 16 * i + 16; c += 4) {
        place[c] = x; place[c + 1] = y; place[c + 2] = z; place[c + 3] = r;
      }
    }
    this.geometry.setDrawRange(0, 6 * count);
    send(this.place, 16 * count);
  }

  /** Draws of each ball no more than can be seen; of all of them everything without `trims`, if they were trimmed before. */
  trim(trims: Float32Array | null, count: number, kept: Uint32Array | null): void {
    if (!trims && !this.trimmed) return;
    const corner = this.corner.array as Int8Array;
    for (let i = 0; i < count; i++) {
      if (!trims) { corner.set(CORNERS, 8 * i); continue; }
      const k = 4 * (kept ? kept[i] : i);
      const x0 = Math.floor(127 * trims[k]), x1 = Math.ceil(127 * trims[k + 1]), y0 = Math.floor(127 * trims[k + 2]), y1 = Math.ceil(127 * trims[k + 3]);
      const at = 8 * i;
      corner[at] = corner[at + 6] = x0; corner[at + 2] = corner[at + 4] = x1;
      corner[at + 1] = corner[at + 3] = y0; corner[at + 5] = corner[at + 7] = y1;
    }
    this.trimmed = trims !== null;
    send(this.corner, 8 * count);
  }
  private trimmed = false;

  /** Takes over colours, three numbers for each ball. */
  paint(colours: Uint8Array, count: number, kept: Uint32Array | null): void {
    const tint = this.tint.array as Uint8Array;
    for (let i = 0; i < count; i++) {
      const k = 3 * (kept ? kept[i] : i);
      for (let c = 12 * i; c < 12 * i + 12; c += 3) {
        tint[c] = colours[k]; tint[c + 1] = colours[k + 1]; tint[c + 2] = colours[k + 2];
      }
    }
    send(this.tint, 12 * count);
  }
}

/** Only what is drawn goes to where it is drawn. */
export function send(attribute: THREE.BufferAttribute, numbers: number): void {
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, numbers);
  attribute.needsUpdate = true;
}
