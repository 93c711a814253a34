// Picking: what a ray through the picture meets first.

import * as THREE from "three";
import { poseOf } from "./draw/shapes";
import type { Stage } from "./draw/stage";
import type { SkinForm, Store } from "./store";

export interface Hit { element: number; body: number; point: THREE.Vector3; distance: number }

/** The first thing along a ray in the axes of the world. */
export function pick(store: Store, stage: Stage, ray: THREE.Ray): Hit | null {
  const ball = pickBall(store, stage.balls.shown, stage.balls.share, ray);
  const skins = stage.show === "skins" ? [pickSkin(stage, store, ray), pickShape(store, ray)] : [];
  return [ball, ...skins].reduce((best, hit) => (hit && (!best || hit.distance < best.distance) ? hit : best), null);
}

/** The element nearest to a point, within a distance [m]. */
export function nearest(store: Store, point: THREE.Vector3, within: number): Hit | null {
  let best = -1, least = within;
  for (let e = 0; e < store.count; e++) {
    const d = Math.hypot(store.x[3 * e] - point.x, store.x[3 * e + 1] - point.y, store.x[3 * e + 2] - point.z) - store.radius[e];
    if (d < least) { least = d; best = e; }
  }
  return best < 0 ? null : { element: best, body: store.body[best], point: point.clone(), distance: least };
}

function pickBall(store: Store, shown: number[], share: number, ray: THREE.Ray): Hit | null {
  const { origin: o, direction: d } = ray;
  let best = -1, least = Infinity;
  for (const e of shown) {
    const cx = store.x[3 * e] - o.x, cy = store.x[3 * e + 1] - o.y, cz = store.x[3 * e + 2] - o.z;
    const b = cx * d.x + cy * d.y + cz * d.z;
    const r = Math.max(share, 0.5) * store.radius[e];
    const q = b * b - (cx * cx + cy * cy + cz * cz) + r * r;
    if (q < 0 || b <= 0) continue;
    const t = b - Math.sqrt(q);
    if (t < least) { least = t; best = e; }
  }
  return best < 0 ? null : { element: best, body: store.body[best], point: ray.at(least, new THREE.Vector3()), distance: least };
}

/** Of the rigid body of an element, the element nearest to a point: an exact shape has few. */
function memberAt(store: Store, carrier: number, point: THREE.Vector3): number {
  let best = carrier, least = Infinity;
  for (let e = 0; e < store.count; e++) {
    if (store.owner[e] !== store.owner[carrier]) continue;
    const d = Math.hypot(store.x[3 * e] - point.x, store.x[3 * e + 1] - point.y, store.x[3 * e + 2] - point.z);
    if (d < least) { least = d; best = e; }
  }
  return best;
}

/** An exact shape, in the frame of its rigid body. */
function pickShape(store: Store, ray: THREE.Ray): Hit | null {
  let best: Hit | null = null;
  const [a, b, c, point] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  const meets = (form: SkinForm, own: THREE.Ray) => {
    const { local, triangles } = form;
    if (typeof form.ball === "number") return own.intersectSphere(new THREE.Sphere(new THREE.Vector3(...form.at!), form.ball), point);
    let least: THREE.Vector3 | null = null;
    for (let k = 0; k < triangles.length; k += 3) {
      const hit = own.intersectTriangle(a.fromArray(local!, 3 * triangles[k]), b.fromArray(local!, 3 * triangles[k + 1]), c.fromArray(local!, 3 * triangles[k + 2]), false, point);
      if (hit && (!least || hit.distanceTo(own.origin) < least.distanceTo(own.origin))) least = hit.clone();
    }
    return least;
  };
  for (const form of store.skins) {
    const pose = form.local ? poseOf(store, form) : null;
    if (!pose) continue;
    const back = pose.turn.clone().invert();
    const own = new THREE.Ray(ray.origin.clone().sub(pose.at).applyQuaternion(back), ray.direction.clone().applyQuaternion(back));
    const hit = meets(form, own);
    const distance = hit ? hit.distanceTo(own.origin) : Infinity;
    if (!hit || (best && best.distance <= distance)) continue;
    const at = ray.at(distance, new THREE.Vector3());
    const element = memberAt(store, form.carrier!, at);
    best = { element, body: store.body[element], point: at, distance };
  }
  return best;
}

function pickSkin(stage: Stage, store: Store, ray: THREE.Ray): Hit | null {
  let best: Hit | null = null;
  const [a, b, c, point] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  for (const skin of stage.skins) {
    const { triangles } = skin.form;
    for (let k = 0; k < triangles.length; k += 3) {
      a.fromArray(skin.vertices, 3 * triangles[k]);
      b.fromArray(skin.vertices, 3 * triangles[k + 1]);
      c.fromArray(skin.vertices, 3 * triangles[k + 2]);
      if (!ray.intersectTriangle(a, b, c, false, point)) continue;
      const distance = point.distanceTo(ray.origin);
      if (best && best.distance <= distance) continue;
      const corner = [a, b, c].map((v, i) => ({ d: v.distanceTo(point), v: triangles[k + i] })).sort((p, q) => p.d - q.d)[0].v;
      const element = skin.nearest[corner];
      best = { element, body: store.body[element], point: point.clone(), distance };
    }
  }
  return best;
}
