// A controller or a bare hand: shows where it is, takes hold of things by damped springs, and trembles with the force.

import * as THREE from "three";
import type { Stage } from "../draw/stage";
import type { Link } from "../link";
import { nearest, pick, type Hit } from "../pick";
import { PER_CONTACT, type Store } from "../store";

/** Things within this distance of the hand are taken directly, others along the ray [m]. */
const REACH = 0.12;
/** Numbers of hands begin here; the mouse has one of its own. */
const FIRST = 10;
/** Contact forces of so many times the weight of what is held shake the controller fully. */
const FULL_SHAKE = 4;
/** Steady weight on a support does not shake it; this share of the full strength does. */
const LEAST_SHAKE = 0.05;

export class Grip {
  handedness: XRHandedness = "none";
  isSqueezed = false;
  /** Body that was held last. */
  body = -1;
  private source: XRInputSource | null = null;
  private space: THREE.XRTargetRaySpace;
  private grip: THREE.XRGripSpace;
  private hand: THREE.XRHandSpace;
  private ball = new THREE.Mesh(new THREE.SphereGeometry(0.018, 16, 12), new THREE.MeshBasicMaterial({ color: 0x4ea1f3 }));
  private beam: THREE.Line;
  private held: { distance: number | null; offset: THREE.Vector3; begin: THREE.Quaternion } | null = null;
  /** How strongly it trembled last, as a share. */
  trembled = 0;
  private down: boolean[] = [];
  private joints = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 8, 6), new THREE.MeshBasicMaterial({ color: 0xc8d2dd }), 25);

  constructor(private readonly index: number, renderer: THREE.WebGLRenderer, private readonly scene: THREE.Scene, private readonly store: Store, private readonly stage: Stage, private readonly link: Link) {
    this.space = renderer.xr.getController(index);
    this.grip = renderer.xr.getControllerGrip(index);
    this.hand = renderer.xr.getHand(index);
    const points = [new THREE.Vector3(), new THREE.Vector3(0, 0, -3)];
    this.beam = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: 0x4ea1f3, transparent: true, opacity: 0.4 }));
    this.joints.frustumCulled = false;
    this.space.add(this.beam);
    this.grip.add(this.ball);
    scene.add(this.space, this.grip, this.hand, this.joints);
    for (const [name, act] of this.listeners) this.space.addEventListener(name as "select", act as never);
  }

  private readonly listeners: [string, (event: { data: XRInputSource }) => void][] = [
    ["connected", (event) => { this.source = event.data; this.handedness = event.data.handedness; }],
    ["disconnected", () => { this.release(); this.source = null; }],
    ["selectstart", () => this.take()],
    ["selectend", () => { this.release(); if (this.isBare) this.isSqueezed = false; }],
    ["squeezestart", () => { this.isSqueezed = true; }],
    ["squeezeend", () => { this.isSqueezed = false; }],
  ];

  /** True for a hand without controller. */
  get isBare(): boolean {
    return Boolean(this.source?.hand);
  }

  get isHolding(): boolean {
    return this.held !== null;
  }

  /** The ray of the controller, in the room. */
  aim(): { origin: THREE.Vector3; ahead: THREE.Vector3 } {
    const turn = this.space.getWorldQuaternion(new THREE.Quaternion());
    return { origin: this.space.getWorldPosition(new THREE.Vector3()), ahead: new THREE.Vector3(0, 0, -1).applyQuaternion(turn) };
  }

  dispose(): void {
    this.release();
    for (const [name, act] of this.listeners) this.space.removeEventListener(name as "select", act as never);
    this.space.remove(this.beam);
    this.grip.remove(this.ball);
    this.scene.remove(this.space, this.grip, this.hand, this.joints);
  }

  attach(thing: THREE.Object3D): void {
    if (thing.parent !== this.grip) this.grip.add(thing);
  }

  /** Where the hand is, in the room [m]. */
  place(): THREE.Vector3 {
    const tip = this.hand.joints?.["index-finger-tip"];
    const space = this.source?.hand && tip ? tip : this.source?.gripSpace ? this.grip : this.space;
    return space.getWorldPosition(new THREE.Vector3());
  }

  /** True once when a button goes down. */
  pressed(button: number): boolean {
    const now = this.source?.gamepad?.buttons[button]?.pressed ?? false;
    const before = this.down[button] ?? false;
    this.down[button] = now;
    return now && !before;
  }

  stick(): [number, number] {
    const axes = this.source?.gamepad?.axes ?? [];
    return [axes[2] ?? 0, -(axes[3] ?? 0)];
  }

  update(): void {
    this.drawHand();
    this.beam.visible = !this.held && !this.source?.hand;
    if (!this.held) return;
    const at = this.target();
    const turn = this.turned();
    this.act({ do: "pull", id: FIRST + this.index, at: at.toArray(), turn: turn.toArray() });
    this.shake();
  }

  toggleRigid(): void {
    if (this.body < 0) return;
    let soft = false;
    for (let e = 0; e < this.store.count; e++) if (this.store.body[e] === this.body && this.store.owner[e] === 0xffffffff) soft = true;
    this.act({ do: soft ? "make-rigid" : "make-soft", what: { body: this.body } });
  }

  private take(): void {
    const { root } = this.stage;
    const place = root.worldToLocal(this.place());
    const near = nearest(this.store, place, REACH / root.scale.x);
    // A bare hand takes what it touches; where there is nothing, it takes the world.
    const far = near || this.isBare ? null : this.along();
    const hit = near ?? far;
    if (!hit) {
      this.isSqueezed = this.isBare;
      return;
    }
    const distance = far ? far.distance * root.scale.x : null;
    this.held = { distance, offset: new THREE.Vector3(), begin: this.space.getWorldQuaternion(new THREE.Quaternion()) };
    this.body = hit.body;
    this.held.offset.copy(hit.point).sub(this.target());
    this.act({ do: "grab", id: FIRST + this.index, element: hit.element, at: hit.point.toArray(), firm: true });
  }

  private release(): void {
    if (!this.held) return;
    this.held = null;
    this.act({ do: "release", id: FIRST + this.index });
  }

  /** What the ray of the controller meets. */
  private along(): Hit | null {
    const { origin, ahead } = this.aim();
    const end = this.stage.root.worldToLocal(origin.clone().add(ahead));
    const begin = this.stage.root.worldToLocal(origin);
    return pick(this.store, this.stage, new THREE.Ray(begin, end.sub(begin).normalize()));
  }

  /** Where the hand pulls to, in the axes of the scene [m]. */
  private target(): THREE.Vector3 {
    const held = this.held;
    const place = this.place();
    if (held?.distance) {
      const { origin, ahead } = this.aim();
      place.copy(origin).addScaledVector(ahead, held.distance);
    }
    return this.stage.root.worldToLocal(place).add(held?.offset ?? new THREE.Vector3());
  }

  /** How far the hand has turned since it took hold, in the axes of the scene [rad]. */
  private turned(): THREE.Vector3 {
    const now = this.space.getWorldQuaternion(new THREE.Quaternion());
    const turn = now.multiply(this.held!.begin.clone().invert());
    const axis = new THREE.Vector3(turn.x, turn.y, turn.z);
    const sine = axis.length();
    if (sine < 1e-9) return axis.set(0, 0, 0);
    const angle = 2 * Math.atan2(sine, turn.w);
    axis.multiplyScalar((angle > Math.PI ? angle - 2 * Math.PI : angle) / sine);
    return axis.applyQuaternion(this.stage.root.getWorldQuaternion(new THREE.Quaternion()).invert());
  }

  /** The controller trembles with the contact forces on what it holds, beyond its weight. */
  private shake(): void {
    const actuator = (this.source?.gamepad as { hapticActuators?: { pulse?: (strength: number, time: number) => void }[] } | undefined)?.hapticActuators?.[0];
    if (!actuator?.pulse) return;
    const { store } = this;
    const low = new THREE.Vector3(Infinity, Infinity, Infinity), high = low.clone().negate();
    const x = new THREE.Vector3();
    let mass = 0;
    for (let e = 0; e < store.count; e++) {
      if (store.body[e] !== this.body) continue;
      mass += store.mass[e];
      x.fromArray(store.x, 3 * e);
      const r = 1.3 * store.radius[e];
      low.min(x.clone().subScalar(r));
      high.max(x.addScalar(r));
    }
    const weight = 9.81 * (mass || 1);
    const box = new THREE.Box3(low, high);
    let force = 0;
    for (let k = 0; k + PER_CONTACT <= store.contacts.length; k += PER_CONTACT) {
      if (box.containsPoint(x.fromArray(store.contacts, k))) force += Math.hypot(store.contacts[k + 3], store.contacts[k + 4], store.contacts[k + 5]);
    }
    const strength = (force - weight) / (FULL_SHAKE * weight);
    this.trembled = Math.max(strength, 0);
    if (strength > LEAST_SHAKE) void actuator.pulse(Math.min(strength, 1), 30);
  }

  private drawHand(): void {
    const joints = Object.values(this.hand.joints ?? {});
    this.joints.visible = Boolean(this.source?.hand) && joints.length > 0;
    this.ball.visible = !this.source?.hand;
    if (!this.joints.visible) return;
    const matrix = new THREE.Matrix4();
    joints.slice(0, 25).forEach((joint, i) => {
      const radius = joint?.jointRadius ?? 0.008;
      if (joint) this.joints.setMatrixAt(i, matrix.copy(joint.matrixWorld).scale(new THREE.Vector3(radius, radius, radius)));
    });
    this.joints.instanceMatrix.needsUpdate = true;
  }

  private act(action: Record<string, unknown>): void {
    this.link.ask({ ask: "act", action });
  }
}
