// Joints as lines: where they are, about or along what they move, and what is held.

import * as THREE from "three";
import type { Joint, Side } from "../protocol";
import type { Store } from "../store";

/** Corners of the ring of a hinge. */
const RING = 20;

/** Line segments of all joints that hold and of all elements that are held; `size` is that of a mark [m]. */
export function jointLines(store: Store, size: number): number[] {
  const points: number[] = [];
  const parted = new Set(store.parted);
  (store.model?.joints ?? []).forEach((joint, k) => { if (!parted.has(k)) addJoint(points, store, joint, size); });
  const { held, x } = store;
  for (let e = 0; e < held.length; e++) if (held[e]) addCross(points, new THREE.Vector3().fromArray(x, 3 * e), 0.6 * size);
  return points;
}

function addJoint(points: number[], store: Store, joint: Joint, size: number): void {
  const axes = joint.pairs.map(([a, b]) => {
    const [p, q] = [place(store, a), place(store, b)];
    addCross(points, p.at, 0.5 * size);
    addLine(points, p.at, q.at);
    return p;
  });
  const { at, axis } = axes[0];
  // On free elements a hinge is two points.
  if (axes.length > 1) axis.copy(axes[1].at).sub(at).normalize();
  if (joint.kind === "hinge" || joint.kind === "slider") {
    const reach = joint.kind === "slider" ? 5 * size : 2.5 * size;
    addLine(points, at.clone().addScaledVector(axis, -reach), at.clone().addScaledVector(axis, reach));
  }
  if (joint.kind === "hinge" || joint.kind === "ball") addRing(points, at, joint.kind === "hinge" ? axis : new THREE.Vector3(0, 0, 1), size);
  if (joint.kind === "ball") addRing(points, at, new THREE.Vector3(1, 0, 0), size);
}

/** Where a side is, and its axis, in the world. */
function place(store: Store, side: Side): { at: THREE.Vector3; axis: THREE.Vector3 } {
  const [at, axis] = [new THREE.Vector3(...side.at), new THREE.Vector3(...side.axis)];
  if (side.element === null) return { at, axis };
  const pose = 7 * store.owner[side.element];
  if (!side.rigid || pose + 7 > store.poses.length) return { at: at.fromArray(store.x, 3 * side.element), axis };
  const turn = new THREE.Quaternion().fromArray(store.poses, pose + 3);
  return { at: at.applyQuaternion(turn).add(new THREE.Vector3().fromArray(store.poses, pose)), axis: axis.applyQuaternion(turn) };
}

function addLine(points: number[], a: THREE.Vector3, b: THREE.Vector3): void {
  points.push(a.x, a.y, a.z, b.x, b.y, b.z);
}

function addCross(points: number[], at: THREE.Vector3, size: number): void {
  for (const axis of [new THREE.Vector3(size, 0, 0), new THREE.Vector3(0, size, 0), new THREE.Vector3(0, 0, size)]) addLine(points, at.clone().sub(axis), at.clone().add(axis));
}

function addRing(points: number[], at: THREE.Vector3, axis: THREE.Vector3, radius: number): void {
  const u = new THREE.Vector3(Math.abs(axis.x) < 0.9 ? 1 : 0, Math.abs(axis.x) < 0.9 ? 0 : 1, 0).cross(axis).normalize();
  const v = axis.clone().cross(u);
  const corner = (k: number) => at.clone().addScaledVector(u, radius * Math.cos((2 * Math.PI * k) / RING)).addScaledVector(v, radius * Math.sin((2 * Math.PI * k) / RING));
  for (let k = 0; k < RING; k++) addLine(points, corner(k), corner(k + 1));
}
