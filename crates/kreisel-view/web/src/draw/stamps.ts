// Shadows of balls where the processor draws: filled ellipses in a small picture, sooner filled here than by drawing.

import * as THREE from "three";
import { LOWEST, type Plane } from "./shadows";

/** A picture of a plane in which balls leave their shadows. */
export class Stamps {
  readonly texture: THREE.DataTexture;
  private pixels: Uint8Array;

  constructor(private readonly size: number) {
    this.pixels = new Uint8Array(size * size);
    this.texture = new THREE.DataTexture(this.pixels, size, size, THREE.RedFormat);
    this.texture.magFilter = this.texture.minFilter = THREE.LinearFilter;
  }

  dispose(): void {
    this.texture.dispose();
  }

  /**
   * Balls, four numbers each, leave their shadows. Along the light l, which rises from the plane by c = l·n, the shadow of a
   * ball of radius r is an ellipse, r/c long along u, the way the light comes from, and r across: pᵀ(1 − (1 − c²) u uᵀ) p ≤ r².
   */
  fill(balls: Float32Array, count: number, { normal: n, offset, axes: [first, second], frame }: Plane, light: THREE.Vector3): void {
    const { pixels, size } = this;
    pixels.fill(0);
    const c = Math.max(light.dot(n), LOWEST);
    const slope = [light.dot(first) / c, light.dot(second) / c];
    const along = Math.hypot(...slope) || 1;
    const [ux, uy] = slope.map((s) => s / along);
    const [a, b, d] = [1 - (1 - c * c) * ux * ux, -(1 - c * c) * ux * uy, 1 - (1 - c * c) * uy * uy];
    const scale = (0.5 * size) / frame.value.z;
    const tall = Math.sqrt(a / (a * d - b * b));
    for (let k = 0; k < 4 * count; k += 4) {
      const x = balls[k], y = balls[k + 1], z = balls[k + 2], r = balls[k + 3] * scale;
      const height = x * n.x + y * n.y + z * n.z - offset;
      if (height < -balls[k + 3] || r <= 0) continue;
      const px = scale * (x * first.x + y * first.y + z * first.z - height * slope[0] - frame.value.x) + 0.5 * size;
      const py = scale * (x * second.x + y * second.y + z * second.z - height * slope[1] - frame.value.y) + 0.5 * size;
      const last = Math.min(size - 1, Math.floor(py + tall * r - 0.5));
      for (let row = Math.max(0, Math.ceil(py - tall * r - 0.5)); row <= last; row++) {
        const q = row + 0.5 - py;
        const half = Math.sqrt(Math.max(0, b * b * q * q - a * (d * q * q - r * r))) / a;
        const middle = px - (b * q) / a;
        const end = row * size + Math.min(size - 1, Math.floor(middle + half - 0.5));
        for (let cell = row * size + Math.max(0, Math.ceil(middle - half - 0.5)); cell <= end; cell++) pixels[cell] = 255;
      }
    }
    this.texture.needsUpdate = true;
  }
}
