/** GLSL of the stage. Colours are linear; three's `colorspace_fragment` encodes them. */

/** Cubic through four values at t = 0, 1/3, 2/3, 1 (Lagrange), and its slope. */
const CUBIC = /* glsl */ `
vec4 cubic(float t) {
  float a = t - 1.0 / 3.0, b = t - 2.0 / 3.0, c = t - 1.0;
  return vec4(-4.5 * a * b * c, 13.5 * t * b * c, -13.5 * t * a * c, 4.5 * t * a * b);
}
vec4 cubicSlope(float t) {
  float a = t - 1.0 / 3.0, b = t - 2.0 / 3.0, c = t - 1.0;
  return vec4(-4.5 * (b * c + a * c + a * b), 13.5 * (b * c + t * c + t * b), -13.5 * (a * c + t * c + t * a), 4.5 * (a * b + t * b + t * a));
}`;

const TUBE_ATTRIBUTES = /* glsl */ `
attribute vec3 p0, p1, p2, p3;
attribute vec4 wide, deep, sideA, sideB, tint;`;

export const TUBE_VERTEX = /* glsl */ `
attribute vec2 cap;
${TUBE_ATTRIBUTES}
varying vec3 vNormal, vWorld;
varying vec4 vTint;
varying float vLit;
${CUBIC}
void main() {
  float t = position.z;
  vec4 w = cubic(t), dw = cubicSlope(t);
  vec3 centre = p0 * w.x + p1 * w.y + p2 * w.z + p3 * w.w;
  vec3 slope = p0 * dw.x + p1 * dw.y + p2 * dw.z + p3 * dw.w;
  float speed = max(length(slope), 1e-5);
  vec3 tangent = slope / speed;
  vec3 side = mix(sideA.xyz, sideB.xyz, t);
  side = side - tangent * dot(side, tangent);
  side = length(side) > 1e-4 ? normalize(side) : normalize(cross(tangent, vec3(0.31, 0.2, 0.93)));
  vec3 other = cross(tangent, side);
  float rw = max(dot(wide, w), 1e-4), rd = max(dot(deep, w), 1e-4), rc = min(rw, rd);
  vec3 around = side * (position.x * rw) + other * (position.y * rd);
  vec3 world = centre + around * cap.x + tangent * (rc * cap.y);
  // Normal of the ellipse, tipped by how fast the tube widens.
  vec3 radial = normalize(side * (position.x / rw) + other * (position.y / rd));
  float widening = (dot(wide, dw) * position.x * position.x + dot(deep, dw) * position.y * position.y) / speed;
  float tip = abs(cap.y) < 1e-3 ? clamp(widening, -1.2, 1.2) : 0.0;
  vNormal = normalize(radial * cap.x + tangent * (cap.y - tip));
  vWorld = world;
  vTint = tint;
  vLit = sideA.w;
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
#ifdef BEHIND_M
  // A ghost is where it is, but as far as depth goes behind all that is solid: who stands among ghosts is seen whole.
  vec4 behind = projectionMatrix * (viewMatrix * vec4(world, 1.0) - vec4(0.0, 0.0, BEHIND_M, 0.0));
  gl_Position.z = behind.z / behind.w * gl_Position.w;
#endif
}`;

export const TUBE_FRAGMENT = /* glsl */ `
uniform vec3 keyDirection, keyColour, skyColour, groundColour, rimColour;
varying vec3 vNormal, vWorld;
varying vec4 vTint;
varying float vLit;
void main() {
  vec3 n = normalize(vNormal);
  vec3 toEye = normalize(cameraPosition - vWorld);
  float key = max((dot(n, keyDirection) + 0.25) / 1.25, 0.0);
  vec3 light = mix(groundColour, skyColour, n.y * 0.5 + 0.5) + keyColour * key;
  // Near the floor less sky is seen: this sets the feet on the ground.
  light *= mix(0.72, 1.0, smoothstep(0.0, 0.5, vWorld.y));
  float facing = max(dot(n, toEye), 0.0);
  float rim = pow(1.0 - facing, 3.0) * (0.35 + 0.65 * max(n.y, 0.0));
  float gloss = pow(max(dot(n, normalize(keyDirection + toEye)), 0.0), 28.0) * 0.10;
  vec3 lit = vTint.rgb * light + rimColour * rim + gloss * keyColour;
  float alpha = vTint.a;
#ifdef BEHIND_M
  // As an onion skin: an outline, and little within it.
  alpha *= 0.22 + 0.78 * pow(1.0 - facing, 1.7);
#endif
  gl_FragColor = vec4(mix(vTint.rgb, lit, vLit), alpha);
  #include <colorspace_fragment>
}`;

/** How much of the floor is left at a point: 1 near the focus, 0 where it has faded into the background. */
const FADE = /* glsl */ `
uniform vec3 focus;
uniform float fadeStart, fadeEnd;
float floorFade(vec2 at) { return 1.0 - smoothstep(fadeStart, fadeEnd, distance(at, focus.xz)); }`;

/**
 * The shadow of a tube: its axis is projected along the light onto the floor; the edge is as soft as the tube is
 * high, as under a large lamp.
 */
export const SHADOW_VERTEX = /* glsl */ `
uniform vec3 keyDirection;
${TUBE_ATTRIBUTES}
varying vec2 vAt;
varying vec4 vSegment;
varying vec4 vShape;
varying float vStrength;
vec2 project(vec3 p) { return p.xz - keyDirection.xz / keyDirection.y * max(p.y, 0.0); }
void main() {
  vec2 a = project(p0), b = project(p3);
  float ra = 0.5 * (max(wide.x, wide.y) + max(deep.x, deep.y)) * 0.92;
  float rb = 0.5 * (max(wide.w, wide.z) + max(deep.w, deep.z)) * 0.92;
  float ha = max(p0.y, 0.0), hb = max(p3.y, 0.0);
  float reach = max(ra, rb) + 0.06 + 0.32 * max(ha, hb);
  vec2 along = length(b - a) > 1e-4 ? normalize(b - a) : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  vec2 middle = 0.5 * (a + b);
  vAt = middle + along * position.x * (0.5 * length(b - a) + reach) + across * position.z * reach;
  vSegment = vec4(a, b);
  vShape = vec4(ra, rb, ha, hb);
  vStrength = tint.a * sideA.w;
  gl_Position = projectionMatrix * viewMatrix * vec4(vAt.x, 0.0008, vAt.y, 1.0);
}`;

export const SHADOW_FRAGMENT = /* glsl */ `
uniform vec3 floorColour, backColour, shadowColour;
${FADE}
varying vec2 vAt;
varying vec4 vSegment, vShape;
varying float vStrength;
void main() {
  vec2 a = vSegment.xy, ab = vSegment.zw - a;
  float t = clamp(dot(vAt - a, ab) / max(dot(ab, ab), 1e-6), 0.0, 1.0);
  float d = distance(vAt, a + ab * t);
  float r = mix(vShape.x, vShape.y, t), high = mix(vShape.z, vShape.w, t);
  float soft = 0.018 + 0.2 * high;
  float cover = (1.0 - smoothstep(r - soft * 0.6, r + soft, d)) * clamp(r / (r + 0.35 * soft), 0.0, 1.0);
  float fade = floorFade(vAt);
  float dark = cover * fade * vStrength * mix(1.0, 0.62, clamp(high, 0.0, 1.0));
  if (dark < 0.004) discard;
  vec3 bare = mix(backColour, floorColour, fade);
  gl_FragColor = vec4(mix(bare, shadowColour, dark), 1.0);
  #include <colorspace_fragment>
}`;

export const FLOOR_VERTEX = /* glsl */ `
varying vec2 vAt;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vAt = world.xz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

export const FLOOR_FRAGMENT = /* glsl */ `
uniform vec3 floorColour, backColour;
${FADE}
varying vec2 vAt;
void main() {
  gl_FragColor = vec4(mix(backColour, floorColour, floorFade(vAt)), 1.0);
  #include <colorspace_fragment>
}`;

/** Lines of one pixel at every metre, fainter ones at 10 cm where there is room, stronger ones on the axes. */
export const GRID_FRAGMENT = /* glsl */ `
uniform vec3 lineColour;
${FADE}
varying vec2 vAt;
float lines(vec2 at, float every, float width) {
  vec2 px = fwidth(at);
  vec2 off = abs(fract(at / every - 0.5) - 0.5) * every;
  vec2 ink = 1.0 - smoothstep(px * (width - 0.5), px * (width + 0.5), off);
  // Lines closer than a few pixels become a grey veil; they go before that.
  float room = 1.0 - smoothstep(0.12, 0.35, max(px.x, px.y) / every);
  return max(ink.x, ink.y) * room;
}
void main() {
  vec2 px = fwidth(vAt);
  float fade = floorFade(vAt);
  if (fade < 0.01) discard;
  vec2 axes = 1.0 - smoothstep(px * 0.8, px * 1.8, abs(vAt));
  float ink = max(lines(vAt, 1.0, 0.7) * 0.5, lines(vAt, 0.1, 0.5) * 0.13);
  ink = max(ink, max(axes.x, axes.y) * 0.95);
  gl_FragColor = vec4(lineColour, ink * fade);
  #include <colorspace_fragment>
}`;

/** Foot contacts: a disc that lights up while the foot is planted, a ring around it. */
export const DISC_VERTEX = /* glsl */ `
attribute vec4 place;
attribute vec4 paint;
varying vec2 vAt;
varying vec4 vPaint;
void main() {
  vAt = position.xz;
  vPaint = paint;
  gl_Position = projectionMatrix * viewMatrix * vec4(place.x + position.x * place.w, 0.002 + place.y, place.z + position.z * place.w, 1.0);
}`;

export const DISC_FRAGMENT = /* glsl */ `
varying vec2 vAt;
varying vec4 vPaint;
void main() {
  float r = length(vAt), px = fwidth(r);
  float inside = 1.0 - smoothstep(0.8 - px, 0.8 + px, r);
  float ring = smoothstep(0.66 - px, 0.66 + px, r) * inside;
  float glow = (1.0 - smoothstep(0.8, 1.0, r)) * 0.25;
  float alpha = max(max(inside * 0.55, ring), glow) * vPaint.a;
  if (alpha < 0.004) discard;
  gl_FragColor = vec4(vPaint.rgb, alpha);
  #include <colorspace_fragment>
}`;

/** Lines on the floor with a width in metres but never under a few pixels. */
export const RIBBON_VERTEX = /* glsl */ `
attribute vec2 across;
attribute float run;
uniform float width, height;
uniform vec2 viewport;
varying float vRun;
void main() {
  vec4 middle = viewMatrix * vec4(position.x, height, position.z, 1.0);
  float metresPerPixel = 2.0 * abs(middle.z) / (projectionMatrix[1][1] * viewport.y);
  float half_ = max(width * 0.5, 1.4 * metresPerPixel);
  vRun = run;
  gl_Position = projectionMatrix * viewMatrix * vec4(position.x + across.x * half_, height, position.z + across.y * half_, 1.0);
}`;

export const RIBBON_FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float opacity, dash;
varying float vRun;
void main() {
  if (dash > 0.0 && fract(vRun / dash) > 0.6) discard;
  gl_FragColor = vec4(colour, opacity);
  #include <colorspace_fragment>
}`;
