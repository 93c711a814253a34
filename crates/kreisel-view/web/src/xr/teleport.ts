// Teleport: push the stick forward, point at the floor, let go.

import * as THREE from "three";

/** As far as one can go at once [m]. */
const FAR = 8;

export class Teleport {
  readonly mark: THREE.Mesh;
  private aimed = false;

  constructor() {
    const ring = new THREE.RingGeometry(0.16, 0.22, 40).rotateX(-Math.PI / 2);
    this.mark = new THREE.Mesh(ring, new THREE.MeshBasicMaterial({ color: 0x4ea1f3, transparent: true, opacity: 0.9, side: THREE.DoubleSide }));
    this.mark.visible = false;
  }

  /** Aims while the stick is pushed; where to go once it is let go, `null` until then. */
  update(pushed: boolean, origin: THREE.Vector3, ahead: THREE.Vector3): THREE.Vector3 | null {
    if (pushed) {
      const distance = ahead.y < -1e-3 ? -origin.y / ahead.y : Infinity;
      const flat = distance * Math.hypot(ahead.x, ahead.z);
      this.aimed = this.mark.visible = flat < FAR;
      if (this.aimed) this.mark.position.copy(origin).addScaledVector(ahead, distance).setY(0.01);
      return null;
    }
    const goes = this.aimed;
    this.aimed = this.mark.visible = false;
    return goes ? this.mark.position.clone() : null;
  }
}
