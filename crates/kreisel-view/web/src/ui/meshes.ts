// Surfaces as files: STL and OBJ.

/** Binary STL. */
export function toStl(v: Float32Array, triangles: Uint32Array): ArrayBuffer {
  const count = triangles.length / 3;
  const buffer = new ArrayBuffer(84 + 50 * count);
  const view = new DataView(buffer);
  new TextEncoder().encodeInto("written by Kreisel, metres", new Uint8Array(buffer, 0, 80));
  view.setUint32(80, count, true);
  for (let t = 0; t < count; t++) {
    const [a, b, c] = [0, 1, 2].map((i) => v.subarray(3 * triangles[3 * t + i], 3 * triangles[3 * t + i] + 3));
    const u = [0, 1, 2].map((i) => b[i] - a[i]), w = [0, 1, 2].map((i) => c[i] - a[i]);
    const n = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    const length = Math.hypot(...n) || 1;
    [...n.map((x) => x / length), ...a, ...b, ...c].forEach((x, i) => view.setFloat32(84 + 50 * t + 4 * i, x, true));
  }
  return buffer;
}

/** Wavefront OBJ; vertices that lie in one place are one. */
export function toObj(name: string, v: Float32Array, form: { node: Uint32Array; triangles: Uint32Array }): string {
  // Vertices of exact shapes are all different.
  const node = form.node.length ? form.node : Uint32Array.from({ length: v.length / 3 }, (_, i) => i);
  const places = new Map<number, number>();
  const lines = ["# written by Kreisel, metres", `o ${name}`];
  node.forEach((place, i) => {
    if (places.has(place)) return;
    places.set(place, places.size + 1);
    lines.push(`v ${v[3 * i]} ${v[3 * i + 1]} ${v[3 * i + 2]}`);
  });
  for (let k = 0; k < form.triangles.length; k += 3) {
    lines.push(`f ${[0, 1, 2].map((i) => places.get(node[form.triangles[k + i]])).join(" ")}`);
  }
  return `${lines.join("\n")}\n`;
}
