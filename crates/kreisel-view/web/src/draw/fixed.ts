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
  /** The material of the part of each plane that shadows fall on, and that of the rest. */
  private planes: THREE.ShaderMaterial[][] = [];
  private bare = false;

  /** `detail` is the width of the pictures of shadows [pixels]; `stamped`: balls are filled in without drawing. */
  constructor(private readonly detail: number, private readonly stamped: boolean) {}

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
    for (const [plane] of this.planes) {
      plane.uniforms.colour.value = near;
      plane.uniforms.far.value = far;
    }
  }

  /** Shows the planes, or only the shadows on them. */
  showGrounds(on: boolean): void {
    this.bare = !on;
    for (const plane of this.planes) this.bareOrNot(plane);
  }

  private bareOrNot([shadowed, rest]: THREE.ShaderMaterial[]): void {
    shadowed.uniforms.bare.value = shadowed.transparent = this.bare;
    shadowed.depthWrite = rest.visible = !this.bare;
  }

  private addPlane(obstacle: Obstacle, reach: number, centre: THREE.Vector3): void {
    const normal = new THREE.Vector3(...(obstacle.normal ?? [0, 0, 1])).normalize();
    const offset = obstacle.offset ?? 0;
    const size = 14 * reach;
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    const axes: [THREE.Vector3, THREE.Vector3] = [new THREE.Vector3(1, 0, 0).applyQuaternion(turn), new THREE.Vector3(0, 1, 0).applyQuaternion(turn)];
    const shadows = new Shadows(normal, offset, axes, this.grounds.length < MOST_SHADOWED ? this.detail : 1, this.stamped);
    const cell = niceAbove(reach / 5);
    const parts = materials.ground(cell, size, shadows);
    const mesh = new THREE.Mesh(nineParts(), parts);
    mesh.frustumCulled = false;
    // What bodies hide of it needs no colour.
    mesh.renderOrder = 1;
    const foot = centre.clone().addScaledVector(normal, offset - centre.dot(normal));
    mesh.quaternion.copy(turn);
    // The grid stays where it is whatever the middle of the scene.
    mesh.position.copy(foot);
    if (normal.z > 0.999) mesh.position.set(cell * Math.round(foot.x / cell), cell * Math.round(foot.y / cell), foot.z);
    (parts[0].uniforms.origin.value as THREE.Vector2).set(mesh.position.dot(axes[0]), mesh.position.dot(axes[1]));
    this.bareOrNot(parts);
    this.planes.push(parts);
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

/** A plane in nine parts, whose corners are at ±1 and ±2 until they are drawn; the part in the middle comes first. */
function nineParts(): THREE.BufferGeometry {
  const at = [-2, -1, 1, 2];
  const corners = at.flatMap((y) => at.flatMap((x) => [x, y, 0]));
  const cells = [4, 0, 1, 2, 3, 5, 6, 7, 8].map((k) => 4 * Math.floor(k / 3) + (k % 3));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  geometry.setIndex(cells.flatMap((k) => [k, k + 1, k + 5, k, k + 5, k + 4]));
  geometry.addGroup(0, 6, 0);
  geometry.addGroup(6, 48, 1);
  return geometry;
}
