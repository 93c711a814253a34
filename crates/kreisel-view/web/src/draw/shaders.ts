// The light of the scene in one place: a soft sky, a sun, and a little shine; the same for balls, skins and rods.

export const LIGHT = /* glsl */ `
uniform vec3 sun;            // towards the light
uniform float opacity;
vec3 lit(vec3 colour, vec3 n, vec3 toEye) {
  vec3 light = mat3(viewMatrix) * sun;
  vec3 up = mat3(viewMatrix) * vec3(0.0, 0.0, 1.0);
  float sky = 0.5 + 0.5 * dot(n, up);
  float direct = max(dot(n, light), 0.0);
  vec3 h = normalize(light + toEye);
  float shine = 0.12 * pow(max(dot(n, h), 0.0), 40.0);
  vec3 linear = colour * colour;  // about what a screen does
  vec3 sum = linear * (mix(vec3(0.22, 0.21, 0.20), vec3(0.46, 0.48, 0.52), sky) + 0.72 * direct) + shine;
  return sqrt(clamp(sum, 0.0, 1.0));
}
`;

export const BALL_VERTEX = /* glsl */ `
in vec4 place;               // centre and radius
in vec3 tint;
out vec3 vCentre;
out vec3 vPoint;
out vec3 vTint;
out float vRadius;
void main() {
  vec3 c = (modelViewMatrix * vec4(place.xyz, 1.0)).xyz;
  float scale = length(modelMatrix[0].xyz);
  float r = place.w * scale;
  float d = length(c);
  vec3 w = c / d;
  vec3 u = normalize(abs(w.y) < 0.9 ? cross(vec3(0.0, 1.0, 0.0), w) : cross(vec3(1.0, 0.0, 0.0), w));
  vec3 v = cross(w, u);
  float s = d > r ? r * d / sqrt(max(d * d - r * r, 1e-12)) : r;
  vec3 p = c + (position.x * u + position.y * v) * s;
  vCentre = c; vPoint = p; vTint = tint; vRadius = r;
  gl_Position = r > 0.0 ? projectionMatrix * vec4(p, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
`;

export const BALL_FRAGMENT = /* glsl */ `
precision highp float;
uniform mat4 projectionMatrix;
in vec3 vCentre;
in vec3 vPoint;
in vec3 vTint;
in float vRadius;
out vec4 pixel;
${LIGHT}
void main() {
  vec3 ray = normalize(vPoint);
  float b = dot(ray, vCentre);
  float q = b * b - dot(vCentre, vCentre) + vRadius * vRadius;
  if (q < 0.0) discard;
  vec3 hit = ray * (b - sqrt(q));
  vec3 n = (hit - vCentre) / vRadius;
  vec4 clip = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  pixel = vec4(lit(vTint, n, -ray), opacity);
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

/** Shadows are the things themselves, flattened along the light onto the ground. */
export const FLAT_VERTEX = /* glsl */ `
uniform vec3 light;          // towards the light, world
uniform vec4 ground;         // normal and offset
in vec4 place;
out vec2 vDisc;
void main() {
  vec3 n = ground.xyz;
  float c = max(dot(light, n), 0.05);
  vec3 foot = place.xyz - light * ((dot(place.xyz, n) - ground.w) / c);
  vec3 along = light - c * n;
  vec3 u = length(along) > 1e-5 ? normalize(along) : (abs(n.x) < 0.9 ? normalize(cross(n, vec3(1.0, 0.0, 0.0))) : normalize(cross(n, vec3(0.0, 1.0, 0.0))));
  vec3 v = cross(n, u);
  vec3 p = foot + place.w * (position.x / c * u + position.y * v) + n * place.w * 0.01;
  vDisc = position.xy;
  bool above = dot(place.xyz, n) > ground.w - place.w && place.w > 0.0;
  gl_Position = above ? projectionMatrix * viewMatrix * modelMatrix * vec4(p, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
`;

export const FLAT_FRAGMENT = /* glsl */ `
precision highp float;
uniform float opacity;
in vec2 vDisc;
out vec4 pixel;
void main() {
  if (dot(vDisc, vDisc) > 1.0) discard;
  pixel = vec4(0.0, 0.0, 0.0, opacity);
}
`;

export const FLAT_SKIN_VERTEX = /* glsl */ `
uniform vec3 light;
uniform vec4 ground;
void main() {
  vec3 n = ground.xyz;
  float c = max(dot(light, n), 0.05);
  float height = max(dot(position, n) - ground.w, 0.0);
  vec3 p = position - light * ((dot(position, n) - ground.w) / c) + n * (0.0005 + 0.0005 * height);
  gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(p, 1.0);
}
`;

export const FLAT_SKIN_FRAGMENT = /* glsl */ `
precision highp float;
uniform float opacity;
out vec4 pixel;
void main() {
  pixel = vec4(0.0, 0.0, 0.0, opacity);
}
`;

export const GROUND_VERTEX = /* glsl */ `
out vec3 vWorld;
out vec3 vLocal;
void main() {
  vLocal = position;
  vec4 w = modelMatrix * vec4(position, 1.0);
  vWorld = w.xyz;
  gl_Position = projectionMatrix * viewMatrix * w;
}
`;

export const GROUND_FRAGMENT = /* glsl */ `
precision highp float;
uniform vec3 colour;
uniform vec3 far;
uniform float cell;
uniform float reach;
uniform vec2 middle;
in vec3 vLocal;
out vec4 pixel;
void main() {
  vec2 q = vLocal.xy / cell;
  vec2 w = fwidth(q);
  vec2 g = abs(fract(q - 0.5) - 0.5) / max(w, vec2(1e-6));
  float line = 1.0 - min(min(g.x, g.y), 1.0);
  line *= 1.0 - smoothstep(0.15, 0.5, max(w.x, w.y));
  float d = length(vLocal.xy - middle) / reach;
  vec3 c = mix(colour, colour * 0.82, 0.8 * line);
  pixel = vec4(mix(c, far, smoothstep(0.25, 1.0, d)), 1.0);
}
`;
