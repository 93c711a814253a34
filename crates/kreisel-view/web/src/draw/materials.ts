// Materials that share one light.

import * as THREE from "three";
import * as S from "./shaders";

export const SUN = new THREE.Vector3(0.35, -0.45, 0.82).normalize();

/** Uniforms that all materials share: a change of one is seen by all. */
export const shared = { sun: { value: SUN.clone() }, up: { value: new THREE.Vector3(0, 0, 1) }, opacity: { value: 1 } };

/** Sun and sky turn with the world: in VR its z points along the y of the room. */
export function turnLight(world: THREE.Quaternion): void {
  shared.sun.value.copy(SUN).applyQuaternion(world);
  shared.up.value.set(0, 0, 1).applyQuaternion(world);
}

function lit(vertexShader: string, fragmentShader: string, options: THREE.ShaderMaterialParameters = {}): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({ glslVersion: THREE.GLSL3, vertexShader, fragmentShader, uniforms: { sun: shared.sun, up: shared.up, opacity: shared.opacity }, ...options });
}

export const ball = () => lit(S.BALL_VERTEX, S.BALL_FRAGMENT);
export const rod = () => lit(S.ROD_VERTEX, S.ROD_FRAGMENT);
export const shape = () => lit(S.SHAPE_VERTEX, S.SKIN_FRAGMENT, { side: THREE.DoubleSide });
export const skin = () => lit(S.SKIN_VERTEX, S.SKIN_FRAGMENT, { side: THREE.DoubleSide });

/** A surface of one colour that is never transparent. */
export function solid(): THREE.ShaderMaterial {
  const material = skin();
  material.uniforms.opacity = { value: 1 };
  return material;
}

/** The ground: the part that shadows fall on, and the rest. */
export function ground(cell: number, size: number, shadows: { picture: { value: THREE.Texture }; frame: { value: THREE.Vector3 }; fallen: { value: THREE.Vector4 } }): THREE.ShaderMaterial[] {
  const uniforms = {
    colour: { value: new THREE.Color(0.8, 0.79, 0.76) }, far: { value: new THREE.Color(0.1, 0.1, 0.1) },
    perCell: { value: 1 / cell }, perReach: { value: 1 / size }, size: { value: size },
    shadows: shadows.picture, frame: shadows.frame, fallen: shadows.fallen, origin: { value: new THREE.Vector2() }, bare: { value: false },
  };
  const options = {
    glslVersion: THREE.GLSL3, vertexShader: S.GROUND_VERTEX, fragmentShader: S.GROUND_FRAGMENT, uniforms,
    side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  };
  return [new THREE.ShaderMaterial({ ...options, defines: { SHADOWED: "" } }), new THREE.ShaderMaterial(options)];
}

/** Makes everything that is drawn of bodies transparent, or not. */
export function setTransparent(materials: THREE.ShaderMaterial[], on: boolean): void {
  shared.opacity.value = on ? 0.38 : 1;
  for (const material of materials) {
    material.transparent = on;
    material.depthWrite = true;
    material.needsUpdate = true;
  }
}
