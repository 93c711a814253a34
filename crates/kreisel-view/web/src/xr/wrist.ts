// The panel at the wrist: time, speed, energy, what is left of the frame, and buttons for a finger of the other hand.

import * as THREE from "three";
import type { Store } from "../store";
import { short } from "../ui/dom";

/** Size of the panel [m] and of its picture [pixels]. */
const [WIDTH, HEIGHT] = [0.18, 0.125];
const [PX, PY] = [576, 400];
/** Buttons begin here, counted from the top [pixels]. */
const BUTTONS = 300;
/** A finger this near presses [m]. */
const NEAR = 0.018;

export interface WristButton { label: () => string; act: () => void }

export class Wrist {
  readonly mesh: THREE.Mesh;
  private canvas = document.createElement("canvas");
  private texture: THREE.CanvasTexture;
  private drawn = 0;
  private pressed = -1;

  constructor(private readonly store: Store, private readonly buttons: WristButton[]) {
    this.canvas.width = PX;
    this.canvas.height = PY;
    this.texture = new THREE.CanvasTexture(this.canvas);
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(WIDTH, HEIGHT), new THREE.MeshBasicMaterial({ map: this.texture, transparent: true }));
    this.mesh.position.set(0, 0.05, 0.06);
    this.mesh.rotation.set(-Math.PI / 3, 0, 0);
  }

  /** Fingers press buttons when they come near, once each time. */
  touch(fingers: THREE.Vector3[]): void {
    const found = fingers.map((f) => this.under(f)).find((k) => k >= 0) ?? -1;
    if (found !== this.pressed && found >= 0) {
      this.buttons[found].act();
      this.drawn = 0;
    }
    this.pressed = found;
  }

  /** Where the middle of a button is in the room [m]. */
  place(button: number): THREE.Vector3 {
    const x = ((button + 0.5) / this.buttons.length - 0.5) * WIDTH;
    return this.mesh.localToWorld(new THREE.Vector3(x, (0.5 - (BUTTONS + PY) / (2 * PY)) * HEIGHT, 0));
  }

  private under(finger: THREE.Vector3): number {
    const p = this.mesh.worldToLocal(finger.clone());
    const [x, y] = [(p.x / WIDTH + 0.5) * PX, (0.5 - p.y / HEIGHT) * PY];
    if (Math.abs(p.z) > NEAR || x < 0 || x >= PX || y < BUTTONS || y > PY) return -1;
    return Math.floor((x / PX) * this.buttons.length);
  }

  update(now: number): void {
    if (now - this.drawn < 250) return;
    this.drawn = now;
    const c = this.canvas.getContext("2d");
    if (!c) return;
    const { status } = this.store;
    c.fillStyle = "#1d232b";
    c.fillRect(0, 0, PX, PY);
    c.fillStyle = "#e8ecf1";
    c.font = "600 46px system-ui, sans-serif";
    c.fillText(`${status.time.toFixed(2)} s   ${status.running ? `${status.pace.toFixed(2)}×` : "paused"}`, 24, 62);
    c.font = "32px system-ui, sans-serif";
    c.fillText(`energy ${short(status.energy)} J`, 24, 116);
    c.fillText(`residual ${short(100 * status.residual)} %`, 24, 158);
    const budget = status.cost / (status.interval || 1);
    c.fillText(`frame ${Math.round(100 * budget)} % of its time`, 24, 200);
    c.fillStyle = budget < 1 ? "#5ba36b" : "#d64545";
    c.fillRect(24, 214, (PX - 48) * Math.min(budget, 1), 12);
    c.fillStyle = "#a3adb9";
    c.font = "25px system-ui, sans-serif";
    c.fillText("X run · Y step · A rigid/soft · B true size", 24, 268);
    this.drawButtons(c);
    this.texture.needsUpdate = true;
  }

  private drawButtons(c: CanvasRenderingContext2D): void {
    const width = PX / this.buttons.length;
    c.textAlign = "center";
    this.buttons.forEach((button, k) => {
      c.fillStyle = k === this.pressed ? "#4ea1f3" : "#28303a";
      c.fillRect(k * width + 6, BUTTONS, width - 12, PY - BUTTONS - 10);
      c.fillStyle = "#e8ecf1";
      c.fillText(button.label(), (k + 0.5) * width, 0.5 * (BUTTONS + PY) + 4);
    });
    c.textAlign = "left";
  }
}
