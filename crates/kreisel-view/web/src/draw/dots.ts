// Small balls where the processor draws: a point each, which costs half as much as a square of two triangles.

import * as THREE from "three";
import { DOT_FRAGMENT, DOT_VERTEX } from "./shaders";
import { shared } from "./materials";
import { send } from "./squares";

/** How bright the sun is, and how much brighter than below it is above. */
const DIRECT = 0.72, ABOVE = 0.135;

/** Balls as points, of each the part that can be seen. */
export class Dots {
  readonly points: THREE.Points;
  private geometry = new THREE.BufferGeometry();
  private place = new THREE.BufferAttribute(new Float32Array(0), 4);
  private tint = new THREE.BufferAttribute(new Uint8Array(0), 4, true);
  /** Middle and half the width of the part that is drawn, on the disc of the ball. */
  private part = new THREE.BufferAttribute(new Int8Array(0), 4, true);
  private uniforms = {
    light: { value: new THREE.Vector3() }, sky: { value: new THREE.Vector3() }, halfway: { value: new THREE.Vector3() },
    reach: { value: new THREE.Vector2() },
  };

  constructor() {
    const material = new THREE.ShaderMaterial({ glslVersion: THREE.GLSL3, vertexShader: DOT_VERTEX, fragmentShader: DOT_FRAGMENT, uniforms: this.uniforms });
    this.points = new THREE.Points(this.geometry, material);
    this.points.frustumCulled = false;
    this.points.onBeforeRender = (renderer, _scene, camera) => this.turn(renderer, camera);
    this.clear();
  }

  /** Shows none. */
  clear(): void {
    this.geometry.setDrawRange(0, 0);
    this.points.visible = false;
  }

  /** Shows those of many balls whose numbers are in `kept`; `trims` says of each what can be seen of its disc. */
  fill(balls: Float32Array, colours: Uint8Array, kept: Uint32Array, count: number, trims: Float32Array): void {
    this.reserve(count);
    const place = this.place.array, tint = this.tint.array, part = this.part.array;
    for (let i = 0; i < count; i++) {
      const k = 4 * kept[i], c = 3 * kept[i], at = 4 * i;
      place[at] = balls[k]; place[at + 1] = balls[k + 1]; place[at + 2] = balls[k + 2]; place[at + 3] = balls[k + 3];
      tint[at] = colours[c]; tint[at + 1] = colours[c + 1]; tint[at + 2] = colours[c + 2];
      // Rounded outwards: half a step of the middle, and one of the width.
      part[at] = Math.round(63.5 * (trims[k] + trims[k + 1]));
      part[at + 1] = Math.round(63.5 * (trims[k + 2] + trims[k + 3]));
      part[at + 2] = Math.min(127, Math.ceil(63.5 * Math.max(trims[k + 1] - trims[k], trims[k + 3] - trims[k + 2])) + 1);
    }
    for (const attribute of [this.place, this.tint, this.part]) send(attribute, 4 * count);
    this.geometry.setDrawRange(0, count);
    this.points.visible = count > 0;
  }

  private reserve(count: number): void {
    if (this.place.count >= count && this.geometry.attributes.place) return;
    const size = Math.ceil(1.2 * count) + 64;
    this.geometry.dispose();
    this.place = new THREE.BufferAttribute(new Float32Array(4 * size), 4).setUsage(THREE.DynamicDrawUsage);
    this.tint = new THREE.BufferAttribute(new Uint8Array(4 * size), 4, true).setUsage(THREE.DynamicDrawUsage);
    this.part = new THREE.BufferAttribute(new Int8Array(4 * size), 4, true).setUsage(THREE.DynamicDrawUsage);
    this.geometry.setAttribute("place", this.place);
    this.geometry.setAttribute("tint", this.tint);
    this.geometry.setAttribute("part", this.part);
  }

  /** Light and picture as the camera has them: the same for all, as if each ball were looked at straight ahead. */
  private turn(renderer: THREE.WebGLRenderer, camera: THREE.Camera): void {
    const { light, sky, halfway, reach } = this.uniforms;
    light.value.copy(shared.sun.value).transformDirection(camera.matrixWorldInverse);
    halfway.value.copy(light.value).setZ(light.value.z + 1).normalize();
    light.value.multiplyScalar(DIRECT);
    sky.value.copy(shared.up.value).transformDirection(camera.matrixWorldInverse).multiplyScalar(ABOVE);
    renderer.getDrawingBufferSize(reach.value).multiplyScalar(0.5);
    (this.points.material as THREE.ShaderMaterial).uniformsNeedUpdate = true;
  }
}
