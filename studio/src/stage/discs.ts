/** Discs on the floor under planted feet: one draw call for all of them. */
import {
  DynamicDrawUsage,
  Float32BufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
} from "three";
import { DISC_FRAGMENT, DISC_VERTEX } from "./shaders";
import type { Rgb } from "./tube-list";

const MAX = 256;

export class Discs {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly place = new InstancedBufferAttribute(new Float32Array(MAX * 4), 4).setUsage(DynamicDrawUsage);
  private readonly paint = new InstancedBufferAttribute(new Float32Array(MAX * 4), 4).setUsage(DynamicDrawUsage);
  private count = 0;

  constructor() {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute([-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1], 3));
    geometry.setIndex([0, 2, 1, 0, 3, 2]);
    geometry.setAttribute("place", this.place);
    geometry.setAttribute("paint", this.paint);
    this.mesh = new Mesh(
      geometry,
      new ShaderMaterial({
        vertexShader: DISC_VERTEX,
        fragmentShader: DISC_FRAGMENT,
        transparent: true,
        depthWrite: false,
      }),
    );
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -3;
  }

  clear(): void {
    this.count = 0;
  }

  push(x: number, z: number, radius: number, colour: Rgb, opacity: number, lift = 0): void {
    if (this.count >= MAX) return;
    this.place.setXYZW(this.count, x, lift, z, radius);
    this.paint.setXYZW(this.count, colour[0], colour[1], colour[2], opacity);
    this.count += 1;
  }

  commit(): void {
    this.place.needsUpdate = true;
    this.paint.needsUpdate = true;
    this.mesh.geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
