// Shadows of balls where the processor draws: filled ellipses in a small picture, sooner filled here than by drawing.

import * as THREE from "three";
import { LOWEST, type Plane } from "./shadows";

/** A picture of a plane in which balls leave their shadows. */
export class Stamps {
  readonly texture: THREE.DataTexture;
  private pixels: Uint8Array;
  /** Of each pixel, how many shadows begin there less how many have ended, counted along its row. */
  private changes: Int16Array;

  constructor(private readonly size: number) {
    this.pixels = new Uint8Array(size * size);
    this.changes = new Int16Array(size * size + 1);
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
    const { changes, size } = this;
    changes.fill(0);
    const c = Math.max(light.dot(n), LOWEST);
    const slope = [light.dot(first) / c, light.dot(second) / c];
    const along = Math.hypot(...slope) || 1;
    const [ux, uy] = slope.map((s) => s / along);
    const [a, b, d] = [1 - (1 - c * c) * ux * ux, -(1 - c * c) * ux * uy, 1 - (1 - c * c) * uy * uy];
    const scale = (0.5 * size) / frame.value.z;
    const tall = Math.sqrt(a / (a * d - b * b));
    const [nx, ny, nz] = n.toArray(), [fx, fy, fz] = first.toArray(), [sx, sy, sz] = second.toArray();
    const [slopeX, slopeY] = slope;
    const left = 0.5 * size - scale * frame.value.x, below = 0.5 * size - scale * frame.value.y;
    // Half the width of the ellipse at height q: √(r² a − (ad − b²) q²)/a.
    const perA = 1 / a, lean = b / a, narrowing = a * d - b * b;
    for (let k = 0; k < 4 * count; k += 4) {
      const x = balls[k], y = balls[k + 1], z = balls[k + 2], r = balls[k + 3] * scale;
      const height = x * nx + y * ny + z * nz - offset;
      if (height < -balls[k + 3] || r <= 0) continue;
      const px = scale * (x * fx + y * fy + z * fz - height * slopeX) + left;
      const py = scale * (x * sx + y * sy + z * sz - height * slopeY) + below;
      const last = Math.min(size - 1, Math.floor(py + tall * r - 0.5));
      for (let row = Math.max(0, Math.ceil(py - tall * r - 0.5)); row <= last; row++) {
        const q = row + 0.5 - py;
        const half = Math.sqrt(Math.max(0, r * r * a - narrowing * q * q)) * perA;
        const middle = px - lean * q;
        const begin = Math.max(0, Math.ceil(middle - half - 0.5)), end = Math.min(size - 1, Math.floor(middle + half - 0.5));
        if (begin > end) continue;
        changes[row * size + begin] += 1;
        changes[row * size + end + 1] -= 1;
      }
    }
    this.sum();
  }

  /** From where shadows begin and end to where they are: sooner than filling each, as they lie over each other. */
  private sum(): void {
    const { changes, pixels } = this;
    // What ends with its row is taken back where the next begins.
    for (let cell = 0, depth = 0; cell < pixels.length; cell++) {
      depth += changes[cell];
      pixels[cell] = depth > 0 ? 255 : 0;
    }
    this.texture.needsUpdate = true;
  }
}
