// Cameras: around a point, following a body, as the scene wants it, framed on the selection.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Vec3 } from "../protocol";
import type { Store } from "../store";

/** Followed: no body, and all of them together. */
export const NOBODY = -1, EVERYBODY = -2;

/** A fall of so many times its size is seen from the start. */
const FAR_FALL = 6;

/** Farther than this from the middle of the picture, as a share of its half, things leave it. */
const EDGE = 0.75;

/** What has left the picture is caught up with within about this time [ms], until so little of the camera's distance is left. */
const CATCH = 270, CAUGHT = 0.02;

/** A view that changes by less than this share stands still. */
const STILL = 1e-6;

export class Cameras {
  readonly camera = new THREE.PerspectiveCamera(34, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  /** Body that is followed, NOBODY or EVERYBODY. */
  follow = NOBODY;
  /** Called when something else is followed. */
  onFollow: () => void = () => {};
  private last = new THREE.Vector3();
  /** Whether bodies have been in the middle of the picture, and nobody has turned the camera since the scene began. */
  private centred = false;
  private untouched = true;
  /** Whether what has left the picture is being brought back to its middle. */
  private catching = false;
  /** How the world was last projected onto the picture. */
  private seen = new THREE.Matrix4();

  constructor(private readonly store: Store, canvas: HTMLElement) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("start", () => { this.untouched = this.catching = false; });
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
  }

  /** As the scene wants to be looked at. */
  fromScene(): void {
    const view = this.store.model?.view;
    this.follow = this.store.model?.bodies.findIndex((b) => b.name === view?.follow) ?? NOBODY;
    if (this.follow === NOBODY && !view?.eye && !view?.target && this.isAdrift()) this.follow = EVERYBODY;
    [this.centred, this.untouched, this.catching] = [false, true, false];
    this.onFollow();
    this.camera.fov = ((view?.angle ?? 0.6) * 180) / Math.PI;
    const gone = this.gone();
    const now = (place?: Vec3 | null) => place ? (place.map((p, k) => p + gone[k]) as Vec3) : null;
    this.frame(() => true, now(view?.eye), now(view?.target), true);
  }

  /** How far the body that the scene wants to be followed has gone since it began: who looks later looks as far on [m]. */
  private gone(): Vec3 {
    const start = this.store.model?.view.start;
    return start && this.follow >= 0 ? this.middle(this.follow).sub(new THREE.Vector3(...start)).toArray() : [0, 0, 0];
  }

  /** Middle and reach of what is to be seen: with the place on the ground where it will fall, if that is not far. */
  private around(wanted: (e: number) => boolean, withGround: boolean): { centre: Vec3; reach: number } | null {
    const around = this.store.bounds(wanted);
    const ground = this.store.model?.obstacles.find((o) => o.kind === "plane" && (o.normal?.[2] ?? 0) > 0.99);
    if (!around || !ground || !withGround) return around;
    const [x, y, z] = around.centre;
    const gap = z - around.reach - (ground.offset ?? 0);
    if (gap <= 0 || gap > FAR_FALL * around.reach) return around;
    return { centre: [x, y, z - 0.5 * gap], reach: around.reach + 0.5 * gap };
  }

  /** Such that these elements fill the picture. */
  frame(wanted: (e: number) => boolean, eye: Vec3 | null = null, target: Vec3 | null = null, withGround = false): void {
    const around = this.around(wanted, withGround);
    const centre = new THREE.Vector3(...(target ?? around?.centre ?? [0, 0, 0]));
    const reach = Math.max(around?.reach ?? 1, 1e-3);
    // Narrow windows need more distance.
    const angle = (this.camera.fov * Math.PI) / 180;
    const narrow = Math.min(1, this.camera.aspect);
    const distance = (1.25 * reach) / Math.sin(0.5 * angle) / narrow;
    const direction = eye ? new THREE.Vector3(...eye).sub(centre) : new THREE.Vector3(0.45, -1, 0.42);
    const length = eye ? direction.length() / Math.min(1, narrow * 1.2) : distance;
    this.camera.position.copy(centre).addScaledVector(direction.normalize(), length);
    this.camera.near = 0.004 * Math.max(length, reach);
    this.camera.far = 60 * Math.max(length, reach);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    // The picture that is being made asks where the camera is before it is drawn.
    this.camera.updateMatrixWorld();
    this.rememberFollowed();
  }

  setFollow(body: number): void {
    this.follow = body;
    this.catching = false;
    this.untouched = false;
    this.rememberFollowed();
    this.onFollow();
  }

  /** True if nothing in the scene stays where it is: what flies away is looked after. */
  private isAdrift(): boolean {
    const { model, held } = this.store;
    const toWorld = model?.joints.some((j) => j.pairs.some((pair) => pair.some((side) => side.element === null)));
    return Boolean(model) && !model!.obstacles.length && !toWorld && !held.some((h) => h);
  }

  /** Bodies that leave the picture are followed, unless somebody has looked elsewhere himself or moves them. */
  private lookAfter(): void {
    const { count, status } = this.store;
    if (this.follow !== NOBODY || !this.untouched || !count || status.hands.length) return;
    const { x, y } = this.middle(EVERYBODY).project(this.camera);
    const isCentred = Math.max(Math.abs(x), Math.abs(y)) < EDGE;
    if (this.centred && !isCentred) {
      this.setFollow(EVERYBODY);
      this.catching = true;
    }
    this.centred ||= isCentred;
  }

  /** The size of a pixel at the point that the camera turns about [m]. */
  pixel(height: number): number {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return (2 * distance * Math.tan((0.5 * this.camera.fov * Math.PI) / 180)) / Math.max(height, 1);
  }

  /** Looks after what is followed, so long after the last time [ms]; true if the view has changed. */
  update(passed: number): boolean {
    this.lookAfter();
    if (this.follow !== NOBODY) {
      const now = this.middle(this.follow);
      // Who pulls at something sees it move, not the world around it.
      const moved = now.clone().sub(this.last).multiplyScalar(this.store.status.hands.length ? 0 : 1);
      if (this.catching && !this.store.status.hands.length) moved.add(this.lag(now, passed));
      this.camera.position.add(moved);
      this.controls.target.add(moved);
      this.last.copy(now);
    }
    this.controls.update();
    this.camera.updateMatrixWorld();
    const now = this.camera.projectionMatrix.clone().multiply(this.camera.matrixWorldInverse);
    const size = Math.max(...now.elements.map(Math.abs));
    const changed = now.elements.some((v, i) => Math.abs(v - this.seen.elements[i]) > STILL * size);
    // Compared with the last view that counted: what creeps counts in the end.
    if (changed) this.seen.copy(now);
    return changed;
  }

  /** The part of the way to what has left the middle that is gone in this time [ms], however many pictures there are in it. */
  private lag(now: THREE.Vector3, passed: number): THREE.Vector3 {
    const way = now.clone().sub(this.controls.target);
    this.catching = way.length() > CAUGHT * this.camera.position.distanceTo(this.controls.target);
    return way.multiplyScalar(1 - Math.exp(-passed / CATCH));
  }

  private rememberFollowed(): void {
    if (this.follow !== NOBODY) this.last.copy(this.middle(this.follow));
  }

  /** The middle of a body, or of all of them. */
  private middle(wanted: number): THREE.Vector3 {
    const { body, x, count } = this.store;
    const sum = new THREE.Vector3();
    let n = 0;
    for (let e = 0; e < count; e++) {
      if (body[e] !== wanted && wanted !== EVERYBODY) continue;
      sum.x += x[3 * e]; sum.y += x[3 * e + 1]; sum.z += x[3 * e + 2];
      n += 1;
    }
    return n ? sum.divideScalar(n) : this.last.clone();
  }
}
