/** Draws a `TubeList`: one instanced mesh for the tubes and one for their soft shadows on the floor. */
import {
  CustomBlending,
  DynamicDrawUsage,
  Float32BufferAttribute,
  Group,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  MinEquation,
  OneFactor,
  ShaderMaterial,
} from "three";
import { STRIDE, type TubeList } from "./tube-list";
import { SHADOW_FRAGMENT, SHADOW_VERTEX, TUBE_FRAGMENT, TUBE_VERTEX } from "./shaders";
import type { SharedUniforms } from "./uniforms";

/** How finely tubes are cut: a crowd is seen from afar and gets fewer triangles. */
export interface Detail {
  around: number;
  along: number;
  cap: number;
}
export const FINE: Detail = { around: 20, along: 11, cap: 5 };
export const COARSE: Detail = { around: 9, along: 5, cap: 2 };

/** How far ghosts give way to bodies in depth, metres: further than two who meet in a transition are apart. */
const BEHIND_M = "5.0";

const ATTRIBUTES: readonly [name: string, size: number, offset: number][] = [
  ["p0", 3, 0],
  ["p1", 3, 3],
  ["p2", 3, 6],
  ["p3", 3, 9],
  ["wide", 4, 12],
  ["deep", 4, 16],
  ["sideA", 4, 20],
  ["sideB", 4, 24],
  ["tint", 4, 28],
];

export class TubeMesh {
  readonly group = new Group();
  private readonly tubes: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly depth: Mesh<InstancedBufferGeometry, ShaderMaterial> | null;
  private readonly shadows: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private buffer: InstancedInterleavedBuffer;
  private detail = FINE;

  constructor(uniforms: SharedUniforms, translucent: boolean, capacity = 64) {
    this.buffer = instanceBuffer(capacity);
    const material = (transparent: boolean, colorWrite: boolean) =>
      new ShaderMaterial({
        vertexShader: TUBE_VERTEX,
        fragmentShader: TUBE_FRAGMENT,
        uniforms: { ...uniforms },
        transparent,
        colorWrite,
        depthWrite: !transparent || !colorWrite,
        defines: translucent ? { BEHIND_M } : {},
      });
    this.tubes = mesh(tubeGeometry(FINE), material(translucent, true), translucent ? 6 : 2);
    // Ghosts are drawn into depth first: without that the tubes inside a body shine through its skin.
    this.depth = translucent ? mesh(this.tubes.geometry, material(true, false), 5) : null;
    this.shadows = mesh(
      shadowGeometry(),
      new ShaderMaterial({
        vertexShader: SHADOW_VERTEX,
        fragmentShader: SHADOW_FRAGMENT,
        uniforms: { ...uniforms },
        // The darkest of all shadows wins: limbs that overlap must not darken the floor twice.
        blending: CustomBlending,
        blendEquation: MinEquation,
        blendSrc: OneFactor,
        blendDst: OneFactor,
        transparent: true,
        depthWrite: false,
        depthTest: true,
      }),
      -8,
    );
    this.bind();
    this.group.add(this.shadows, this.tubes);
    if (this.depth) this.group.add(this.depth);
  }

  set shadowsVisible(on: boolean) {
    this.shadows.visible = on;
  }

  setDetail(detail: Detail): void {
    if (detail === this.detail) return;
    this.detail = detail;
    this.renew();
  }

  update(list: TubeList): void {
    if (list.data.length > this.buffer.array.length) {
      this.buffer = instanceBuffer(list.data.length / STRIDE);
      this.renew();
    }
    this.buffer.array.set(list.data.subarray(0, list.count * STRIDE));
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, list.count * STRIDE);
    this.buffer.needsUpdate = true;
    for (const part of [this.tubes, this.depth, this.shadows]) if (part) part.geometry.instanceCount = list.count;
    this.group.visible = list.count > 0;
  }

  dispose(): void {
    for (const part of [this.tubes, this.depth, this.shadows]) {
      part?.geometry.dispose();
      part?.material.dispose();
    }
  }

  /** New geometries: the renderer remembers the instance count that a geometry could hold when it was first drawn. */
  private renew(): void {
    this.tubes.geometry.dispose();
    this.shadows.geometry.dispose();
    this.tubes.geometry = tubeGeometry(this.detail);
    if (this.depth) this.depth.geometry = this.tubes.geometry;
    this.shadows.geometry = shadowGeometry();
    this.bind();
  }

  private bind(): void {
    for (const part of [this.tubes, this.shadows]) {
      for (const [name, size, offset] of ATTRIBUTES) {
        part.geometry.setAttribute(name, new InterleavedBufferAttribute(this.buffer, size, offset));
      }
    }
  }
}

function instanceBuffer(capacity: number): InstancedInterleavedBuffer {
  const buffer = new InstancedInterleavedBuffer(new Float32Array(capacity * STRIDE), STRIDE, 1);
  buffer.setUsage(DynamicDrawUsage);
  return buffer;
}

function mesh(
  geometry: InstancedBufferGeometry,
  material: ShaderMaterial,
  order: number,
): Mesh<InstancedBufferGeometry, ShaderMaterial> {
  const made = new Mesh(geometry, material);
  made.frustumCulled = false; // the shader places the vertices: the box of the template says nothing
  made.renderOrder = order;
  return made;
}

/**
 * The template: `position` holds (cos, sin, t) of a vertex on the tube, `cap` the cosine and sine of its latitude on
 * the round ends ((1, 0) on the tube itself).
 */
function tubeGeometry({ around, along, cap }: Detail): InstancedBufferGeometry {
  const rings: [t: number, c: number, s: number][] = [];
  for (let k = cap; k >= 1; k--)
    rings.push([0, Math.cos((k / cap) * (Math.PI / 2)), -Math.sin((k / cap) * (Math.PI / 2))]);
  for (let k = 0; k <= along; k++) rings.push([k / along, 1, 0]);
  for (let k = 1; k <= cap; k++)
    rings.push([1, Math.cos((k / cap) * (Math.PI / 2)), Math.sin((k / cap) * (Math.PI / 2))]);
  const position: number[] = [];
  const caps: number[] = [];
  const index: number[] = [];
  rings.forEach(([t, c, s], ring) => {
    for (let k = 0; k <= around; k++) {
      const angle = (k / around) * Math.PI * 2;
      position.push(Math.cos(angle), Math.sin(angle), t);
      caps.push(c, s);
      if (ring === 0 || k === 0) continue;
      const here = ring * (around + 1) + k;
      const below = here - (around + 1);
      index.push(below - 1, below, here, below - 1, here, here - 1);
    }
  });
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3));
  geometry.setAttribute("cap", new Float32BufferAttribute(caps, 2));
  geometry.setIndex(index);
  return geometry;
}

function shadowGeometry(): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute([-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1], 3));
  geometry.setIndex([0, 2, 1, 0, 3, 2]);
  return geometry;
}
