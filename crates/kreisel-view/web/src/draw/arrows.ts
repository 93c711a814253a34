// Arrows: instanced shafts and heads for forces and velocities.

import * as THREE from "three";

/** Arrows, all of one colour or each of its own. */
export class Arrows {
  readonly group = new THREE.Group();
  private shafts: THREE.InstancedMesh;
  private heads: THREE.InstancedMesh;

  /** At most so many; `through`: seen through bodies. */
  constructor(colour: number, private readonly most: number, through = false) {
    const material = new THREE.MeshBasicMaterial({ color: colour, depthTest: !through, transparent: through });
    const shaft = new THREE.CylinderGeometry(0.5, 0.5, 1, 6).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(1.4, 1, 8).translate(0, 0.5, 0);
    this.shafts = new THREE.InstancedMesh(shaft, material, most);
    this.heads = new THREE.InstancedMesh(head, material, most);
    this.shafts.frustumCulled = this.heads.frustumCulled = false;
    this.group.add(this.shafts, this.heads);
    this.shafts.renderOrder = this.heads.renderOrder = through ? 5 : 0;
    this.group.visible = false;
  }

  /** Draws arrows from points along vectors; `width` is the thickness of a shaft [m]. */
  show(count: number, from: (k: number, out: THREE.Vector3) => void, along: (k: number, out: THREE.Vector3) => void, width: number, colour?: (k: number) => THREE.Color): void {
    const n = Math.min(count, this.most);
    const [p, v, up, q, m, s] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(0, 1, 0), new THREE.Quaternion(), new THREE.Matrix4(), new THREE.Vector3()];
    for (let k = 0; k < n; k++) {
      from(k, p);
      along(k, v);
      const length = v.length();
      const head = Math.min(4 * width, 0.5 * length);
      q.setFromUnitVectors(up, length > 0 ? v.clone().divideScalar(length) : up);
      this.shafts.setMatrixAt(k, m.compose(p, q, s.set(width, Math.max(length - head, 1e-9), width)));
      p.addScaledVector(v, length > 0 ? 1 - head / length : 0);
      this.heads.setMatrixAt(k, m.compose(p, q, s.set(width, head, width)));
      if (colour) for (const part of [this.shafts, this.heads]) part.setColorAt(k, colour(k));
    }
    for (const part of [this.shafts, this.heads]) if (part.instanceColor) part.instanceColor.needsUpdate = true;
    this.shafts.count = this.heads.count = n;
    this.shafts.instanceMatrix.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
    this.group.visible = n > 0;
  }

  hide(): void {
    this.group.visible = false;
  }
}
