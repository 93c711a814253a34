// The stage: everything that is drawn, brought up to date before every picture.

import * as THREE from "three";
import type { SkinForm, Store } from "../store";
import { Balls } from "./balls";
import { eyeOf, type Eye } from "./sieve";
import { Cameras } from "./cameras";
import { Colouring } from "./colours";
import { Fixed } from "./fixed";
import * as materials from "./materials";
import { Overlays, TWIST } from "./overlays";
import { Region, type Part } from "./region";
import { Rods } from "./rods";
import { Shapes } from "./shapes";
import { Skin } from "./skins";

// Colours go to the screen as they are written.
THREE.ColorManagement.enabled = false;

export type Show = "skins" | "elements" | "connections";

/** Where nothing moves, time between pictures, and time until it counts as rest [ms]. */
const IDLE = 200;
const REST = 400;
/** Slower than this, a moving picture gets fewer pixels; faster, more [ms]. */
const SLOW = 45;
const FAST = 24;
/** The same for who holds something, whose hand waits for every picture [ms]. */
const SLOW_HELD = 28;
const FAST_HELD = 18;
/** Of pictures that come this soon after each other, nobody sees a shadow that is one late [ms]. */
const SMOOTH = 34;
/** Width of the pictures of shadows where the processor draws, and where it does not [pixels]. */
const COARSE = 320;
const FINE = 1024;
/** Beyond so many, connections are lines: where the processor draws, and where it does not. */
const FEW_RODS = 600;
const MOST_RODS = 24000;
/** Reach of the arrow of a hand around its ends, as a share of the scene. */
const HAND = 0.05;
/** Size of a ball where connections are shown. */
const SMALL = 0.32;

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  /** The world; VR moves and scales it. */
  readonly root = new THREE.Group();
  readonly cameras: Cameras;
  readonly colouring: Colouring;
  readonly overlays: Overlays;
  readonly balls: Balls;
  readonly rods: Rods;
  readonly fixed: Fixed;
  readonly shapes = new Shapes();
  /** Surfaces that deform. */
  skins: Skin[] = [];
  show: Show = "skins";
  /** Size of the scene [m]. */
  reach = 1;
  /** Called before every picture. */
  readonly before: ((now: number, frame?: XRFrame) => void)[] = [];
  /** Time between pictures [ms], smoothed, and how many there were. */
  pace = 16;
  pictures = 0;
  private skinMaterial = materials.skin();
  private shapeMaterial = materials.shape();
  private skinGroup = new THREE.Group();
  private last = performance.now();
  private transparent = false;
  private framed = -1;
  private fresh = true;
  private slow: boolean;
  /** When the last picture was drawn and when something last moved [ms]; whether something else has changed since. */
  private drawn = 0;
  private moved = 0;
  private stale = true;
  /** The part of the picture that is drawn anew; whether it is all of it. */
  private region = new Region();
  private whole = true;
  /** Pixels of a moving picture along a side, as a share of those there are. */
  share = 1;

  constructor(private readonly store: Store, readonly canvas: HTMLCanvasElement) {
    this.slow = isSoftware();
    // Where the processor draws, what has not changed is kept from the picture before.
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.slow, preserveDrawingBuffer: this.slow, powerPreference: "high-performance", alpha: false });
    this.balls = new Balls(this.slow);
    this.fixed = new Fixed(this.slow ? COARSE : FINE, this.slow);
    this.rods = new Rods(this.slow ? FEW_RODS : MOST_RODS);
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.renderer.setPixelRatio(this.slow ? 1 : Math.min(devicePixelRatio, 2));
    this.cameras = new Cameras(store, canvas);
    this.colouring = new Colouring(store);
    this.overlays = new Overlays(store);
    this.root.add(this.fixed.group, this.skinGroup, this.balls.group, this.rods.group, this.overlays.group);
    this.scene.add(this.root);
    store.on("model", () => { this.fresh = true; });
    for (const topic of ["model", "topology", "skins"] as const) store.on(topic, () => { this.whole = true; });
    for (const topic of ["status", "topology", "skins", "scalars", "overlays"] as const) store.on(topic, () => { this.stale = true; });
    store.on("topology", () => this.choose());
    store.on("skins", () => this.rebuildSkins());
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
    this.resize();
    this.renderer.setAnimationLoop((now, frame) => this.draw(now, frame ?? undefined));
  }

  get isTransparent(): boolean {
    return this.transparent;
  }

  setShow(show: Show): void {
    this.show = show;
    this.choose();
  }

  setTransparent(on: boolean): void {
    this.transparent = on;
    this.whole = true;
    materials.setTransparent([this.skinMaterial, this.shapeMaterial, this.balls.material, this.rods.material], on);
  }

  setWireframe(on: boolean): void {
    this.skinMaterial.wireframe = this.shapeMaterial.wireframe = on;
    this.whole = true;
  }

  get isWireframe(): boolean {
    return this.skinMaterial.wireframe;
  }

  /** Colours of background and ground. */
  setTheme(background: string, near: string, far: string): void {
    this.scene.background = new THREE.Color().setStyle(background, THREE.LinearSRGBColorSpace);
    this.theme = [new THREE.Color().setStyle(near, THREE.LinearSRGBColorSpace), new THREE.Color().setStyle(far, THREE.LinearSRGBColorSpace)];
    this.fixed.setTheme(...this.theme);
    this.whole = true;
  }
  private theme: [THREE.Color, THREE.Color] = [new THREE.Color(0.8, 0.8, 0.8), new THREE.Color(0.1, 0.1, 0.1)];

  resize(): void {
    const parent = this.canvas.parentElement;
    if (!parent || this.renderer.xr.isPresenting) return;
    const { clientWidth: width, clientHeight: height } = parent;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.whole = true;
    this.cameras.resize(width, height);
  }

  /** Chooses which elements and connections are drawn. */
  choose(): void {
    const { store } = this;
    const { model } = store;
    if (!model) return;
    const seen = store.seenElements();
    const bare = (e: number) => model.bare[store.body[e]];
    const every = Array.from({ length: store.count }, (_, e) => e);
    const broken = new Set(store.broken);
    const links = (wanted: (e: number) => boolean) => {
      const found: number[] = [];
      for (let c = 0; 2 * c < store.ends.length; c++) if (wanted(store.ends[2 * c]) && wanted(store.ends[2 * c + 1]) && !broken.has(c)) found.push(c);
      return found;
    };
    this.whole = true;
    this.skinGroup.visible = this.show === "skins";
    this.fixed.grounds.forEach((ground) => { ground.skins.visible = this.skinGroup.visible; });
    if (this.show === "skins") {
      this.balls.show(every.filter(bare), 1, store.skins.filter(isBall));
      this.rods.show(links(bare), 0.35);
    } else if (this.show === "elements") {
      this.balls.show(every.filter((e) => seen[e]), 1);
      this.rods.show([], 0);
    } else {
      this.balls.show(every, SMALL);
      this.rods.show(links(() => true), 0.14);
    }
  }

  private rebuildSkins(): void {
    this.skins.forEach((skin) => skin.dispose());
    this.skinGroup.clear();
    this.fixed.grounds.forEach((ground) => ground.skins.clear());
    const { grounds } = this.fixed;
    this.skins = this.store.skins.filter((form) => !form.local).map((form) => new Skin(form, this.skinMaterial, grounds));
    this.skins.forEach((skin) => this.skinGroup.add(skin.group));
    this.shapes.build(this.store.skins.filter((form) => form.local && !isBall(form)), this.shapeMaterial, grounds);
    this.skinGroup.add(this.shapes.group);
    this.choose();
  }

  /** A new model: its world, its camera. */
  private settle(): void {
    const { store } = this;
    const model = store.model;
    if (!model) return;
    this.fresh = false;
    const around = store.bounds(() => true);
    this.reach = Math.max(around?.reach ?? 1, 1e-3);
    this.fixed.build(model.obstacles, this.reach, new THREE.Vector3(...(around?.centre ?? [0, 0, 0])));
    this.fixed.setTheme(...this.theme);
    this.balls.setGrounds(this.fixed.grounds);
    this.rebuildSkins();
    if (this.framed !== store.status.opened) {
      this.framed = store.status.opened;
      // With the first scene the gallery gives way to a picture whose shape nobody has told yet.
      this.resize();
      if (["skins", "elements", "connections"].includes(model.view.show)) this.show = model.view.show as Show;
      this.cameras.fromScene();
    }
    this.choose();
    this.colouring.update();
  }

  /** True if a good part of what there is can be seen, and is neither tiny nor all around. */
  seesBodies(): boolean {
    const { store } = this;
    const [p, q] = [new THREE.Vector3(), new THREE.Vector3()];
    let inside = 0;
    const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
    for (let e = 0; e < store.count; e++) {
      p.fromArray(store.x, 3 * e).project(this.cameras.camera);
      if (Math.abs(p.x) > 1 || Math.abs(p.y) > 1 || p.z > 1) continue;
      inside += 1;
      const r = (store.radius[e] * this.cameras.camera.projectionMatrix.elements[5]) / q.fromArray(store.x, 3 * e).distanceTo(this.cameras.camera.position);
      [p.x, p.y].forEach((c, i) => { low[i] = Math.min(low[i], c - r); high[i] = Math.max(high[i], c + r); });
    }
    return inside >= 0.3 * store.count && Math.max(high[0] - low[0], high[1] - low[1]) > 0.06;
  }

  private draw(now: number, frame?: XRFrame): void {
    // In VR the clock of the session counts; the store has the page's.
    const clock = performance.now();
    const passed = clock - this.last;
    this.last = clock;
    for (const act of this.before) act(now, frame);
    const moved = this.store.place(clock);
    if (this.canvas.clientWidth === 0) return;
    if (!this.isDue(clock, passed, moved)) return;
    if (!this.atRest) this.pace += 0.1 * (passed - this.pace);
    this.drawn = clock;
    this.stale = false;
    if (this.fresh && moved) this.settle();
    if (this.show === "skins") this.skins.forEach((skin) => skin.update(this.store, this.colouring, moved));
    if (this.show === "skins") this.shapes.update(this.store, this.colouring, moved);
    this.balls.update(this.store, this.colouring, moved, () => this.eye());
    this.rods.update(this.store, this.colouring, moved);
    this.overlays.update(this.reach, this.cameras.pixel(this.canvas.clientHeight));
    materials.turnLight(this.root.quaternion);
    this.adapt();
    // Where the processor draws, shadows keep up with every other picture only, as long as those are not too few for that.
    const waits = this.slow && this.pace < SMOOTH && this.pictures % 2 === 1;
    if (this.atRest || (moved && !waits)) this.fixed.grounds.forEach((ground) => ground.draw(this.renderer, this.store, this.cameras, this.balls, (each) => this.shapes.eachBall(this.store, each)));
    this.confine(this.slow ? this.changed() : null);
    this.renderer.render(this.scene, this.cameras.camera);
    this.pictures += 1;
  }

  /** What may differ from the picture before, `null` if that is all of it: as when the camera moves, or anything else is shown. */
  private changed(): Part | null {
    const whole = this.whole || this.atRest || !this.overlays.isBare || this.renderer.xr.isPresenting;
    this.whole = !this.overlays.isBare || this.renderer.xr.isPresenting;
    if (whole) this.region.forget();
    const { region, store } = this;
    const grounds = this.fixed.grounds.filter((ground) => ground.isShown);
    region.begin(this.cameras.camera, this.renderer.getDrawingBufferSize(new THREE.Vector2()), grounds);
    const { places, count } = this.balls;
    for (let k = 0; k < 4 * count; k += 4) region.add(places[k], places[k + 1], places[k + 2], places[k + 3]);
    if (this.show === "skins") {
      for (const { vertices: v } of this.skins) for (let k = 0; k < v.length; k += 3) region.add(v[k], v[k + 1], v[k + 2], 0);
      this.shapes.eachBall(store, (x, y, z, r) => region.add(x, y, z, r));
    }
    for (const { element: e, target, twists } of store.status.hands) {
      // The arrow of a hand is as thick as a small ball; that of a twist may point anywhere.
      const thick = HAND * this.reach;
      region.add(store.x[3 * e], store.x[3 * e + 1], store.x[3 * e + 2], thick + (twists ? TWIST * this.reach : 0));
      region.add(...target, thick);
    }
    return region.end();
  }

  /** Draws in a part of the picture only. */
  private confine(part: Part | null): void {
    this.renderer.setScissorTest(part !== null);
    if (!part) return;
    const ratio = this.renderer.getPixelRatio();
    this.renderer.setScissor(part.left / ratio, part.bottom / ratio, part.width / ratio, part.height / ratio);
  }

  /** What the camera sees, where hidden balls are left out: behind transparent ones and with two eyes, none is. */
  private eye(): Eye | null {
    if (!this.slow || this.transparent || this.renderer.xr.isPresenting) return null;
    const { camera, controls } = this.cameras;
    return eyeOf(camera, controls.target, this.canvas.width, this.canvas.height, this.balls.middling);
  }

  /** Where nothing moves, a picture now and then is enough: what else has changed is seen soon. */
  private isDue(clock: number, passed: number, moved: boolean): boolean {
    if (this.renderer.xr.isPresenting) return true;
    const looksElsewhere = this.cameras.update(passed);
    this.whole ||= looksElsewhere;
    if (looksElsewhere || moved) this.moved = clock;
    return this.moved === clock || this.stale || clock - this.drawn > IDLE;
  }

  private get atRest(): boolean {
    return this.last - this.moved > REST && !this.renderer.xr.isPresenting;
  }

  /** Slow machines draw fewer pixels, as long as something moves. */
  private adapt(): void {
    if (this.renderer.xr.isPresenting) return;
    if (!this.atRest && this.pictures % (this.slow ? 12 : 60) === 11) {
      const least = this.slow ? 0.5 : 0.75;
      const isHeld = this.store.status.hands.length > 0;
      if (this.pace > (isHeld ? SLOW_HELD : SLOW)) this.share = Math.max(least, this.share * 0.75);
      else if (this.pace < (isHeld ? FAST_HELD : FAST)) this.share = Math.min(1, this.share / 0.75);
    }
    const ratio = (this.slow ? 1 : Math.min(devicePixelRatio, 2)) * (this.atRest ? 1 : this.share);
    if (ratio === this.renderer.getPixelRatio()) return;
    this.renderer.setPixelRatio(ratio);
    this.whole = true;
  }
}

/** True for an exact ball, which is drawn as an impostor. */
function isBall(form: SkinForm): boolean {
  return typeof form.ball === "number";
}

/** True if the processor draws. */
function isSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const info = context?.getExtension("WEBGL_debug_renderer_info");
  const name = info && context ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}
