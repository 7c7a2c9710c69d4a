/** Obstacles as low translucent blocks. */
import {
  BoxGeometry,
  CylinderGeometry,
  DoubleSide,
  EdgesGeometry,
  ExtrudeGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Path,
  Shape,
  type BufferGeometry,
  type Material,
} from "three";
import type { Obstacle } from "../api/types";

const HEIGHT = 0.35;

export function obstacleGroup(obstacles: readonly Obstacle[], colour: string): Group {
  const group = new Group();
  const material = new MeshBasicMaterial({
    color: colour,
    transparent: true,
    opacity: 0.3,
    depthWrite: false,
    side: DoubleSide,
  });
  const line = new LineBasicMaterial({ color: colour });
  for (const obstacle of obstacles) {
    const mesh = new Mesh(geometryOf(obstacle), material);
    mesh.renderOrder = 4;
    // Flat colour alone has no form: edges of more than 20 degrees are drawn.
    const edges = new LineSegments(new EdgesGeometry(mesh.geometry, 20), line);
    edges.renderOrder = 4;
    group.add(mesh, edges);
  }
  return group;
}

export function disposeGroup(group: Group): void {
  group.traverse((part) => {
    if (!(part instanceof Mesh || part instanceof LineSegments)) return;
    (part.geometry as BufferGeometry).dispose();
    (part.material as Material).dispose();
  });
}

function geometryOf(obstacle: Obstacle): BufferGeometry {
  if ("circle" in obstacle) {
    const [x, z, r] = obstacle.circle;
    return new CylinderGeometry(r, r, HEIGHT, 40).translate(x, HEIGHT / 2, z);
  }
  if ("box" in obstacle) {
    const [x0, z0, x1, z1] = obstacle.box;
    return new BoxGeometry(Math.abs(x1 - x0), HEIGHT, Math.abs(z1 - z0)).translate(
      (x0 + x1) / 2,
      HEIGHT / 2,
      (z0 + z1) / 2,
    );
  }
  const outline = new Path();
  obstacle.polygon.forEach(([x, z], k) => (k === 0 ? outline.moveTo(x, -z) : outline.lineTo(x, -z)));
  // Extruded along z and laid down: shape (x, -z) becomes floor (x, z).
  return new ExtrudeGeometry(new Shape(outline.getPoints()), { depth: HEIGHT, bevelEnabled: false }).rotateX(
    -Math.PI / 2,
  );
}
