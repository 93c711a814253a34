// Principal axes of an inertia tensor.

import * as THREE from "three";

/** Moments and axes of the tensor `xx yy zz yz xz xy`, by rotations that make it diagonal (Jacobi). */
export function principal([xx, yy, zz, yz, xz, xy]: number[]): { moments: number[]; turn: THREE.Quaternion } {
  const a = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 12; sweep++) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (Math.abs(a[p][q]) < 1e-12 * (Math.abs(a[p][p]) + Math.abs(a[q][q]))) continue;
      const angle = 0.5 * Math.atan2(2 * a[p][q], a[q][q] - a[p][p]);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let k = 0; k < 3; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; k++) [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
  }
  const axis = (k: number) => new THREE.Vector3(v[0][k], v[1][k], v[2][k]);
  const basis = new THREE.Matrix4().makeBasis(axis(0), axis(1), new THREE.Vector3().crossVectors(axis(0), axis(1)));
  return { moments: [a[0][0], a[1][1], a[2][2]], turn: new THREE.Quaternion().setFromRotationMatrix(basis) };
}
