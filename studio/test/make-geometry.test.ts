import { describe, expect, it } from "vitest";
import {
  arcLengths,
  headingAt,
  lengthOf,
  nearestOn,
  pointAt,
  relax,
  simplify,
  slice,
  type Point,
} from "../src/make/geometry";
import { curved } from "../src/make/spline";
import { snap, snapToAngle, snapToGrid } from "../src/make/snap";
import {
  fitted,
  gridStep,
  held,
  inSight,
  lostSight,
  panned,
  pinched,
  toGround,
  toScreen,
  zoomed,
  type Viewport,
} from "../src/make/viewport";

const corner: Point[] = [
  [0, 0],
  [0, 3],
  [4, 3],
];

describe("polylines", () => {
  it("measures by arc length", () => {
    expect(arcLengths(corner)).toEqual([0, 3, 7]);
    expect(pointAt(corner, arcLengths(corner), 5)).toEqual([2, 3]);
    expect(pointAt(corner, arcLengths(corner), -1)).toEqual([0, 0]);
    expect(pointAt(corner, arcLengths(corner), 99)).toEqual([4, 3]);
  });

  it("has heading 0 along +Z and turns left towards +X", () => {
    expect(headingAt(corner, arcLengths(corner), 1)).toBeCloseTo(0);
    expect(headingAt(corner, arcLengths(corner), 6)).toBeCloseTo(Math.PI / 2);
  });

  it("finds the nearest place", () => {
    const near = nearestOn(corner, arcLengths(corner), [1, 2.5]);
    expect(near?.s).toBeCloseTo(4);
    expect(near?.distance).toBeCloseTo(0.5);
    expect(nearestOn([[0, 0]], [0], [1, 1])).toBeNull();
  });

  it("cuts out a part with its corners", () => {
    expect(slice(corner, arcLengths(corner), 2, 4)).toEqual([
      [0, 2],
      [0, 3],
      [1, 3],
    ]);
  });

  it("simplifies within tolerance, without recursion on long lines", () => {
    const noisy = Array.from({ length: 8000 }, (_, k): Point => [k / 800, 0.01 * Math.sin(k / 7)]);
    const few = simplify(noisy, 0.03);
    expect(few).toEqual([noisy[0], noisy.at(-1)]);
    const fine = simplify(noisy, 0.002);
    expect(fine.length).toBeGreaterThan(400);
    const arcs = arcLengths(fine);
    for (const p of noisy.filter((_, k) => k % 401 === 0)) {
      expect(nearestOn(fine, arcs, p)?.distance ?? 9).toBeLessThanOrEqual(0.002 + 1e-9);
    }
  });

  it("relaxes towards straight and keeps open ends", () => {
    const soft = relax(corner, false);
    expect(soft[0]).toEqual(corner[0]);
    expect(soft[2]).toEqual(corner[2]);
    expect(lengthOf(soft)).toBeLessThan(lengthOf(corner));
  });
});

describe("spline", () => {
  it("goes through its knots", () => {
    const { line, knots } = curved(corner, false);
    expect(knots.map((k) => line[k])).toEqual(corner);
  });

  it("comes back to its first knot when closed", () => {
    const { line, knots } = curved(corner, true);
    expect(line.at(-1)).toEqual(corner[0]);
    expect(knots).toHaveLength(4);
  });

  it("is straight between two points", () => {
    expect(
      curved(
        [
          [0, 0],
          [1, 0],
        ],
        false,
      ).line,
    ).toHaveLength(2);
  });
});

describe("snapping", () => {
  it("snaps to the grid without minus zero", () => {
    expect(snapToGrid([-0.1, 1.3], 0.5)).toEqual([0, 1.5]);
    expect(snapToGrid([0.123, 0], 0)).toEqual([0.123, 0]);
  });

  it("snaps directions to 15 degrees and lengths to the grid", () => {
    const p = snapToAngle([2.1, 0.1], [0, 0], 0.5);
    expect(p[0]).toBeCloseTo(2);
    expect(p[1]).toBeCloseTo(0);
    expect(snap([0.4, 0.3], { grid: 0.5, angles: true }, null)).toEqual([0.5, 0.5]);
  });
});

describe("floor plan view", () => {
  const view: Viewport = { centre: [1, 2], scale: 50, width: 800, height: 600 };

  it("goes there and back", () => {
    const q = toScreen(view, [3, -1]);
    expect(q).toEqual([500, 150]);
    expect(toGround(view, q)).toEqual([3, -1]);
  });

  it("zooms about the pointer", () => {
    const at: Point = [100, 500];
    const held = toGround(view, at);
    const now = toGround(zoomed(view, 1.7, at), at);
    expect(now[0]).toBeCloseTo(held[0]);
    expect(now[1]).toBeCloseTo(held[1]);
    expect(zoomed(view, 1e9, at).scale).toBeLessThanOrEqual(600);
  });

  it("pans and pinches", () => {
    expect(panned(view, 50, 0).centre).toEqual([0, 2]);
    const p = pinched(view, [300, 300], [500, 300], [250, 300], [550, 300]);
    expect(p.scale).toBeCloseTo(75);
    expect(p.centre[0]).toBeCloseTo(1);
  });

  it("shows everything, but does not blow up small sketches", () => {
    const f = fitted(view, { min: [0, 0], max: [20, 1] });
    expect(toScreen(f, [20, 0.5])[0]).toBeLessThanOrEqual(800 - 39);
    expect(fitted(view, { min: [0, 0], max: [0.1, 0.1] }).scale).toBeLessThanOrEqual(120);
  });

  it("keeps grid lines apart", () => {
    expect(gridStep(200)).toBe(0.1);
    expect(gridStep(20)).toBe(1);
    expect(gridStep(2)).toBe(10);
  });
});

describe("a plan whose canvas changes", () => {
  const view: Viewport = { centre: [1, 2], scale: 40, width: 600, height: 400 };
  it("keeps the ground where it was on the screen, however the canvas grows, shrinks and moves", () => {
    for (let k = 0; k < 200; k++) {
      const any = () => Math.random() * 300 - 150;
      const moved = [any(), any()] as const;
      const after = held(view, view.width + any(), view.height + any(), [moved[0], moved[1]]);
      const place = [any() / 20, any() / 20] as const;
      const [x0, y0] = toScreen(view, [place[0], place[1]]);
      const [x1, y1] = toScreen(after, [place[0], place[1]]);
      expect(x1 + moved[0]).toBeCloseTo(x0, 6);
      expect(y1 + moved[1]).toBeCloseTo(y0, 6);
    }
  });
  it("is fitted anew only where what was seen is lost in a canvas of another size", () => {
    const box = { min: [-4, 0], max: [5, 4] } as const;
    const seen = { min: [...box.min] as [number, number], max: [...box.max] as [number, number] };
    expect(inSight(view, seen.min) && inSight(view, seen.max)).toBe(true);
    expect(lostSight(view, held(view, 300, 400, [0, 0]), seen)).toBe(true);
    expect(lostSight(view, held(view, 560, 380, [0, 20]), seen)).toBe(false);
    expect(lostSight(view, held(view, 900, 700, [0, 0]), seen)).toBe(false);
    expect(lostSight(view, held(view, 300, 400, [0, 0]), null)).toBe(false);
  });
});
