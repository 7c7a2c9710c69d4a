/** A line on the floor: the path that was asked for, the way that was walked. */
import { BufferGeometry, Color, Float32BufferAttribute, Mesh, ShaderMaterial, type Vector2 } from "three";
import type { Point } from "../api/types";
import { RIBBON_FRAGMENT, RIBBON_VERTEX } from "./shaders";

export interface PathStyle {
  colour: string;
  /** Metres. */
  width?: number;
  opacity?: number;
  /** Metres of dash and gap together; 0 draws a whole line. */
  dash?: number;
  closed?: boolean;
  /** Over the floor, metres: keeps two lines apart that run on each other. */
  lift?: number;
}

export class Ribbon {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;

  constructor(points: readonly Point[], style: PathStyle, viewport: Vector2) {
    this.mesh = new Mesh(
      ribbonGeometry(points, style.closed ?? false),
      new ShaderMaterial({
        vertexShader: RIBBON_VERTEX,
        fragmentShader: RIBBON_FRAGMENT,
        transparent: true,
        depthWrite: false,
        uniforms: {
          colour: { value: new Color(style.colour) },
          width: { value: style.width ?? 0.03 },
          opacity: { value: style.opacity ?? 1 },
          dash: { value: style.dash ?? 0 },
          height: { value: 0.003 + (style.lift ?? 0) },
          viewport: { value: viewport },
        },
      }),
    );
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -4;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** Two vertices per point, apart along the mitre of the neighbouring pieces. */
function ribbonGeometry(given: readonly Point[], closed: boolean): BufferGeometry {
  const points = closed && given.length > 2 ? [...given, given[0]!] : given;
  const position: number[] = [];
  const across: number[] = [];
  const run: number[] = [];
  const index: number[] = [];
  let length = 0;
  points.forEach((point, k) => {
    const before = points[k - 1] ?? (closed ? points[points.length - 2] : undefined) ?? point;
    const after = points[k + 1] ?? (closed ? points[1] : undefined) ?? point;
    const a = direction(before, point) ?? direction(point, after) ?? [1, 0];
    const b = direction(point, after) ?? a;
    const n = direction([0, 0], [-(a[1] + b[1]), a[0] + b[0]]) ?? [-a[1], a[0]];
    // A mitre at a sharp corner would reach far out: it is cut at twice the width.
    const stretch = Math.min(2, 1 / Math.max(0.1, Math.abs(n[0] * -a[1] + n[1] * a[0])));
    if (k > 0) length += Math.hypot(point[0] - points[k - 1]![0], point[1] - points[k - 1]![1]);
    position.push(point[0], 0, point[1], point[0], 0, point[1]);
    across.push(n[0] * stretch, n[1] * stretch, -n[0] * stretch, -n[1] * stretch);
    run.push(length, length);
    if (k > 0) index.push(2 * k - 2, 2 * k, 2 * k - 1, 2 * k - 1, 2 * k, 2 * k + 1);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3));
  geometry.setAttribute("across", new Float32BufferAttribute(across, 2));
  geometry.setAttribute("run", new Float32BufferAttribute(run, 1));
  geometry.setIndex(index);
  return geometry;
}

function direction(a: Point, b: Point): Point | null {
  const size = Math.hypot(b[0] - a[0], b[1] - a[1]);
  return size > 1e-7 ? [(b[0] - a[0]) / size, (b[1] - a[1]) / size] : null;
}
