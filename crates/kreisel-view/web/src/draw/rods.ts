// Connections as thin rods; as lines where there are too many.

import * as THREE from "three";
import type { Store } from "../store";
import type { Colouring } from "./colours";
import * as materials from "./materials";

const SIDES = 6;

export class Rods {
  readonly group = new THREE.Group();
  readonly material = materials.rod();
  private geometry = new THREE.InstancedBufferGeometry();
  private lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true }));
  private mesh = new THREE.Mesh(this.geometry, this.material);
  private shown: number[] = [];
  private share = 0.3;
  private painted = -1;

  /** Beyond `most`, lines. */
  constructor(private readonly most: number) {
    this.mesh.frustumCulled = false;
    this.lines.frustumCulled = false;
    this.group.add(this.mesh, this.lines);
    this.group.visible = false;
  }

  show(connections: number[], share: number): void {
    this.shown = connections;
    this.share = share;
    this.painted = -1;
    const n = connections.length;
    const asRods = n <= this.most;
    this.group.visible = n > 0;
    this.mesh.visible = asRods;
    this.lines.visible = !asRods;
    this.geometry.dispose();
    if (asRods) this.makeRods(Math.max(n, 1));
    else this.makeLines(n);
  }

  update(store: Store, colouring: Colouring, moved: boolean): void {
    if (!this.shown.length || !(moved || this.painted !== colouring.version)) return;
    this.painted = colouring.version;
    if (this.mesh.visible) this.fillRods(store, colouring);
    else this.fillLines(store, colouring);
  }

  private makeRods(n: number): void {
    const corners: number[] = [];
    const index: number[] = [];
    for (let k = 0; k < SIDES; k++) {
      const a = (2 * Math.PI * k) / SIDES;
      corners.push(Math.cos(a), Math.sin(a), 0, Math.cos(a), Math.sin(a), 1);
      const b = 2 * ((k + 1) % SIDES);
      index.push(2 * k, b, 2 * k + 1, b, b + 1, 2 * k + 1);
    }
    this.geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
    this.geometry.setIndex(index);
    const add = (name: string, size: number) => this.geometry.setAttribute(name, new THREE.InstancedBufferAttribute(new Float32Array(size * n), size).setUsage(THREE.DynamicDrawUsage));
    add("begin", 4);
    add("end", 3);
    add("tint", 3);
    add("tintEnd", 3);
    this.geometry.instanceCount = this.shown.length;
  }

  private fillRods(store: Store, colouring: Colouring): void {
    const attribute = (name: string) => this.geometry.attributes[name] as THREE.InstancedBufferAttribute;
    const [begin, end, tint, tintEnd] = ["begin", "end", "tint", "tintEnd"].map((name) => attribute(name).array as Float32Array);
    this.shown.forEach((c, k) => {
      const a = store.ends[2 * c], b = store.ends[2 * c + 1];
      for (let i = 0; i < 3; i++) {
        begin[4 * k + i] = store.x[3 * a + i];
        end[3 * k + i] = store.x[3 * b + i];
        tint[3 * k + i] = colouring.colours[3 * a + i] / 255;
        tintEnd[3 * k + i] = colouring.colours[3 * b + i] / 255;
      }
      begin[4 * k + 3] = this.share * Math.min(store.radius[a], store.radius[b]);
    });
    for (const name of ["begin", "end", "tint", "tintEnd"]) attribute(name).needsUpdate = true;
  }

  private makeLines(n: number): void {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6 * n), 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(6 * n), 3).setUsage(THREE.DynamicDrawUsage));
    this.lines.geometry.dispose();
    this.lines.geometry = geometry;
  }

  private fillLines(store: Store, colouring: Colouring): void {
    const position = this.lines.geometry.attributes.position as THREE.BufferAttribute;
    const colour = this.lines.geometry.attributes.color as THREE.BufferAttribute;
    this.shown.forEach((c, k) => {
      for (let side = 0; side < 2; side++) {
        const e = store.ends[2 * c + side];
        for (let i = 0; i < 3; i++) {
          position.array[6 * k + 3 * side + i] = store.x[3 * e + i];
          colour.array[6 * k + 3 * side + i] = colouring.colours[3 * e + i] / 255;
        }
      }
    });
    position.needsUpdate = colour.needsUpdate = true;
  }
}
