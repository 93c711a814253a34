// Which part of the picture may have changed: around what is drawn of bodies, and around their shadows.

import * as THREE from "three";
import { SUN } from "./materials";
import { BLUR, LOWEST, type Plane } from "./shadows";

/** A part of the picture [pixels], from its lower left corner. */
export interface Part { left: number; bottom: number; width: number; height: number }

/** Seen aslant, a ball is wider than straight ahead. */
const WIDER = 1.25;
/** Around it all, so many pixels more: edges are smoothed. */
const MARGIN = 3;

/**
 * As long as the camera stands still, nothing changes where neither a body nor a shadow is or was. Worth knowing only where the
 * processor draws, which paints a still ground as slowly as anything else.
 */
export class Region {
  private low = new THREE.Vector2();
  private high = new THREE.Vector2();
  /** Around the picture before, and the one before that: shadows may be as old. */
  private before: THREE.Box2[] = [];
  private rows: number[] = [];
  private scale = 1;
  private size = new THREE.Vector2();
  /** The planes, how steeply the light falls on each, and how far its shadows are blurred [m]. */
  private planes: { plane: Plane; rise: number; blur: number }[] = [];
  /** Something is so near to the eye that it may be anywhere. */
  private everywhere = false;

  /** Begins a picture of so many pixels, in which shadows fall on planes. */
  begin(camera: THREE.PerspectiveCamera, size: THREE.Vector2, planes: Plane[]): void {
    // A picture of another size begins empty.
    if (!this.size.equals(size)) this.forget();
    this.size.copy(size);
    const all = camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse).elements;
    this.rows = [0, 1, 3].flatMap((row) => [0, 4, 8, 12].map((column) => all[row + column]));
    this.scale = WIDER * 0.5 * size.y * camera.projectionMatrix.elements[5];
    this.planes = planes.map((plane) => ({ plane, rise: Math.max(SUN.dot(plane.normal), LOWEST), blur: BLUR * plane.texel }));
    this.low.setScalar(Infinity);
    this.high.setScalar(-Infinity);
    this.everywhere = false;
  }

  /** There is a ball, and its shadow. */
  add(x: number, y: number, z: number, r: number): void {
    this.cover(x, y, z, r);
    for (const { plane: { normal: n, offset }, rise, blur } of this.planes) {
      const height = x * n.x + y * n.y + z * n.z - offset;
      const along = height / rise;
      if (height > -r) this.cover(x - SUN.x * along, y - SUN.y * along, z - SUN.z * along, r / rise + blur);
    }
  }

  private cover(x: number, y: number, z: number, r: number): void {
    const m = this.rows;
    const depth = m[8] * x + m[9] * y + m[10] * z + m[11];
    if (!(depth > 2 * r)) {
      this.everywhere = true;
      return;
    }
    const a = (0.5 + (0.5 * (m[0] * x + m[1] * y + m[2] * z + m[3])) / depth) * this.size.x;
    const b = (0.5 + (0.5 * (m[4] * x + m[5] * y + m[6] * z + m[7])) / depth) * this.size.y;
    const reach = (this.scale * r) / depth;
    if (a - reach < this.low.x) this.low.x = a - reach;
    if (a + reach > this.high.x) this.high.x = a + reach;
    if (b - reach < this.low.y) this.low.y = b - reach;
    if (b + reach > this.high.y) this.high.y = b + reach;
  }

  /** Ends it: what may differ from the picture before; `null` if that is all of it. */
  end(): Part | null {
    const now = new THREE.Box2(this.low.clone(), this.high.clone());
    const all = this.before.reduce((sum, box) => sum.union(box), now.clone());
    const isKnown = this.before.length > 1 && !this.everywhere;
    this.before = this.everywhere ? [] : [now, ...this.before.slice(0, 1)];
    if (!isKnown) return null;
    const { min, max } = all.expandByScalar(MARGIN).intersect(new THREE.Box2(new THREE.Vector2(), this.size));
    const [left, bottom] = [Math.floor(min.x), Math.floor(min.y)];
    return { left, bottom, width: Math.max(0, Math.ceil(max.x) - left), height: Math.max(0, Math.ceil(max.y) - bottom) };
  }

  /** Forgets what was: the next picture is drawn as a whole. */
  forget(): void {
    this.before = [];
  }
}
