// The panel at the wrist: time, speed, energy and what is left of the frame.

import * as THREE from "three";
import type { Store } from "../store";
import { short } from "../ui/dom";

export class Wrist {
  readonly mesh: THREE.Mesh;
  private canvas = document.createElement("canvas");
  private texture: THREE.CanvasTexture;
  private drawn = 0;

  constructor(private readonly store: Store) {
    this.canvas.width = 512;
    this.canvas.height = 320;
    this.texture = new THREE.CanvasTexture(this.canvas);
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(0.16, 0.1), new THREE.MeshBasicMaterial({ map: this.texture, transparent: true }));
    this.mesh.position.set(0, 0.05, 0.06);
    this.mesh.rotation.set(-Math.PI / 3, 0, 0);
  }

  update(now: number): void {
    if (now - this.drawn < 250) return;
    this.drawn = now;
    const c = this.canvas.getContext("2d");
    if (!c) return;
    const { status } = this.store;
    c.fillStyle = "#1d232b";
    c.fillRect(0, 0, 512, 320);
    c.fillStyle = "#e8ecf1";
    c.font = "600 44px system-ui, sans-serif";
    c.fillText(`${status.time.toFixed(2)} s   ${status.running ? `${status.pace.toFixed(2)}×` : "paused"}`, 24, 64);
    c.font = "32px system-ui, sans-serif";
    c.fillText(`energy ${short(status.energy)} J`, 24, 124);
    c.fillText(`residual ${short(100 * status.residual)} %`, 24, 168);
    const budget = status.cost / (status.interval || 1);
    c.fillText(`frame ${Math.round(100 * budget)} % of its time`, 24, 212);
    c.fillStyle = budget < 1 ? "#5ba36b" : "#d64545";
    c.fillRect(24, 228, 464 * Math.min(budget, 1), 12);
    c.fillStyle = "#a3adb9";
    c.font = "24px system-ui, sans-serif";
    c.fillText("X run · Y step · A rigid/soft · B true size", 24, 284);
    this.texture.needsUpdate = true;
  }
}
