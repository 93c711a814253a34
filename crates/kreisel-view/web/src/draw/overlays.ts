// What is laid over the picture when asked for: contacts, forces, centres, inertia, velocities, bounds, joints, hands.

import * as THREE from "three";
import type { Hand } from "../protocol";
import { Grip, PER_CONTACT, type Store } from "../store";
import { Arrows } from "./arrows";
import { GRIPS, type Rgb } from "./colours";
import { principal } from "./inertia";
import { jointLines } from "./joints";

export const OVERLAYS = ["contacts", "forces", "centres", "velocities", "boxes", "joints"] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** The least width of an arrow [pixels]. */
const THIN = 2;
/** Length of the arrow of a hand that twists, as a share of the scene. */
export const TWIST = 0.3;
/** So many bodies get marks of their own. */
const MOST_MARKED = 300;
/** Numbers per body in the section of bodies. */
const PER_BODY = 22;
const GRIP_COLOURS = GRIPS.map(([, colour]) => new THREE.Color(...colour));
const JOINT = new THREE.LineBasicMaterial({ color: 0xd86bf0, depthTest: false, transparent: true });

/** Puts new numbers into a geometry; what does not fit is made anew. */
function refill(thing: THREE.Points | THREE.LineSegments, arrays: Record<string, Float32Array>): void {
  for (const [name, array] of Object.entries(arrays)) {
    const old = thing.geometry.attributes[name] as THREE.BufferAttribute | undefined;
    if (!old || old.array.length < array.length) {
      thing.geometry.dispose();
      thing.geometry.setAttribute(name, new THREE.BufferAttribute(array, 3).setUsage(THREE.DynamicDrawUsage));
    } else {
      (old.array as Float32Array).set(array);
      old.needsUpdate = true;
    }
  }
  thing.geometry.setDrawRange(0, arrays.position.length / 3);
}

export class Overlays {
  readonly group = new THREE.Group();
  readonly on = new Set<Overlay>();
  /** Elements that are selected. */
  selection: number[] = [];
  private frame = new THREE.Box3Helper(new THREE.Box3(), new THREE.Color(0x4ea1f3));
  private forces = new Arrows(0xffffff, 1200, true);
  private slips = new Arrows(0xffffff, 1200, true);
  private velocities = new Arrows(0x2f7fd1, 4000);
  private hands = new Arrows(0x17a673, 16);
  private points = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ vertexColors: true, size: 7, sizeAttenuation: false, depthTest: false }));
  private normals = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0xffd23f, depthTest: false }));
  private marks = new THREE.Group();
  /** The least width of an arrow [m]. */
  private thin = 0;

  constructor(private readonly store: Store) {
    this.points.frustumCulled = false;
    this.points.renderOrder = 6;
    this.normals.frustumCulled = false;
    this.normals.renderOrder = 5;
    this.group.add(this.forces.group, this.slips.group, this.velocities.group, this.hands.group, this.normals, this.points, this.marks, this.frame);
  }

  /** True if nothing is laid over the picture but the hands. */
  get isBare(): boolean {
    return !this.on.size && !this.selection.length;
  }

  /** Draws what is on; `reach` is the size of the scene and `pixel` that of a pixel in its middle [m]. */
  update(reach: number, pixel: number): void {
    this.thin = THIN * pixel;
    this.drawContacts(reach);
    this.drawVelocities(reach);
    this.drawHands(reach);
    this.drawBodies(reach);
    this.drawSelection();
  }

  private drawContacts(reach: number): void {
    const { contacts } = this.store;
    const n = Math.floor(contacts.length / PER_CONTACT);
    this.points.visible = this.normals.visible = this.on.has("contacts") && n > 0;
    if (this.points.visible) this.fillContacts(n, 0.06 * reach);
    if (this.points.visible) this.drawSlips(n, reach);
    else this.slips.hide();
    if (!this.on.has("forces") || n === 0) return this.forces.hide();
    // The strongest comes first; it is a third of the scene long.
    const strongest = Math.hypot(contacts[3], contacts[4], contacts[5]) || 1;
    const scale = (0.33 * reach) / strongest;
    this.forces.show(n, (k, out) => out.fromArray(contacts, PER_CONTACT * k), (k, out) => out.fromArray(contacts, PER_CONTACT * k + 3).multiplyScalar(scale), Math.max(0.004 * reach, this.thin), (k) => GRIP_COLOURS[this.grip(k)]);
  }

  private grip(k: number): number {
    return this.store.contacts[PER_CONTACT * k + 13] || 0;
  }

  /** Where contacts slide: which way the first side goes, the fastest a fifth of the scene long. */
  private drawSlips(n: number, reach: number): void {
    const { contacts } = this.store;
    const sliding = Array.from({ length: n }, (_, k) => k).filter((k) => this.grip(k) === Grip.slides);
    if (!sliding.length) return this.slips.hide();
    const slip = (k: number, out: THREE.Vector3) => out.fromArray(contacts, PER_CONTACT * k + 9);
    const v = new THREE.Vector3();
    const fastest = Math.max(...sliding.map((k) => slip(k, v).length()), 1e-9);
    this.slips.show(sliding.length, (k, out) => out.fromArray(contacts, PER_CONTACT * sliding[k]), (k, out) => slip(sliding[k], out).multiplyScalar((0.2 * reach) / fastest), Math.max(0.0025 * reach, this.thin), () => GRIP_COLOURS[Grip.slides]);
  }

  /** A point for each in the colour of what it does, and its normal. */
  private fillContacts(n: number, length: number): void {
    const { contacts } = this.store;
    const place = new Float32Array(3 * n), tint = new Float32Array(3 * n), lines = new Float32Array(6 * n);
    for (let k = 0; k < n; k++) {
      const c = contacts.subarray(PER_CONTACT * k, PER_CONTACT * (k + 1));
      place.set(c.subarray(0, 3), 3 * k);
      tint.set(GRIPS[this.grip(k)][1] satisfies Rgb, 3 * k);
      for (let i = 0; i < 3; i++) [lines[6 * k + i], lines[6 * k + 3 + i]] = [c[i], c[i] + length * c[6 + i]];
    }
    refill(this.points, { position: place, color: tint });
    refill(this.normals, { position: lines });
  }

  private drawVelocities(reach: number): void {
    const { velocities, x, count } = this.store;
    if (!this.on.has("velocities") || velocities.length !== x.length || count === 0) return this.velocities.hide();
    const stride = Math.max(1, Math.ceil(count / 1500));
    let fastest = 1e-9;
    for (let e = 0; e < count; e++) fastest = Math.max(fastest, Math.hypot(velocities[3 * e], velocities[3 * e + 1], velocities[3 * e + 2]));
    const scale = (0.2 * reach) / fastest;
    this.velocities.show(Math.floor(count / stride), (k, out) => out.fromArray(x, 3 * stride * k), (k, out) => out.fromArray(velocities, 3 * stride * k).multiplyScalar(scale), Math.max(0.002 * reach, 0.7 * this.thin));
  }

  /** The spring of each hand; of one that twists, the axis about which it does. */
  private drawHands(reach: number): void {
    const { hands } = this.store.status;
    if (!hands.length) return this.hands.hide();
    const along = ({ element, target, twists, couple }: Hand, out: THREE.Vector3) => (twists
      ? out.fromArray(couple).setLength(TWIST * reach)
      : out.fromArray(target).sub(new THREE.Vector3().fromArray(this.store.x, 3 * element)));
    this.hands.show(hands.length, (k, out) => out.fromArray(this.store.x, 3 * hands[k].element), (k, out) => along(hands[k], out), 0.008 * reach);
  }

  /** A frame around what is selected. */
  private drawSelection(): void {
    this.frame.visible = this.selection.length > 0;
    if (!this.frame.visible) return;
    const { x, radius } = this.store;
    const box = this.frame.box.makeEmpty();
    const p = new THREE.Vector3();
    for (const e of this.selection) {
      const r = radius[e];
      box.expandByPoint(p.set(x[3 * e] - r, x[3 * e + 1] - r, x[3 * e + 2] - r));
      box.expandByPoint(p.set(x[3 * e] + r, x[3 * e + 1] + r, x[3 * e + 2] + r));
    }
  }

  private drawBodies(reach: number): void {
    for (const old of this.marks.children) (old as THREE.LineSegments).geometry?.dispose();
    this.marks.clear();
    const { bodies } = this.store;
    for (let b = 0; PER_BODY * (b + 1) <= bodies.length && b < MOST_MARKED; b++) {
      const numbers = bodies.subarray(PER_BODY * b, PER_BODY * (b + 1));
      if (this.on.has("centres")) this.marks.add(...centreMarks(numbers, reach));
      if (this.on.has("boxes")) {
        const box = new THREE.Box3(new THREE.Vector3().fromArray(numbers, 16), new THREE.Vector3().fromArray(numbers, 19));
        this.marks.add(new THREE.Box3Helper(box, new THREE.Color(0x8a8f98)));
      }
    }
    if (this.on.has("joints")) this.addJoints(reach);
  }

  /** Joints of the model, and elements that are held. */
  private addJoints(reach: number): void {
    const points = jointLines(this.store, 0.045 * reach);
    if (!points.length) return;
    const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    const lines = new THREE.LineSegments(geometry, JOINT);
    lines.renderOrder = 5;
    this.marks.add(lines);
  }
}

/** A cross at the centre of mass, and the box with the same inertia. */
function centreMarks(numbers: Float32Array, reach: number): THREE.Object3D[] {
  const centre = new THREE.Vector3().fromArray(numbers, 0);
  const { moments: [xx, yy, zz], turn } = principal([...numbers.subarray(9, 15)]);
  const mass = numbers[15];
  const side = (a: number, b: number, c: number) => Math.sqrt(Math.max((6 * (a + b - c)) / (mass || 1), 1e-12));
  const box = new THREE.LineSegments(
    new THREE.EdgesGeometry(new THREE.BoxGeometry(side(yy, zz, xx), side(zz, xx, yy), side(xx, yy, zz))),
    new THREE.LineBasicMaterial({ color: 0xe0b020, depthTest: false, transparent: true, opacity: 0.8 }),
  );
  const cross = new THREE.AxesHelper(0.12 * reach);
  (cross.material as THREE.Material).depthTest = false;
  for (const mark of [box, cross]) {
    mark.position.copy(centre);
    mark.quaternion.copy(turn);
    mark.renderOrder = 5;
  }
  return [box, cross];
}
