/** Floor, grid and metre marks. */
import {
  BufferGeometry,
  CanvasTexture,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  ShaderMaterial,
  SRGBColorSpace,
} from "three";
import { FLOOR_FRAGMENT, FLOOR_VERTEX, GRID_FRAGMENT } from "./shaders";
import type { SharedUniforms } from "./uniforms";

/** Half the side of the floor, metres; it has faded long before its edge. */
const HALF = 400;
/** Numbers are written up to this far from the origin, metres. */
const MARKS = 15;
const CELL = { w: 64, h: 32 };

export class Floor {
  readonly group = new Group();
  private readonly marks: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly parts: Mesh[];

  constructor(uniforms: SharedUniforms) {
    const plane = new PlaneGeometry(HALF * 2, HALF * 2).rotateX(-Math.PI / 2);
    const base = new Mesh(
      plane,
      new ShaderMaterial({
        vertexShader: FLOOR_VERTEX,
        fragmentShader: FLOOR_FRAGMENT,
        uniforms: { ...uniforms },
        depthWrite: false,
      }),
    );
    base.renderOrder = -10;
    const grid = new Mesh(
      plane,
      new ShaderMaterial({
        vertexShader: FLOOR_VERTEX,
        fragmentShader: GRID_FRAGMENT,
        uniforms: { ...uniforms },
        transparent: true,
        depthWrite: false,
      }),
    );
    grid.renderOrder = -6;
    this.marks = metreMarks();
    this.parts = [base, grid, this.marks];
    for (const part of this.parts) part.frustumCulled = false;
    this.group.add(...this.parts);
  }

  setTextColour(colour: string): void {
    this.marks.material.color.set(colour);
  }

  dispose(): void {
    for (const part of this.parts) {
      part.geometry.dispose();
      (part.material as ShaderMaterial).dispose();
    }
    this.marks.material.map?.dispose();
  }
}

/** All numbers are one mesh over one small picture of them. */
function metreMarks(): Mesh<BufferGeometry, MeshBasicMaterial> {
  const canvas = document.createElement("canvas");
  const columns = 8;
  canvas.width = columns * CELL.w;
  canvas.height = Math.ceil((2 * MARKS + 2) / columns) * CELL.h;
  const pen = canvas.getContext("2d");
  const position: number[] = [];
  const uv: number[] = [];
  const index: number[] = [];
  for (let k = 0; k <= 2 * MARKS; k++) {
    const metres = k - MARKS;
    const column = k % columns;
    const row = Math.floor(k / columns);
    if (pen) {
      pen.font = "600 22px system-ui, sans-serif";
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillStyle = "#fff";
      pen.fillText(metres === 0 ? "0" : `${metres} m`, (column + 0.5) * CELL.w, (row + 0.5) * CELL.h);
    }
    const cell = [
      column / columns,
      1 - ((row + 1) * CELL.h) / canvas.height,
      1 / columns,
      CELL.h / canvas.height,
    ] as const;
    quad(position, uv, index, metres + 0.11, 0.07, cell);
    if (metres !== 0) quad(position, uv, index, 0.11, metres + 0.07, cell);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3));
  geometry.setAttribute("uv", new Float32BufferAttribute(uv, 2));
  geometry.setIndex(index);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  const mesh = new Mesh(
    geometry,
    new MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false, opacity: 0.75 }),
  );
  mesh.renderOrder = -5;
  return mesh;
}

/** A number of 20 × 10 cm lying at (x, z), readable from +z. */
function quad(
  position: number[],
  uv: number[],
  index: number[],
  x: number,
  z: number,
  [u, v, du, dv]: readonly [number, number, number, number],
): void {
  const first = position.length / 3;
  const w = 0.1;
  const d = 0.05;
  position.push(x - w, 0.001, z + d, x + w, 0.001, z + d, x + w, 0.001, z - d, x - w, 0.001, z - d);
  uv.push(u, v, u + du, v, u + du, v + dv, u, v + dv);
  index.push(first, first + 1, first + 2, first, first + 2, first + 3);
}
