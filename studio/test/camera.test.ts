import { PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { fitPoints } from "../src/stage/camera-rig";
import type { Vec } from "../src/stage/vec";

/** Of a box: from its middle, all eight corners. */
function fitDistance(low: Vec, high: Vec, direction: Vector3, halfAngle: number, aspect: number): number {
  const middle: Vec = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  const corner = (k: number): Vec => [(k & 1 ? high : low)[0], (k & 2 ? high : low)[1], (k & 4 ? high : low)[2]];
  return fitPoints([0, 1, 2, 3, 4, 5, 6, 7].map(corner), middle, direction, halfAngle, aspect);
}

describe("framing a box", () => {
  const boxes: [Vec, Vec][] = [
    [
      [-1, 0, -1],
      [1, 2, 1],
    ],
    [
      [-6, 0, -2],
      [3, 1.8, 9],
    ],
    [
      [0, 0, 0],
      [0.2, 1.7, 0.2],
    ],
  ];
  const directions = [
    new Vector3(0.62, 0.42, 1),
    new Vector3(0, 0.18, 1),
    new Vector3(1, 0.18, 0),
    new Vector3(0, 1, 0.001),
  ];
  it("shows all of it and fills the picture", () => {
    for (const [low, high] of boxes) {
      for (const raw of directions) {
        for (const aspect of [0.6, 1, 2]) {
          const direction = raw.clone().normalize();
          const camera = new PerspectiveCamera(38, aspect, 0.01, 1000);
          const centre = new Vector3(...low).add(new Vector3(...high)).multiplyScalar(0.5);
          camera.position
            .copy(centre)
            .addScaledVector(direction, fitDistance(low, high, direction, (38 * Math.PI) / 360, aspect));
          camera.lookAt(centre);
          camera.updateMatrixWorld();
          let most = 0;
          for (let k = 0; k < 8; k++) {
            const at = new Vector3(
              k & 1 ? high[0] : low[0],
              k & 2 ? high[1] : low[1],
              k & 4 ? high[2] : low[2],
            ).project(camera);
            most = Math.max(most, Math.abs(at.x), Math.abs(at.y));
          }
          expect(most).toBeCloseTo(1, 3);
        }
      }
    }
  });

  it("comes as near to a line as the line allows, not as its box does", () => {
    const line: Vec[] = [
      [0, 0, 0],
      [4, 0, 4],
      [8, 0, 8],
    ];
    const direction = new Vector3(1, 1, 1).normalize();
    const near = fitPoints(line, [4, 0, 4], direction, (38 * Math.PI) / 360, 1);
    expect(near).toBeLessThan(0.9 * fitDistance([0, 0, 0], [8, 0, 8], direction, (38 * Math.PI) / 360, 1));
    expect(fitPoints([], [0, 0, 0], direction, 0.3, 1)).toBe(0);
  });
});
