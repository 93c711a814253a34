// Touching with mouse, pen and finger: select, push and twist, cut.

import * as THREE from "three";
import type { Stage } from "./draw/stage";
import type { Link } from "./link";
import { pick, type Hit } from "./pick";
import type { Vec3 } from "./protocol";
import type { Store } from "./store";

export type Tool = "look" | "grab" | "twist" | "cut" | "drop";

export interface Selection { body: number; elements: number[] | null; element: number }

/** Number of the hand that the mouse is. */
const MOUSE = 1;

export class Touch {
  tool: Tool = "look";
  selection: Selection | null = null;
  /** Called with the place where something new is dropped. */
  onDrop: (at: Vec3) => void = () => {};
  onSelect: () => void = () => {};
  onTool: () => void = () => {};
  private held: { plane: THREE.Plane; at: THREE.Vector3; twist: boolean; start: { x: number; y: number } } | null = null;
  private bodies = "";
  private stroke: { x: number; y: number }[] = [];
  private line: SVGPolylineElement;

  constructor(private readonly store: Store, private readonly stage: Stage, private readonly link: Link) {
    const canvas = stage.canvas;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "stroke");
    this.line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    svg.append(this.line);
    canvas.parentElement?.append(svg);
    canvas.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    for (const name of ["pointerup", "pointercancel"] as const) canvas.addEventListener(name, (event) => this.up(event), { capture: true });
    canvas.addEventListener("dblclick", (event) => this.select(this.at(event), event.altKey ? "element" : event.shiftKey ? "region" : "body"));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    store.on("model", () => this.newModel());
  }

  setTool(tool: Tool): void {
    this.tool = tool;
    this.stage.canvas.dataset.tool = tool;
    this.onTool();
  }

  /** The ray through a point of the picture. */
  ray(event: { clientX: number; clientY: number }): THREE.Ray {
    const box = this.stage.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    const caster = new THREE.Raycaster();
    caster.setFromCamera(at, this.stage.cameras.camera);
    return caster.ray;
  }

  private at(event: { clientX: number; clientY: number }): Hit | null {
    return pick(this.store, this.stage, this.ray(event));
  }

  /** A body, the elements around the point, or the one there. */
  select(hit: Hit | null, what: "body" | "region" | "element" = "body"): void {
    if (!hit) this.selection = null;
    else {
      const elements = what === "region" ? this.around(hit) : what === "element" ? [hit.element] : null;
      this.selection = { body: hit.body, elements, element: hit.element };
    }
    this.onSelect();
  }

  /** What is selected stays so as long as the bodies are the same. */
  private newModel(): void {
    const bodies = JSON.stringify(this.store.model?.bodies);
    if (bodies !== this.bodies) this.selection = null;
    this.bodies = bodies;
    this.onSelect();
  }

  /** What a request is about. */
  get chosen(): Record<string, unknown> | null {
    if (!this.selection) return null;
    return this.selection.elements ? { elements: this.selection.elements } : { body: this.selection.body };
  }

  private around(hit: Hit): number[] {
    const reach = 6 * this.store.radius[hit.element];
    const found: number[] = [];
    for (let e = 0; e < this.store.count; e++) {
      if (this.store.body[e] !== hit.body) continue;
      const d = Math.hypot(this.store.x[3 * e] - hit.point.x, this.store.x[3 * e + 1] - hit.point.y, this.store.x[3 * e + 2] - hit.point.z);
      if (d < reach) found.push(e);
    }
    return found;
  }

  private down(event: PointerEvent): void {
    const grabs = event.ctrlKey || event.metaKey || this.tool === "grab" || this.tool === "twist";
    if (this.tool === "cut" && !event.ctrlKey) {
      this.take(event);
      this.stroke = [{ x: event.clientX, y: event.clientY }];
    } else if (this.tool === "drop" && !event.ctrlKey) {
      this.take(event);
      this.onDrop(this.dropPlace(event));
      this.setTool("look");
    } else if (grabs) {
      const hit = this.at(event);
      if (!hit) return;
      this.take(event);
      this.grab(hit, event, this.tool === "twist" || event.button === 2 || event.shiftKey);
    }
  }

  /** The camera does not move meanwhile. */
  private take(event: PointerEvent): void {
    event.stopImmediatePropagation();
    event.preventDefault();
    this.stage.cameras.controls.enabled = false;
    this.stage.canvas.setPointerCapture(event.pointerId);
  }

  private grab(hit: Hit, event: PointerEvent, twist: boolean): void {
    const normal = this.stage.cameras.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, hit.point);
    this.held = { plane, at: hit.point, twist, start: { x: event.clientX, y: event.clientY } };
    this.act({ do: "grab", id: MOUSE, element: hit.element, at: hit.point.toArray(), twist });
  }

  private move(event: PointerEvent): void {
    if (this.held) {
      event.stopImmediatePropagation();
      if (this.held.twist) return this.turn(event);
      const at = this.ray(event).intersectPlane(this.held.plane, new THREE.Vector3());
      if (at) this.act({ do: "pull", id: MOUSE, at: at.toArray() });
    } else if (this.stroke.length) {
      this.stroke.push({ x: event.clientX, y: event.clientY });
      const box = this.stage.canvas.getBoundingClientRect();
      this.line.setAttribute("points", this.stroke.map((p) => `${p.x - box.left},${p.y - box.top}`).join(" "));
    }
  }

  /** A movement across the picture turns about the axis across it. */
  private turn(event: PointerEvent): void {
    if (!this.held) return;
    const camera = this.stage.cameras.camera;
    const [dx, dy] = [event.clientX - this.held.start.x, event.clientY - this.held.start.y];
    const across = new THREE.Vector3(dy, dx, 0).multiplyScalar(0.01).applyQuaternion(camera.quaternion);
    this.act({ do: "pull", id: MOUSE, at: this.held.at.toArray(), turn: across.toArray() });
  }

  private up(event: PointerEvent): void {
    if (this.held) this.act({ do: "release", id: MOUSE });
    if (this.stroke.length > 1) this.cut();
    this.held = null;
    this.stroke = [];
    this.line.setAttribute("points", "");
    this.stage.cameras.controls.enabled = true;
    if (this.stage.canvas.hasPointerCapture(event.pointerId)) this.stage.canvas.releasePointerCapture(event.pointerId);
  }

  /** A stroke is a fan of wedges from the eye. */
  private cut(): void {
    const every = Math.max(1, Math.floor(this.stroke.length / 12));
    const corners = this.stroke.filter((_, i) => i % every === 0 || i === this.stroke.length - 1);
    const eye = this.stage.cameras.camera.position.toArray();
    const far = corners.map((p) => this.ray({ clientX: p.x, clientY: p.y }).at(1, new THREE.Vector3()).toArray());
    for (let i = 0; i + 1 < far.length; i++) this.act({ do: "cut", eye, from: far[i], to: far[i + 1] });
  }

  private dropPlace(event: PointerEvent): Vec3 {
    const hit = this.at(event);
    const ray = this.ray(event);
    const normal = this.stage.cameras.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, this.stage.cameras.controls.target);
    const at = hit?.point ?? ray.intersectPlane(plane, new THREE.Vector3()) ?? this.stage.cameras.controls.target.clone();
    return at.toArray() as Vec3;
  }

  act(action: Record<string, unknown>): void {
    this.link.ask({ ask: "act", action });
  }
}
