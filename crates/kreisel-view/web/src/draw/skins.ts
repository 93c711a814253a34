// Skins: surfaces that ride on elements, with normals from the triangles as they are.

import * as THREE from "three";
import type { SkinForm, Store } from "../store";
import { bodyColour, partColour, type Colouring } from "./colours";
import type { Shadows } from "./shadows";

/** One surface. */
export class Skin {
  readonly mesh: THREE.Mesh;
  readonly group = new THREE.Group();
  /** Vertices of the pose [m]. */
  readonly vertices: Float32Array;
  private nodes: Float32Array;
  private normals: Float32Array;
  private geometry = new THREE.BufferGeometry();
  private painted = -1;
  /** For every vertex the element that counts most. */
  readonly nearest: Uint32Array;

  constructor(readonly form: SkinForm, material: THREE.ShaderMaterial, grounds: Shadows[]) {
    const corners = form.triangles.length;
    this.nodes = new Float32Array(3 * (form.starts.length - 1));
    this.vertices = new Float32Array(3 * form.node.length);
    this.normals = new Float32Array(3 * form.node.length);
    this.nearest = Uint32Array.from(form.node, (node) => nearestRider(form, node));
    for (const [name, size] of [["position", 3], ["normal", 3], ["tint", 3], ["edge", 3]] as const) {
      this.geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(size * corners), size).setUsage(THREE.DynamicDrawUsage));
    }
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.group.add(this.mesh);
    grounds.forEach((ground) => ground.add("skin", this.geometry));
  }

  dispose(): void {
    this.geometry.dispose();
  }

  update(store: Store, colouring: Colouring, moved: boolean): void {
    if (moved || this.painted < 0) this.move(store);
    if (this.painted !== colouring.version) this.paint(store, colouring);
  }

  private move(store: Store): void {
    const { form, nodes, vertices, normals } = this;
    const { x } = store;
    for (let node = 0; node + 1 < form.starts.length; node++) {
      let a = 0, b = 0, c = 0;
      for (let k = form.starts[node]; k < form.starts[node + 1]; k++) {
        const e = 3 * form.riders[k], w = form.weights[k];
        a += w * x[e]; b += w * x[e + 1]; c += w * x[e + 2];
      }
      nodes[3 * node] = a; nodes[3 * node + 1] = b; nodes[3 * node + 2] = c;
    }
    for (let v = 0; v < form.node.length; v++) {
      const n = 3 * form.node[v];
      vertices[3 * v] = nodes[n]; vertices[3 * v + 1] = nodes[n + 1]; vertices[3 * v + 2] = nodes[n + 2];
    }
    normals.fill(0);
    addNormals(form.triangles, vertices, normals);
    const position = this.geometry.attributes.position, normal = this.geometry.attributes.normal;
    const p = position.array as Float32Array, q = normal.array as Float32Array;
    for (let k = 0; k < form.triangles.length; k++) {
      const v = 3 * form.triangles[k];
      p[3 * k] = vertices[v]; p[3 * k + 1] = vertices[v + 1]; p[3 * k + 2] = vertices[v + 2];
      q[3 * k] = normals[v]; q[3 * k + 1] = normals[v + 1]; q[3 * k + 2] = normals[v + 2];
    }
    position.needsUpdate = normal.needsUpdate = true;
  }

  private paint(store: Store, colouring: Colouring): void {
    const { form } = this;
    const first = this.painted < 0;
    this.painted = colouring.version;
    const tint = this.geometry.attributes.tint;
    const own = bodyColour(form.body);
    const wound = own.map((c) => c + 0.4 * (1 - c));
    for (let t = 0; 3 * t < form.triangles.length; t++) {
      const part = form.part[t];
      const fixed = colouring.isField ? null : part === 255 ? wound : (partColour(form.parts[part]) ?? own);
      for (let k = 3 * t; k < 3 * t + 3; k++) {
        const e = 3 * this.nearest[form.triangles[k]];
        for (let i = 0; i < 3; i++) tint.array[3 * k + i] = fixed ? fixed[i] : colouring.colours[e + i] / 255;
      }
    }
    tint.needsUpdate = true;
    if (first) this.rule(store);
  }

  /** Lines along the sides of cells, not along their diagonals. */
  private rule(store: Store): void {
    const edge = this.geometry.attributes.edge;
    edge.array.fill(1);
    edge.needsUpdate = true;
    if (!this.form.ruled || !store.model) return;
    const { triangles } = this.form;
    for (let t = 0; 3 * t < triangles.length; t++) {
      if (this.form.part[t] === 255) continue;
      const at = [0, 1, 2].map((i) => triangles[3 * t + i]);
      const sides = [0, 1, 2].map((i) => distance(this.vertices, at[(i + 1) % 3], at[(i + 2) % 3]));
      const longest = Math.max(...sides);
      for (let corner = 0; corner < 3; corner++) {
        for (let side = 0; side < 3; side++) {
          const drawn = sides[side] < 0.97 * longest;
          edge.array[3 * (3 * t + corner) + side] = drawn && corner !== side ? 0 : 1;
        }
      }
    }
  }
}

function distance(v: Float32Array, a: number, b: number): number {
  return Math.hypot(v[3 * a] - v[3 * b], v[3 * a + 1] - v[3 * b + 1], v[3 * a + 2] - v[3 * b + 2]);
}

function nearestRider(form: SkinForm, node: number): number {
  let best = form.starts[node];
  for (let k = best; k < form.starts[node + 1]; k++) if (form.weights[k] > form.weights[best]) best = k;
  return form.riders[best] ?? 0;
}

/** Sums of the area vectors around each vertex. */
export function addNormals(triangles: Uint32Array, v: Float32Array, out: Float32Array): void {
  for (let k = 0; k < triangles.length; k += 3) {
    const a = 3 * triangles[k], b = 3 * triangles[k + 1], c = 3 * triangles[k + 2];
    const ux = v[b] - v[a], uy = v[b + 1] - v[a + 1], uz = v[b + 2] - v[a + 2];
    const wx = v[c] - v[a], wy = v[c + 1] - v[a + 1], wz = v[c + 2] - v[a + 2];
    const nx = uy * wz - uz * wy, ny = uz * wx - ux * wz, nz = ux * wy - uy * wx;
    for (const i of [a, b, c]) { out[i] += nx; out[i + 1] += ny; out[i + 2] += nz; }
  }
}
