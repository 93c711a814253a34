// A controller or a bare hand: shows where it is, takes hold of things by damped springs, and trembles with the force.

import * as THREE from "three";
import type { Stage } from "../draw/stage";
import type { Link } from "../link";
import { nearest, pick, type Hit } from "../pick";
import type { Store } from "../store";

/** Things within this distance of the hand are taken directly, others along the ray [m]. */
const REACH = 0.12;
/** Numbers of hands begin here; the mouse has one of its own. */
const FIRST = 10;
/** A force of so many times the weight of what is held shakes the controller fully. */
const FULL_SHAKE = 4;

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
    ["selectend", () => this.release()],
    ["squeezestart", () => { this.isSqueezed = true; }],
    ["squeezeend", () => { this.isSqueezed = false; }],
  ];

  dispose(): void {
    this.release();
    for (const [name, act] of this.listeners) this.space.removeEventListener(name as "select", act as never);
    this.space.remove(this.beam);
    this.grip.remove(this.ball);
    this.scene.remove(this.space, this.grip, this.hand, this.joints);
  }

  attach(thing: THREE.Object3D): void {
    this.grip.add(thing);
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
    const far = near ? null : this.along();
    const hit = near ?? far;
    if (!hit) return;
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
    const origin = this.space.getWorldPosition(new THREE.Vector3());
    const ahead = new THREE.Vector3(0, 0, -1).applyQuaternion(this.space.getWorldQuaternion(new THREE.Quaternion()));
    const end = this.stage.root.worldToLocal(origin.clone().add(ahead));
    const begin = this.stage.root.worldToLocal(origin);
    return pick(this.store, this.stage, new THREE.Ray(begin, end.sub(begin).normalize()));
  }

  /** Where the hand pulls to, in the axes of the scene [m]. */
  private target(): THREE.Vector3 {
    const held = this.held;
    const place = this.place();
    if (held?.distance) {
      const ahead = new THREE.Vector3(0, 0, -1).applyQuaternion(this.space.getWorldQuaternion(new THREE.Quaternion()));
      this.space.getWorldPosition(place).addScaledVector(ahead, held.distance);
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

  /** The controller trembles with the force that the hand feels, measured by the weight of what it holds. */
  private shake(): void {
    const force = this.store.status.hands.find((h) => h.id === FIRST + this.index)?.force;
    const actuator = (this.source?.gamepad as { hapticActuators?: { pulse?: (strength: number, time: number) => void }[] } | undefined)?.hapticActuators?.[0];
    if (!force || !actuator?.pulse) return;
    let mass = 0;
    for (let e = 0; e < this.store.count; e++) if (this.store.body[e] === this.body) mass += this.store.mass[e];
    const strength = Math.hypot(...force) / (FULL_SHAKE * 9.81 * (mass || 1));
    if (strength > 0.05) actuator.pulse(Math.min(strength, 1), 30);
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
