// Exact shapes: one geometry for all that are equal, and a pose for each.

import * as THREE from "three";
import type { SkinForm, Store } from "../store";
import type { Colouring } from "./colours";
import type { Shadows } from "./shadows";
import { addNormals } from "./skins";

export class Shapes {
  readonly group = new THREE.Group();
  private kinds: Kind[] = [];

  /** Takes over the shapes; balls are drawn elsewhere. */
  build(forms: SkinForm[], material: THREE.ShaderMaterial, grounds: Shadows[]): void {
    this.kinds.forEach((kind) => kind.geometry.dispose());
    this.group.clear();
    const alike = new Map<Float32Array, SkinForm[]>();
    for (const form of forms) alike.set(form.local!, [...(alike.get(form.local!) ?? []), form]);
    this.kinds = [...alike.values()].map((same) => new Kind(same, material, grounds));
    this.kinds.forEach((kind) => this.group.add(kind.group));
  }

  update(store: Store, colouring: Colouring, moved: boolean): void {
    this.kinds.forEach((kind) => kind.update(store, colouring, moved));
  }

  /** A ball around each: middle and radius [m]. */
  eachBall(store: Store, visit: (x: number, y: number, z: number, r: number) => void): void {
    this.kinds.forEach((kind) => kind.eachBall(store, visit));
  }
}

/** Shapes that differ in nothing but place and colour. */
class Kind {
  readonly group = new THREE.Group();
  readonly geometry = new THREE.InstancedBufferGeometry();
  private painted = -1;
  /** How far from the origin of its rigid body a shape reaches [m]. */
  private reach = 0;

  constructor(private readonly forms: SkinForm[], material: THREE.ShaderMaterial, grounds: Shadows[]) {
    const { local, triangles } = forms[0];
    const normals = new Float32Array(local!.length);
    for (let k = 0; k < local!.length; k += 3) this.reach = Math.max(this.reach, Math.hypot(local![k], local![k + 1], local![k + 2]));
    addNormals(triangles, local!, normals);
    this.geometry.setAttribute("position", new THREE.BufferAttribute(local!, 3));
    this.geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
    this.geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
    for (const [name, size] of [["at", 3], ["turn", 4], ["tint", 3]] as const) {
      this.geometry.setAttribute(name, new THREE.InstancedBufferAttribute(new Float32Array(size * forms.length), size).setUsage(THREE.DynamicDrawUsage));
    }
    this.geometry.instanceCount = forms.length;
    grounds.forEach((ground) => ground.add("shape", this.geometry));
    const mesh = new THREE.Mesh(this.geometry, material);
    mesh.frustumCulled = false;
    this.group.add(mesh);
  }

  eachBall({ owner, poses }: Store, visit: (x: number, y: number, z: number, r: number) => void): void {
    for (const { carrier } of this.forms) {
      const pose = 7 * owner[carrier!];
      if (pose + 7 <= poses.length) visit(poses[pose], poses[pose + 1], poses[pose + 2], this.reach);
    }
  }

  update(store: Store, colouring: Colouring, moved: boolean): void {
    const { at, turn, tint } = this.geometry.attributes;
    if (moved || this.painted < 0) {
      this.forms.forEach((form, k) => {
        const pose = 7 * store.owner[form.carrier!];
        if (pose + 7 > store.poses.length) return;
        (at.array as Float32Array).set(store.poses.subarray(pose, pose + 3), 3 * k);
        (turn.array as Float32Array).set(store.poses.subarray(pose + 3, pose + 7), 4 * k);
      });
      at.needsUpdate = turn.needsUpdate = true;
    }
    if (this.painted === colouring.version) return;
    this.painted = colouring.version;
    this.forms.forEach((form, k) => {
      for (let i = 0; i < 3; i++) tint.array[3 * k + i] = colouring.colours[3 * form.carrier! + i] / 255;
    });
    tint.needsUpdate = true;
  }
}

/** Place and orientation of the rigid body that carries a shape, if it has one. */
export function poseOf(store: Store, form: SkinForm): { at: THREE.Vector3; turn: THREE.Quaternion } | null {
  const pose = 7 * store.owner[form.carrier ?? 0];
  if (pose + 7 > store.poses.length) return null;
  return { at: new THREE.Vector3().fromArray(store.poses, pose), turn: new THREE.Quaternion().fromArray(store.poses, pose + 3) };
}

/** The vertices of a shape where it is [m]. */
export function placed(store: Store, form: SkinForm): Float32Array {
  const out = new Float32Array(form.local ?? []);
  const pose = poseOf(store, form);
  const v = new THREE.Vector3();
  for (let k = 0; pose && k < out.length; k += 3) v.fromArray(out, k).applyQuaternion(pose.turn).add(pose.at).toArray(out, k);
  return out;
}
