// The light of the scene in one place: a soft sky, a sun, and a little shine; the same for balls, skins and rods.

export const LIGHT = /* glsl */ `
uniform vec3 sun;            // towards the light
uniform vec3 up;             // towards the sky
uniform float opacity;
// The colour is squared, which is about what a screen does; so is the light then.
vec3 lit(vec3 squared, vec3 n, vec3 light, vec3 sky, vec3 halfway) {
  float direct = 0.72 * max(dot(n, light), 0.0);
  float s = max(dot(n, halfway), 0.0);
  float s8 = s * s; s8 *= s8; s8 *= s8;
  float s32 = s8 * s8; s32 *= s32;
  vec3 sum = squared * (vec3(0.34, 0.345, 0.36) + direct + dot(n, sky) * vec3(0.12, 0.135, 0.16)) + 0.12 * s32 * s8;
  return sqrt(clamp(sum, 0.0, 1.0));
}
vec3 lit(vec3 colour, vec3 n, vec3 toEye) {
  vec3 light = mat3(viewMatrix) * sun;
  return lit(colour * colour, n, light, mat3(viewMatrix) * up, normalize(light + toEye));
}
`;

/**
 * A ball of radius r at c, d = |c|, ρ = r/d, is seen within the cone around c that touches it. The square stands across
 * w = c/d and is s = r/√(1 − ρ²) wide each way, so that (x, y) on it is on the ball's edge where k = x² + y² = 1. The ray
 * through p = c + s (x u + y v) meets the ball at t p, t = (1 − ρ √(1 − k))/(1 + k ρ²/(1 − ρ²)), where its normal is
 * n = t (x u + y v)/√(1 − ρ²) − (1 − t)/ρ w. All but t and n is the same for the whole ball, in the axes u, v, w.
 */
export const BALL_VERTEX = /* glsl */ `
in vec2 corner;              // of the square, or of the part of it that can be seen
in vec4 place;               // centre and radius
in vec3 tint;
out vec2 vDisc;
flat out vec4 vBend;         // ρ, ρ²/(1 − ρ²), 1/√(1 − ρ²), 1/ρ
flat out vec4 vDepth;        // how far behind the picture the ball is: along u, v, w for the normal, and its middle
flat out vec3 vSquared;
flat out vec3 vLight;
flat out vec3 vSky;
flat out vec3 vHalfway;
uniform vec3 sun;
uniform vec3 up;
void main() {
  vec3 c = (modelViewMatrix * vec4(place.xyz, 1.0)).xyz;
  float r = place.w * length(modelMatrix[0].xyz);
  float d = max(length(c), 1.0001 * r);
  vec3 w = c / d;
  vec3 u = normalize(abs(w.y) < 0.9 ? cross(w, vec3(0.0, 1.0, 0.0)) : cross(w, vec3(-1.0, 0.0, 0.0)));
  vec3 v = cross(u, w);
  float bend = r / d;
  float wider = inversesqrt(1.0 - bend * bend);
  vec3 light = mat3(viewMatrix) * sun, halfway = normalize(light - w), sky = mat3(viewMatrix) * up;
  vDisc = corner;
  vBend = vec4(bend, bend * bend * wider * wider, wider, 1.0 / bend);
  vDepth = vec4(r * u.z, r * v.z, r * w.z, c.z);
  vSquared = tint * tint;
  vLight = vec3(dot(light, u), dot(light, v), dot(light, w));
  vSky = vec3(dot(sky, u), dot(sky, v), dot(sky, w));
  vHalfway = vec3(dot(halfway, u), dot(halfway, v), dot(halfway, w));
  gl_Position = r > 0.0 ? projectionMatrix * vec4(c + (corner.x * u + corner.y * v) * (r * wider), 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
`;

export const BALL_FRAGMENT = /* glsl */ `
precision highp float;
uniform mat4 projectionMatrix;
in vec2 vDisc;
flat in vec4 vBend;
flat in vec4 vDepth;
flat in vec3 vSquared;
flat in vec3 vLight;
flat in vec3 vSky;
flat in vec3 vHalfway;
out vec4 pixel;
${LIGHT}
void main() {
  float k = dot(vDisc, vDisc);
  if (k > 1.0) discard;
  float t = (1.0 - vBend.x * sqrt(1.0 - k)) / (1.0 + vBend.y * k);
  vec3 n = vec3(t * vBend.z * vDisc, (t - 1.0) * vBend.w);
  gl_FragDepth = 0.5 - 0.5 * (projectionMatrix[2].z + projectionMatrix[3].z / (vDepth.w + dot(n, vDepth.xyz)));
  pixel = vec4(lit(vSquared, n, vLight, vSky, vHalfway), opacity);
}
`;

/**
 * A ball that is small in the picture, as a point: its disc is a circle of radius R = r P₁₁/−z, and looked at straight ahead.
 * Where (x, y) is on the disc, its normal is (x, y, √(1 − x² − y²)); over so short a way, depth is linear in z.
 */
export const DOT_VERTEX = /* glsl */ `
in vec4 place;               // centre and radius
in vec4 tint;
in vec4 part;                // of the disc that can be seen: middle and half width
uniform vec2 reach;          // half the size of the picture in pixels
uniform vec3 light;
uniform vec3 sky;
uniform vec3 halfway;
flat out vec3 vDisc;         // middle [pixels], and one over the radius [1/pixels]
flat out vec2 vDepth;        // of the middle, and by how much less that of the front is
flat out vec3 vTint;
// The same for all; but what is handed on is read sooner than a uniform where the processor draws.
flat out vec3 vLight;
flat out vec3 vSky;
flat out vec3 vHalfway;
void main() {
  vec3 c = (modelViewMatrix * vec4(place.xyz, 1.0)).xyz;
  float r = place.w;
  float radius = reach.y * projectionMatrix[1].y * r / -c.z;
  vec4 middle = projectionMatrix * vec4(c, 1.0);
  vDisc = vec3(reach * (middle.xy / middle.w + 1.0), 1.0 / radius);
  vDepth = vec2(0.5 + 0.5 * middle.z / middle.w, -0.5 * r * projectionMatrix[3].z / (c.z * c.z));
  vTint = tint.rgb; vLight = light; vSky = sky; vHalfway = halfway;
  gl_Position = projectionMatrix * vec4(c + vec3(r * part.xy, 0.0), 1.0);
  gl_PointSize = 2.0 * radius * part.z;
}
`;

/** The same light as elsewhere, but of one colour: then one root does for all three, and none is squared. */
export const DOT_FRAGMENT = /* glsl */ `
precision highp float;
flat in vec3 vDisc;
flat in vec2 vDepth;
flat in vec3 vTint;
flat in vec3 vLight;
flat in vec3 vSky;
flat in vec3 vHalfway;
out vec4 pixel;
void main() {
  vec2 p = (gl_FragCoord.xy - vDisc.xy) * vDisc.z;
  float rest = 1.0 - dot(p, p);
  if (rest < 0.0) discard;
  vec3 n = vec3(p, sqrt(rest));
  gl_FragDepth = vDepth.x - vDepth.y * n.z;
  float s = max(dot(n, vHalfway), 0.0);
  s *= s; s *= s; s *= s; s *= s; s *= s;
  pixel = vec4(vTint * sqrt(0.345 + max(dot(n, vLight), 0.0) + dot(n, vSky)) + 0.1 * s, 1.0);
}
`;

export const SKIN_VERTEX = /* glsl */ `
in vec3 tint;
in vec3 edge;                // how far from the edges along which lines are drawn
out vec3 vNormal;
out vec3 vPoint;
out vec3 vTint;
out vec3 vEdge;
void main() {
  vec4 p = modelViewMatrix * vec4(position, 1.0);
  vNormal = normalMatrix * normal;
  vPoint = p.xyz; vTint = tint; vEdge = edge;
  gl_Position = projectionMatrix * p;
}
`;

/** A vector turned by a quaternion. */
const TURNED = /* glsl */ `
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;

export const SHAPE_VERTEX = /* glsl */ `
in vec3 at;                  // pose of the rigid body
in vec4 turn;
in vec3 tint;
out vec3 vNormal;
out vec3 vPoint;
out vec3 vTint;
out vec3 vEdge;
${TURNED}
void main() {
  vec4 p = modelViewMatrix * vec4(at + turned(turn, position), 1.0);
  vNormal = normalMatrix * turned(turn, normal);
  vPoint = p.xyz; vTint = tint; vEdge = vec3(1.0);
  gl_Position = projectionMatrix * p;
}
`;

export const SKIN_FRAGMENT = /* glsl */ `
precision highp float;
in vec3 vNormal;
in vec3 vPoint;
in vec3 vTint;
in vec3 vEdge;
out vec4 pixel;
${LIGHT}
void main() {
  vec3 toEye = -normalize(vPoint);
  vec3 n = normalize(vNormal);
  if (!gl_FrontFacing) n = -n;
  vec3 width = fwidth(vEdge);
  vec3 near = clamp(vEdge / max(1.3 * width, vec3(1e-5)), 0.0, 1.0);
  float line = min(min(near.x, near.y), near.z);
  vec3 colour = lit(vTint, n, toEye) * mix(0.78, 1.0, line);
  pixel = vec4(colour, opacity);
}
`;

export const ROD_VERTEX = /* glsl */ `
in vec4 begin;               // one end and the radius
in vec3 end;
in vec3 tint;
in vec3 tintEnd;
out vec3 vNormal;
out vec3 vPoint;
out vec3 vTint;
void main() {
  vec3 axis = end - begin.xyz;
  vec3 w = normalize(axis + vec3(1e-12));
  vec3 u = normalize(abs(w.z) < 0.9 ? cross(vec3(0.0, 0.0, 1.0), w) : cross(vec3(1.0, 0.0, 0.0), w));
  vec3 v = cross(w, u);
  vec3 n = position.x * u + position.y * v;
  vec4 p = modelViewMatrix * vec4(mix(begin.xyz, end, position.z) + begin.w * n, 1.0);
  vNormal = normalMatrix * n; vPoint = p.xyz; vTint = mix(tint, tintEnd, position.z);
  gl_Position = projectionMatrix * p;
}
`;

export const ROD_FRAGMENT = /* glsl */ `
precision highp float;
in vec3 vNormal;
in vec3 vPoint;
in vec3 vTint;
out vec4 pixel;
${LIGHT}
void main() {
  pixel = vec4(lit(vTint, normalize(vNormal), -normalize(vPoint)), opacity);
}
`;

/** Shadows are the things themselves, moved along the light onto the plane, in a picture of the plane. */
const ON_THE_PLANE = /* glsl */ `
uniform vec3 light;          // towards the light
uniform vec4 ground;         // normal and offset
uniform vec3 first;          // axes of the plane
uniform vec3 second;
uniform vec3 frame;          // middle and half width of the picture
vec4 shadow(vec3 p) {
  vec3 q = p - light * ((dot(p, ground.xyz) - ground.w) / max(dot(light, ground.xyz), 0.05));
  return vec4((vec2(dot(q, first), dot(q, second)) - frame.xy) / frame.z, 0.0, 1.0);
}
`;

export const BALL_SHADOW = /* glsl */ `
in vec2 corner;
in vec4 place;
out vec2 vDisc;
${ON_THE_PLANE}
void main() {
  vec3 n = ground.xyz;
  float c = max(dot(light, n), 0.05);
  vec3 along = light - c * n;
  vec3 u = length(along) > 1e-5 ? normalize(along) : first;
  vec3 foot = place.w * (corner.x / c * u + corner.y * cross(n, u));
  vDisc = corner;
  bool above = dot(place.xyz, n) > ground.w - place.w && place.w > 0.0;
  vec4 middle = shadow(place.xyz);
  gl_Position = above ? middle + vec4(dot(foot, first), dot(foot, second), 0.0, 0.0) / frame.z : vec4(2.0, 2.0, 2.0, 1.0);
}
`;

export const BALL_SHADOW_FRAGMENT = /* glsl */ `
precision mediump float;
in vec2 vDisc;
out vec4 pixel;
void main() {
  if (dot(vDisc, vDisc) > 1.0) discard;
  pixel = vec4(1.0);
}
`;

export const SKIN_SHADOW = /* glsl */ `
${ON_THE_PLANE}
void main() { gl_Position = shadow(position); }
`;

export const SHAPE_SHADOW = /* glsl */ `
in vec3 at;
in vec4 turn;
${ON_THE_PLANE}
${TURNED}
void main() { gl_Position = shadow(at + turned(turn, position)); }
`;

export const SHADOW_FRAGMENT = /* glsl */ `
precision mediump float;
out vec4 pixel;
void main() { pixel = vec4(1.0); }
`;

export const SHEET_VERTEX = /* glsl */ `
out vec2 vAt;
void main() {
  vAt = uv;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}
`;

export const SHEET_FRAGMENT = /* glsl */ `
precision mediump float;
uniform sampler2D sheet;
in vec2 vAt;
out vec4 pixel;
void main() { pixel = texture(sheet, vAt); }
`;

/**
 * The plane is divided in nine: in the middle the part that shadows fall on. Only there has their picture to be read.
 */
export const GROUND_VERTEX = /* glsl */ `
uniform float size;          // half the width of the plane
uniform vec4 fallen;         // least and largest places of shadows along the axes of the plane
uniform vec2 origin;         // where the plane's own zero is, along its axes
out vec2 vLocal;
void main() {
  vec2 inner = clamp(mix(fallen.xy, fallen.zw, step(0.0, position.xy)) - origin, -size, size);
  vLocal = mix(inner, size * sign(position.xy), step(1.5, abs(position.xy)));
  gl_Position = projectionMatrix * modelViewMatrix * vec4(vLocal, 0.0, 1.0);
}
`;

export const GROUND_FRAGMENT = /* glsl */ `
precision highp float;
uniform vec3 colour;
uniform vec3 far;
uniform float perCell;
uniform float perReach;
#ifdef SHADOWED
uniform sampler2D shadows;
uniform vec3 frame;
uniform vec2 origin;
uniform bool bare;           // only the shadows: in AR the real floor is the ground
#endif
in vec2 vLocal;
out vec4 pixel;
void main() {
  vec2 q = vLocal * perCell;
  vec2 w = fwidth(q);
  vec2 g = abs(fract(q - 0.5) - 0.5) / max(w, vec2(1e-6));
  float faint = clamp((max(w.x, w.y) - 0.15) * (1.0 / 0.35), 0.0, 1.0);
  float line = (1.0 - min(min(g.x, g.y), 1.0)) * (1.0 - faint * faint * (3.0 - 2.0 * faint));
  float d = clamp((length(vLocal) * perReach - 0.25) * (1.0 / 0.75), 0.0, 1.0);
  float bright = 1.0 - 0.144 * line;
#ifdef SHADOWED
  float shadow = 0.3 * texture(shadows, 0.5 + 0.5 * (vLocal + origin - frame.xy) / frame.z).r;
  bright *= 1.0 - shadow;
  if (bare) { pixel = vec4(0.0, 0.0, 0.0, shadow); return; }
#endif
  pixel = vec4(mix(bright * colour, far, d * d * (3.0 - 2.0 * d)), 1.0);
}
`;
