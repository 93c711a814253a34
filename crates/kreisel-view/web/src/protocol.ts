// The wire: binary messages of sections, as book/src/viewer-protocol.md describes them.

export const VERSION = 3;

export const Tag = {
  Status: 1, Model: 2, Topology: 3, Skins: 4, Motion: 5, Shapes: 6, Contacts: 7, Velocities: 8, Bodies: 9, Rows: 10,
  Events: 11, People: 12, Speed: 16, Strain: 17, Stress: 18, Island: 19, Law: 20,
} as const;

export const Want = {
  contacts: 1, velocities: 2, bodies: 4, rows: 8, speed: 16, strain: 32, stress: 64, island: 128, law: 256,
} as const;

export type Vec3 = [number, number, number];

export interface Hand { id: number; element: number; target: Vec3; at: Vec3; force: Vec3; couple: Vec3; twists: boolean }

export interface Status {
  mode: "none" | "live" | "recording";
  scene: string; title: string; time: number; frame: number; latest: number; duration: number; interval: number;
  running: boolean; speed: number; pace: number; cost: number; substeps: number; contacts: number;
  energy: number; residual: number; hash: string; error: string | null; problem: string | null; line: number | null;
  hands: Hand[]; snapshots: number[]; entries: number; memory: number; opened: number;
}

export interface Parameter {
  path: string; group: string; label: string; unit: string; value: boolean | number | Vec3 | string;
  min: number; max: number; log: boolean; choices: string[];
}

export interface Obstacle {
  name: string; kind: "plane" | "sphere" | "box";
  normal?: Vec3; offset?: number; centre?: Vec3; radius?: number; half?: Vec3; rotation?: [number, number, number, number];
}

export interface Shape { kind: string; size: Vec3; body: number }
/** One side of a joint: in the frame of the rigid body of its element, at a free element, or in the world. */
export interface Side { element: number | null; at: Vec3; axis: Vec3; rigid: boolean }
export interface Joint { name: string; kind: "fixed" | "ball" | "hinge" | "slider" | "distance"; pairs: [Side, Side][] }

export interface ModelMeta {
  title: string; elements: number; connections: number; frame: number; duration: number; gravity: Vec3;
  bodies: { name: string; elements: number }[]; bare: boolean[]; materials: string[]; obstacles: Obstacle[];
  shapes: Shape[]; joints: Joint[]; parameters: Parameter[];
  view: { eye: Vec3 | null; target: Vec3 | null; angle: number; follow: string | null; start: Vec3 | null; show: string; colour: string };
}

export interface Noted { frame: number; time: number; word: string; detail: string; place: Vec3; energy: number }
export interface People { watchers: number; holder: number | null; asking: number | null }

export type Section = { tag: number; bytes: Uint8Array };

/** The sections of a message; nothing if it is of another protocol. */
export function sections(buffer: ArrayBuffer): Section[] {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, false) !== 0x4b525631) return [];
  const found: Section[] = [];
  let at = 8;
  while (at + 8 <= buffer.byteLength) {
    const tag = view.getUint32(at, true);
    const length = view.getUint32(at + 4, true);
    found.push({ tag, bytes: new Uint8Array(buffer, at + 8, length) });
    at += 8 + Math.ceil(length / 8) * 8;
  }
  return found;
}

export function json<T>(bytes: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}

/** 32-bit floats; sections begin at multiples of eight. */
export function floats(bytes: Uint8Array, from = 0): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset + from, (bytes.byteLength - from) >> 2);
}

export type Arrays = Record<string, Float32Array | Float64Array | Uint32Array | Uint8Array>;

/** A table: a head that says what there is, and the arrays. */
export function table<M>(bytes: Uint8Array): { meta: M; arrays: Arrays } {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(0, true);
  const head = json<{ meta: M; arrays: { name: string; type: string; offset: number; length: number }[] }>(bytes.subarray(4, 4 + length));
  const base = bytes.byteOffset + 4 + length;
  const arrays: Arrays = {};
  for (const { name, type, offset, length } of head.arrays) {
    const at = base + offset;
    arrays[name] =
      type === "u32d" ? differences(new Uint8Array(bytes.buffer, at), length)
      : type === "f32d" ? new Float32Array(differences(new Uint8Array(bytes.buffer, at), length).buffer)
      : type === "f32" ? new Float32Array(bytes.buffer, at, length)
      : type === "f64" ? new Float64Array(bytes.buffer, at, length)
      : type === "u32" ? new Uint32Array(bytes.buffer, at, length)
      : new Uint8Array(bytes.buffer, at, length);
  }
  return { meta: head.meta, arrays };
}

/** Words that are written as differences from those before: signed, in groups of seven bits, the lowest first. */
function differences(bytes: Uint8Array, length: number): Uint32Array {
  const words = new Uint32Array(length);
  for (let i = 0, at = 0, last = 0; i < length; i++) {
    let value = 0, shift = 0, byte;
    do {
      byte = bytes[at++];
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    last = (last + ((value >>> 1) ^ -(value & 1))) | 0;
    words[i] = last;
  }
  return words;
}
