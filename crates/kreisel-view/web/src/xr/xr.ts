// VR and AR through WebXR: the world in front of the viewer, to be walked around, scaled, grabbed and torn.

import * as THREE from "three";
import type { Stage } from "../draw/stage";
import type { Link } from "../link";
import type { Store } from "../store";
import { iconButton } from "../ui/dom";
import { Grip } from "./grip";
import { Teleport } from "./teleport";
import { Wrist } from "./wrist";

/** Reach of the scene when it is first seen [m]. */
const COMFORT = 0.9;
/** Where its middle is first seen: at breast height, an arm's length and a half away [m]. */
const PLACE = new THREE.Vector3(0, 1.1, -1.3);
/** Walking speed with the stick [m/s]. */
const WALK = 1.6;
/** A push of the right stick aside turns by this angle [rad]. */
const TURN = Math.PI / 6;
const UP = new THREE.Vector3(0, 1, 0);

type Mode = "immersive-vr" | "immersive-ar";

export class Xr {
  readonly buttons: HTMLButtonElement[];
  readonly grips: Grip[] = [];
  /** Called when a session begins or ends. */
  onChange: () => void = () => {};
  private session: XRSession | null = null;
  readonly wrist: Wrist;
  readonly teleport = new Teleport();
  private turned = false;
  private saved: { position: THREE.Vector3; quaternion: THREE.Quaternion } | null = null;
  private last = 0;
  private pinch: { middle: THREE.Vector3; span: number; angle: number } | null = null;

  constructor(private readonly store: Store, private readonly stage: Stage, private readonly link: Link) {
    this.buttons = [this.entry("immersive-vr", "vr", "enter VR"), this.entry("immersive-ar", "ar", "enter AR")];
    this.wrist = new Wrist(store, [
      { label: () => (store.status.running ? "pause" : "run"), act: () => this.runOrPause() },
      { label: () => "step", act: () => link.ask({ ask: "step" }) },
      { label: () => "rigid/soft", act: () => (this.grips.find((g) => g.body >= 0) ?? this.grips[0])?.toggleRigid() },
      { label: () => "size", act: () => this.trueSize() },
    ]);
    stage.before.push((now, frame) => { if (frame) this.update(now); });
  }

  get isOn(): boolean {
    return this.session !== null;
  }

  /** A button that is there where the browser can do it. */
  private entry(mode: Mode, icon: string, label: string): HTMLButtonElement {
    const button = iconButton(icon, label, label.toLowerCase().replace(" ", "-"), () => void this.toggle(mode));
    button.hidden = true;
    void navigator.xr?.isSessionSupported(mode).then((can) => { button.hidden = !can; }).catch(() => {});
    return button;
  }

  async toggle(mode: Mode): Promise<void> {
    if (this.session) return void this.session.end();
    const session = await navigator.xr!.requestSession(mode, { optionalFeatures: ["local-floor", "hand-tracking"] });
    this.session = session;
    // In AR the real floor is the ground.
    this.stage.fixed.showGrounds(mode === "immersive-vr");
    session.addEventListener("end", () => this.leave());
    const { renderer, cameras } = this.stage;
    this.saved = { position: cameras.camera.position.clone(), quaternion: cameras.camera.quaternion.clone() };
    renderer.xr.enabled = true;
    renderer.xr.setReferenceSpaceType("local-floor");
    cameras.camera.near = 0.02;
    cameras.camera.far = 200;
    await renderer.xr.setSession(session);
    this.arrange();
    this.onChange();
  }

  private leave(): void {
    this.session = null;
    for (const grip of this.grips) grip.dispose();
    this.grips.length = 0;
    const { renderer, cameras, root } = this.stage;
    this.stage.fixed.showGrounds(true);
    this.stage.scene.remove(this.teleport.mark);
    renderer.xr.enabled = false;
    root.position.set(0, 0, 0);
    root.quaternion.identity();
    root.scale.setScalar(1);
    if (this.saved) cameras.camera.position.copy(this.saved.position);
    if (this.saved) cameras.camera.quaternion.copy(this.saved.quaternion);
    this.stage.resize();
    cameras.fromScene();
    this.onChange();
  }

  /** Puts the scene in front of the viewer, its z upwards, and gives him hands. */
  private arrange(): void {
    const { root, reach, renderer, scene } = this.stage;
    const centre = new THREE.Vector3(...(this.store.bounds(() => true)?.centre ?? [0, 0, 0]));
    root.quaternion.setFromAxisAngle(new THREE.Vector3(1, 0, 0), -Math.PI / 2);
    root.scale.setScalar(COMFORT / reach);
    root.updateMatrixWorld();
    root.position.copy(PLACE).sub(centre.applyQuaternion(root.quaternion).multiplyScalar(root.scale.x));
    for (let i = 0; i < 2; i++) this.grips.push(new Grip(i, renderer, scene, this.store, this.stage, this.link));
    scene.add(this.teleport.mark);
  }

  private update(now: number): void {
    if (!this.session) return;
    const passed = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    for (const grip of this.grips) grip.update();
    this.press();
    for (const grip of this.grips) this.move(grip, passed);
    this.moveWorld();
    const bearer = this.grips.find((g) => g.handedness === "left") ?? this.grips[0];
    bearer.attach(this.wrist.mesh);
    this.wrist.touch(this.grips.filter((g) => g !== bearer).map((g) => g.place()));
    this.wrist.update(now);
  }

  /** Left: X runs and pauses, Y steps. Right: A makes what is held rigid or soft, B sets it in its true size. */
  private press(): void {
    for (const grip of this.grips) {
      const left = grip.handedness === "left";
      if (grip.pressed(4)) left ? this.runOrPause() : grip.toggleRigid();
      if (grip.pressed(5)) left ? this.link.ask({ ask: "step" }) : this.trueSize();
    }
  }

  private runOrPause(): void {
    this.link.ask({ ask: this.store.status.running ? "pause" : "run" });
  }

  /** The left stick walks; the right one turns, and pushed forward it aims at a place on the floor to stand on. */
  private move(grip: Grip, passed: number): void {
    const [x, y] = grip.stick();
    const { root } = this.stage;
    const camera = this.stage.renderer.xr.getCamera();
    const head = camera.getWorldPosition(new THREE.Vector3());
    if (grip.handedness === "right") {
      const { origin, ahead } = grip.aim();
      const goal = this.teleport.update(y > 0.6, origin, ahead);
      if (goal) root.position.add(head.sub(goal).setY(0));
      const turns = Math.abs(x) > 0.7 && Math.abs(y) < 0.5;
      if (turns && !this.turned) this.turnAbout(head, Math.sign(x) * TURN);
      this.turned = turns;
    } else if (Math.hypot(x, y) > 0.2) {
      const ahead = camera.getWorldDirection(new THREE.Vector3()).setY(0).normalize();
      const aside = new THREE.Vector3().crossVectors(ahead, UP);
      root.position.addScaledVector(ahead, -y * WALK * passed).addScaledVector(aside, -x * WALK * passed);
    }
  }

  /** The world turns about the viewer. */
  private turnAbout(head: THREE.Vector3, angle: number): void {
    const { root } = this.stage;
    const turn = new THREE.Quaternion().setFromAxisAngle(UP, angle);
    root.position.sub(head).applyQuaternion(turn).add(head);
    root.quaternion.premultiply(turn);
  }

  /** The world in its own size, standing on the floor if it has a ground. */
  private trueSize(): void {
    const { root, fixed } = this.stage;
    const scale = root.scale.x === 1 ? COMFORT / this.stage.reach : 1;
    root.scale.setScalar(scale);
    const ground = fixed.grounds.find((g) => g.normal.z > 0.9);
    if (ground && scale === 1) root.position.y = -ground.offset;
  }

  /** One squeezed hand drags the world, two scale and turn it. */
  private moveWorld(): void {
    const squeezed = this.grips.filter((g) => g.isSqueezed);
    if (!squeezed.length) return void (this.pinch = null);
    const places = squeezed.map((g) => g.place());
    const middle = places.reduce((sum, p) => sum.add(p), new THREE.Vector3()).divideScalar(places.length);
    const arm = places.length > 1 ? places[1].clone().sub(places[0]) : new THREE.Vector3(1, 0, 0);
    const now = { middle, span: places.length > 1 ? arm.length() : 0, angle: Math.atan2(arm.z, arm.x) };
    const before = this.pinch;
    this.pinch = now;
    if (!before || (before.span === 0) !== (now.span === 0)) return;
    const { root } = this.stage;
    const factor = before.span > 0.01 ? now.span / before.span : 1;
    const turn = new THREE.Quaternion().setFromAxisAngle(UP, before.angle - now.angle);
    root.position.sub(before.middle).multiplyScalar(factor).applyQuaternion(turn).add(now.middle);
    root.quaternion.premultiply(turn);
    root.scale.multiplyScalar(factor);
  }
}
