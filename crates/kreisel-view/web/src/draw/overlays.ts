// What is laid over the picture when asked for: contacts, forces, centres, inertia, velocities, bounds, joints, hands.

import * as THREE from "three";
import type { Store } from "../store";
import { Arrows } from "./arrows";

export const OVERLAYS = ["contacts", "forces", "centres", "velocities", "boxes", "joints"] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** Numbers per body in the section of bodies. */
const PER_BODY = 22;

export class Overlays {
  readonly group = new THREE.Group();
  readonly on = new Set<Overlay>();
  private forces = new Arrows(0xd64545, 1200);
  private velocities = new Arrows(0x2f7fd1, 4000);
  private hands = new Arrows(0x17a673, 16);
  private points = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ color: 0xffd23f, size: 7, sizeAttenuation: false, depthTest: false }));
  private marks = new THREE.Group();

  constructor(private readonly store: Store) {
    this.points.frustumCulled = false;
    this.points.renderOrder = 5;
    this.group.add(this.forces.group, this.velocities.group, this.hands.group, this.points, this.marks);
  }

  /** Draws what is on; `reach` is the size of the scene [m]. */
  update(reach: number): void {
    this.drawContacts(reach);
    this.drawVelocities(reach);
    this.drawHands(reach);
    this.drawBodies(reach);
  }

  private drawContacts(reach: number): void {
    const { contacts } = this.store;
    const n = contacts.length / 6;
    this.points.visible = this.on.has("contacts") && n > 0;
    if (this.points.visible) {
      const place = new Float32Array(3 * n);
      for (let k = 0; k < n; k++) place.set(contacts.subarray(6 * k, 6 * k + 3), 3 * k);
      this.points.geometry.dispose();
      this.points.geometry = new THREE.BufferGeometry();
      this.points.geometry.setAttribute("position", new THREE.BufferAttribute(place, 3));
    }
    if (!this.on.has("forces") || n === 0) return this.forces.hide();
    // The strongest comes first; it is a third of the scene long.
    const strongest = Math.hypot(contacts[3], contacts[4], contacts[5]) || 1;
    const scale = (0.33 * reach) / strongest;
    this.forces.show(n, (k, out) => out.fromArray(contacts, 6 * k), (k, out) => out.fromArray(contacts, 6 * k + 3).multiplyScalar(scale), 0.004 * reach);
  }

  private drawVelocities(reach: number): void {
    const { velocities, x, count } = this.store;
    if (!this.on.has("velocities") || velocities.length !== x.length || count === 0) return this.velocities.hide();
    const stride = Math.max(1, Math.ceil(count / 1500));
    let fastest = 1e-9;
    for (let e = 0; e < count; e++) fastest = Math.max(fastest, Math.hypot(velocities[3 * e], velocities[3 * e + 1], velocities[3 * e + 2]));
    const scale = (0.2 * reach) / fastest;
    this.velocities.show(Math.floor(count / stride), (k, out) => out.fromArray(x, 3 * stride * k), (k, out) => out.fromArray(velocities, 3 * stride * k).multiplyScalar(scale), 0.003 * reach);
  }

  /** The spring of each hand, with its force. */
  private drawHands(reach: number): void {
    const { hands } = this.store.status;
    if (!hands.length) return this.hands.hide();
    this.hands.show(hands.length, (k, out) => out.fromArray(this.store.x, 3 * hands[k].element),
      (k, out) => out.fromArray(hands[k].target).sub(new THREE.Vector3().fromArray(this.store.x, 3 * hands[k].element)), 0.008 * reach);
  }

  private drawBodies(reach: number): void {
    for (const old of this.marks.children) (old as THREE.LineSegments).geometry?.dispose();
    this.marks.clear();
    const { bodies, model } = this.store;
    for (let b = 0; PER_BODY * (b + 1) <= bodies.length; b++) {
      const numbers = bodies.subarray(PER_BODY * b, PER_BODY * (b + 1));
      if (this.on.has("centres")) this.marks.add(...centreMarks(numbers, reach));
      if (this.on.has("boxes")) {
        const box = new THREE.Box3(new THREE.Vector3().fromArray(numbers, 16), new THREE.Vector3().fromArray(numbers, 19));
        this.marks.add(new THREE.Box3Helper(box, new THREE.Color(0x8a8f98)));
      }
    }
    if (this.on.has("joints")) this.addJoints(reach, model?.joints ?? []);
  }

  /** Joints of the model, and elements that are held. */
  private addJoints(reach: number, joints: { at: number[]; axis: number[] }[]): void {
    const points: number[] = [];
    const size = 0.015 * reach;
    for (const { at, axis } of joints) points.push(...at.map((a, i) => a - 3 * size * axis[i]), ...at.map((a, i) => a + 3 * size * axis[i]));
    const { held, x } = this.store;
    for (let e = 0; e < held.length; e++) {
      if (!held[e]) continue;
      for (let i = 0; i < 3; i++) {
        const p = [x[3 * e], x[3 * e + 1], x[3 * e + 2]];
        p[i] -= size;
        points.push(...p);
        p[i] += 2 * size;
        points.push(...p);
      }
    }
    if (!points.length) return;
    const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: 0xb83fd6, depthTest: false }));
    lines.renderOrder = 5;
    this.marks.add(lines);
  }
}

/** A cross at the centre of mass, and the box with the same inertia. */
function centreMarks(numbers: Float32Array, reach: number): THREE.Object3D[] {
  const centre = new THREE.Vector3().fromArray(numbers, 0);
  const [xx, yy, zz, , , , mass] = numbers.subarray(9, 16);
  const side = (a: number, b: number, c: number) => Math.sqrt(Math.max((6 * (a + b - c)) / (mass || 1), 1e-12));
  const box = new THREE.LineSegments(
    new THREE.EdgesGeometry(new THREE.BoxGeometry(side(yy, zz, xx), side(zz, xx, yy), side(xx, yy, zz))),
    new THREE.LineBasicMaterial({ color: 0xe0b020, depthTest: false, transparent: true, opacity: 0.8 }),
  );
  const cross = new THREE.AxesHelper(0.12 * reach);
  (cross.material as THREE.Material).depthTest = false;
  for (const mark of [box, cross]) {
    mark.position.copy(centre);
    mark.renderOrder = 5;
  }
  return [box, cross];
}
