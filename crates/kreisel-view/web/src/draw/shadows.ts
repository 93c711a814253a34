// Shadows on a plane: everything, flattened along the light into a small picture that the plane is darkened by.

import * as THREE from "three";
import type { Store } from "../store";
import type { Cameras } from "./cameras";
import { SUN } from "./materials";
import * as S from "./shaders";
import { Stamps } from "./stamps";

/** The picture grows by steps of this factor, so that it does not tremble. */
const STEP = 1.25;
/** Shadows are drawn so many times the distance of the camera around what it looks at. */
const FAR = 2;
/** Around elements, so much of the width of all shadows is left for skins. */
const AROUND = 0.03;
/** Shadows are blurred by so many pixels of their picture. */
export const BLUR = 1.5;
/** Light along the plane would cast shadows without end. */
export const LOWEST = 0.05;

/** Balls that are drawn: middle and radius of each [m]; the first are elements, `shown`, the others exact. */
export interface DrawnBalls { places: Float32Array; count: number; shown: number[] }

/** Told of a ball: its middle and radius [m]. */
export type EachBall = (x: number, y: number, z: number, r: number) => void;

/** A plane and the part of it that a picture shows. */
export interface Plane {
  readonly normal: THREE.Vector3;
  readonly offset: number;
  readonly axes: [THREE.Vector3, THREE.Vector3];
  /** Middle and half the width of what the picture shows, along the axes [m]. */
  readonly frame: { value: THREE.Vector3 };
  /** Width of a pixel of the picture on the plane [m]. */
  readonly texel: number;
}

/** The shadows on one plane. */
export class Shadows implements Plane {
  /** What casts them, by how it is drawn. */
  readonly balls = new THREE.Group();
  readonly skins = new THREE.Group();
  readonly target: THREE.WebGLRenderTarget;
  readonly frame = { value: new THREE.Vector3(0, 0, 1) };
  /** Least and largest places of shadows along the axes [m]: there, and only there, the picture is read. */
  readonly fallen = { value: new THREE.Vector4(-1, -1, 1, 1) };
  readonly materials: Record<"ball" | "skin" | "shape", THREE.ShaderMaterial>;
  /** The picture that the plane is darkened by. */
  readonly picture: { value: THREE.Texture };
  /** The shadows of balls, where they are not drawn like the others. */
  private stamps: Stamps | null;
  private scene = new THREE.Scene();
  private camera = new THREE.Camera();

  constructor(readonly normal: THREE.Vector3, readonly offset: number, readonly axes: [THREE.Vector3, THREE.Vector3], size: number, stamped: boolean) {
    this.target = new THREE.WebGLRenderTarget(size, size, { format: THREE.RedFormat, depthBuffer: false, generateMipmaps: false });
    const uniforms = { light: { value: SUN }, ground: { value: new THREE.Vector4(...normal.toArray(), offset) }, first: { value: axes[0] }, second: { value: axes[1] }, frame: this.frame };
    const make = (vertexShader: string, fragmentShader = S.SHADOW_FRAGMENT) => new THREE.ShaderMaterial({ glslVersion: THREE.GLSL3, vertexShader, fragmentShader, uniforms, side: THREE.DoubleSide, depthTest: false, depthWrite: false });
    this.materials = { ball: make(S.BALL_SHADOW, S.BALL_SHADOW_FRAGMENT), skin: make(S.SKIN_SHADOW), shape: make(S.SHAPE_SHADOW) };
    this.picture = { value: this.target.texture };
    this.stamps = stamped ? new Stamps(size) : null;
    if (this.stamps) this.balls.add(sheet(this.stamps.texture));
    this.scene.add(this.balls, this.skins);
  }

  dispose(): void {
    this.target.dispose();
    this.stamps?.dispose();
    Object.values(this.materials).forEach((material) => material.dispose());
  }

  get texel(): number {
    return (2 * this.frame.value.z) / this.target.width;
  }

  /** False if there are too many planes for one more with shadows. */
  get isShown(): boolean {
    return this.target.width > 1;
  }

  /** Adds what casts a shadow; it is taken out with its group. */
  add(kind: "ball" | "skin" | "shape", geometry: THREE.BufferGeometry): void {
    if (kind === "ball" && this.stamps) return;
    const mesh = new THREE.Mesh(geometry, this.materials[kind]);
    mesh.frustumCulled = false;
    (kind === "ball" ? this.balls : this.skins).add(mesh);
  }

  /** Draws them anew; balls are four numbers each, middle and radius [m], and shapes are given by balls around them. */
  draw(renderer: THREE.WebGLRenderer, store: Store, cameras: Cameras, balls: DrawnBalls, shapes: (each: EachBall) => void): void {
    if (!this.isShown) return;
    this.fit(store, cameras, balls, shapes);
    this.stamps?.fill(balls.places, balls.count, this, SUN);
    const stampsOnly = this.stamps && (!this.skins.visible || !this.skins.children.length);
    this.picture.value = stampsOnly ? this.stamps!.texture : this.target.texture;
    this.balls.visible = balls.count > 0;
    if (stampsOnly) return;
    const [xr, clear, alpha] = [renderer.xr.enabled, renderer.getClearColor(new THREE.Color()), renderer.getClearAlpha()];
    renderer.xr.enabled = false;
    renderer.setClearColor(0x000000, 0);
    renderer.setRenderTarget(this.target);
    renderer.render(this.scene, this.camera);
    renderer.setRenderTarget(null);
    renderer.setClearColor(clear, alpha);
    renderer.xr.enabled = xr;
  }

  /** Shows just the part of the plane that shadows fall on, as far as it is near to what the camera looks at. */
  private fit(store: Store, { camera, controls: { target } }: Cameras, balls: DrawnBalls, shapes: (each: EachBall) => void): void {
    const { x, radius, count } = store;
    const [n, [u, v]] = [this.normal, this.axes];
    const c = Math.max(SUN.dot(n), LOWEST);
    const [lu, lv] = [SUN.dot(u) / c, SUN.dot(v) / c];
    // Where a point falls is linear in where it is: x · (u − lu n) + offset lu.
    const ax = u.x - lu * n.x, ay = u.y - lu * n.y, az = u.z - lu * n.z, bx = v.x - lv * n.x, by = v.y - lv * n.y, bz = v.z - lv * n.z;
    const [aOff, bOff, perHeight] = [this.offset * lu, this.offset * lv, 1 / c];
    // In an array: numbers that a function keeps changing outside of itself are slow.
    const ends = Float64Array.of(Infinity, -Infinity, Infinity, -Infinity);
    const cover: EachBall = (px, py, pz, ball) => {
      const r = ball * perHeight;
      const a = px * ax + py * ay + pz * az + aOff, b = px * bx + py * by + pz * bz + bOff;
      if (a - r < ends[0]) ends[0] = a - r;
      if (a + r > ends[1]) ends[1] = a + r;
      if (b - r < ends[2]) ends[2] = b - r;
      if (b + r > ends[3]) ends[3] = b + r;
    };
    for (let e = 0; e < count; e++) cover(x[3 * e], x[3 * e + 1], x[3 * e + 2], radius[e]);
    // The elements of exact bodies say nothing about how far those reach.
    const { places, shown } = balls;
    for (let k = 4 * shown.length; k < 4 * balls.count; k += 4) cover(places[k], places[k + 1], places[k + 2], places[k + 3]);
    shapes(cover);
    let [a0, a1, b0, b1] = ends;
    const [ta, tb, far] = [target.dot(u), target.dot(v), FAR * camera.position.distanceTo(target)];
    [a0, a1] = [Math.max(a0, ta - far), Math.min(a1, ta + far)];
    [b0, b1] = [Math.max(b0, tb - far), Math.min(b1, tb + far)];
    if (!(a1 > a0 && b1 > b0)) return;
    const half = STEP ** Math.ceil(Math.log((0.5 + AROUND) * Math.max(a1 - a0, b1 - b0)) / Math.log(STEP));
    this.frame.value.z = half;
    const snap = (middle: number) => this.texel * Math.round(middle / this.texel);
    this.frame.value.set(snap(0.5 * (a0 + a1)), snap(0.5 * (b0 + b1)), half);
    this.fallen.value.set(a0, b0, a1, b1);
    const beyond = AROUND * Math.max(a1 - a0, b1 - b0) + BLUR * this.texel;
    for (let i = 0; i < 4; i++) this.fallen.value.setComponent(i, this.fallen.value.getComponent(i) + (i < 2 ? -beyond : beyond));
  }
}

/** A picture over the whole of another. */
function sheet(texture: THREE.Texture): THREE.Mesh {
  const material = new THREE.ShaderMaterial({ glslVersion: THREE.GLSL3, vertexShader: S.SHEET_VERTEX, fragmentShader: S.SHEET_FRAGMENT, uniforms: { sheet: { value: texture } }, depthTest: false, depthWrite: false });
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
  mesh.frustumCulled = false;
  return mesh;
}
