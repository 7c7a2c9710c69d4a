/** Orbit by mouse, touch and keys; follow a point without losing the chosen angle; standard views. */
import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Vec } from "./vec";

export type ViewPreset = "three-quarter" | "front" | "side" | "top" | "desk";

const DIRECTIONS: Record<ViewPreset, Vec> = {
  "three-quarter": [0.62, 0.42, 1],
  front: [0, 0.18, 1],
  side: [1, 0.18, 0],
  top: [0, 1, 0.001],
  // As one looks at a plan on a desk: x to the right, and nearly from above.
  desk: [0, 1.15, 1],
};

/**
 * Distance from `centre` at which all points are seen from `direction` (unit): a point at height y over the middle of the
 * picture and z towards the camera needs D ≥ z + |y| / tan(half angle), and the same across.
 */
export function fitPoints(
  points: Iterable<Vec>,
  centre: Vec,
  direction: Vector3,
  halfAngle: number,
  aspect: number,
): number {
  const right = new Vector3(0, 1, 0).cross(direction).normalize();
  const up = direction.clone().cross(right);
  const tangent = Math.tan(halfAngle);
  const from = new Vector3(...centre);
  const point = new Vector3();
  let distance = 0;
  for (const p of points) {
    point.set(...p).sub(from);
    const towards = point.dot(direction);
    distance = Math.max(
      distance,
      towards + Math.abs(point.dot(up)) / tangent,
      towards + Math.abs(point.dot(right)) / (tangent * aspect),
    );
  }
  return distance;
}

const middle = (low: Vec, high: Vec): Vec => [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];

function* corners(low: Vec, high: Vec): Generator<Vec> {
  for (let k = 0; k < 8; k++) yield [(k & 1 ? high : low)[0], (k & 2 ? high : low)[1], (k & 4 ? high : low)[2]];
}

export class CameraRig {
  readonly camera = new PerspectiveCamera(38, 1, 0.05, 1200);
  readonly controls: OrbitControls;
  private readonly step = new Vector3();

  constructor(element: HTMLElement, onChange: () => void) {
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = false; // damping renders on after the hand has stopped
    this.controls.maxPolarAngle = Math.PI / 2 - 0.02; // not under the floor
    this.controls.minDistance = 0.4;
    this.controls.maxDistance = 500;
    this.controls.zoomSpeed = 1.1;
    this.camera.position.set(2.4, 2.0, 4.2);
    this.controls.target.set(0, 0.85, 0);
    this.controls.update();
    this.controls.addEventListener("change", onChange);
  }

  get target(): Vector3 {
    return this.controls.target;
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }

  /** Moves target and camera together towards a point, `part` of the way: the angle stays what the person chose. */
  followTo(at: Vec, part: number): void {
    this.step.set(at[0], at[1], at[2]).sub(this.controls.target).multiplyScalar(part);
    if (this.step.lengthSq() < 1e-10) return;
    this.controls.target.add(this.step);
    this.camera.position.add(this.step);
    this.controls.update();
  }

  /** Shows a box of the floor with people on it. */
  frame(low: Vec, high: Vec, from?: ViewPreset | Vec): void {
    this.framePoints([...corners(low, high)], from);
  }

  /** Shows some points, as near as they allow. */
  framePoints(points: readonly Vec[], from?: ViewPreset | Vec): void {
    if (points.length === 0) return;
    const [low, high] = [Math.min, Math.max].map((pick) =>
      [0, 1, 2].map((axis) => points.reduce((far, p) => pick(far, p[axis]!), points[0]![axis]!)),
    ) as [Vec, Vec];
    const centre = middle(low, high);
    const direction = (
      from
        ? new Vector3(...(typeof from === "string" ? DIRECTIONS[from] : from))
        : this.camera.position.clone().sub(this.controls.target)
    ).normalize();
    const distance = fitPoints(points, centre, direction, (this.camera.fov * Math.PI) / 360, this.camera.aspect);
    this.controls.target.set(...centre);
    this.camera.position
      .copy(this.controls.target)
      .addScaledVector(direction, Math.min(450, Math.max(1.2, distance * 1.15)));
    this.controls.update();
  }

  /** Turns about the target by angles in radians, for the arrow keys. */
  orbit(yaw: number, pitch: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const radius = offset.length();
    const phi = Math.min(Math.PI / 2 - 0.02, Math.max(0.05, Math.acos(offset.y / radius) + pitch));
    const theta = Math.atan2(offset.x, offset.z) + yaw;
    offset.set(
      radius * Math.sin(phi) * Math.sin(theta),
      radius * Math.cos(phi),
      radius * Math.sin(phi) * Math.cos(theta),
    );
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  zoom(factor: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    const distance = Math.min(this.controls.maxDistance, Math.max(this.controls.minDistance, offset.length()));
    this.camera.position.copy(this.controls.target).add(offset.setLength(distance));
    this.controls.update();
  }

  dispose(): void {
    this.controls.dispose();
  }
}
