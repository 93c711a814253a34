// The fixed world: grounds with a grid, boxes and balls.

import * as THREE from "three";
import type { Obstacle } from "../protocol";
import { niceAbove } from "./colours";
import * as materials from "./materials";
import { Shadows } from "./shadows";

/** So many planes have shadows. */
const MOST_SHADOWED = 2;

export class Fixed {
  readonly group = new THREE.Group();
  /** The planes with their shadows. */
  grounds: Shadows[] = [];
  private planes: THREE.ShaderMaterial[] = [];
  private bare = false;

  /** `detail` is the width of the pictures of shadows [pixels]. */
  constructor(private readonly detail: number) {}

  build(obstacles: Obstacle[], reach: number, centre: THREE.Vector3): void {
    this.grounds.forEach((ground) => ground.dispose());
    this.group.clear();
    this.planes = [];
    this.grounds = [];
    for (const obstacle of obstacles) {
      if (obstacle.kind === "plane") this.addPlane(obstacle, reach, centre);
      else this.group.add(this.solid(obstacle));
    }
  }

  /** Colours of the ground near and far. */
  setTheme(near: THREE.Color, far: THREE.Color): void {
    for (const plane of this.planes) {
      plane.uniforms.colour.value = near;
      plane.uniforms.far.value = far;
    }
  }

  /** Shows the planes, or only the shadows on them. */
  showGrounds(on: boolean): void {
    this.bare = !on;
    for (const plane of this.planes) this.bareOrNot(plane);
  }

  private bareOrNot(plane: THREE.ShaderMaterial): void {
    plane.uniforms.bare.value = plane.transparent = this.bare;
    plane.depthWrite = !this.bare;
  }

  private addPlane(obstacle: Obstacle, reach: number, centre: THREE.Vector3): void {
    const normal = new THREE.Vector3(...(obstacle.normal ?? [0, 0, 1])).normalize();
    const offset = obstacle.offset ?? 0;
    const size = 14 * reach;
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    const axes: [THREE.Vector3, THREE.Vector3] = [new THREE.Vector3(1, 0, 0).applyQuaternion(turn), new THREE.Vector3(0, 1, 0).applyQuaternion(turn)];
    const shadows = new Shadows(normal, offset, axes, this.grounds.length < MOST_SHADOWED ? this.detail : 1);
    const material = materials.ground(niceAbove(reach / 5), size, shadows);
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2 * size, 2 * size), material);
    const foot = centre.clone().addScaledVector(normal, offset - centre.dot(normal));
    mesh.quaternion.copy(turn);
    const cell = material.uniforms.cell.value as number;
    // The grid stays where it is whatever the middle of the scene.
    mesh.position.copy(foot);
    if (normal.z > 0.999) mesh.position.set(cell * Math.round(foot.x / cell), cell * Math.round(foot.y / cell), foot.z);
    (material.uniforms.origin.value as THREE.Vector2).set(mesh.position.dot(axes[0]), mesh.position.dot(axes[1]));
    this.bareOrNot(material);
    this.planes.push(material);
    this.grounds.push(shadows);
    this.group.add(mesh);
  }

  private solid(obstacle: Obstacle): THREE.Mesh {
    const half = new THREE.Vector3(...(obstacle.half ?? [1, 1, 1]));
    const geometry = obstacle.kind === "box"
      ? new THREE.BoxGeometry(2 * half.x, 2 * half.y, 2 * half.z).toNonIndexed()
      : new THREE.SphereGeometry(obstacle.radius ?? 1, 48, 32).toNonIndexed();
    const count = geometry.attributes.position.count;
    geometry.setAttribute("tint", new THREE.BufferAttribute(new Float32Array(3 * count).fill(0.6), 3));
    geometry.setAttribute("edge", new THREE.BufferAttribute(new Float32Array(3 * count).fill(1), 3));
    const mesh = new THREE.Mesh(geometry, materials.solid());
    mesh.position.set(...(obstacle.centre ?? [0, 0, 0]));
    if (obstacle.rotation) mesh.quaternion.set(...obstacle.rotation);
    return mesh;
  }
}
