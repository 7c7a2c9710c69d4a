import { describe, expect, it } from "vitest";
import { pushBody } from "../src/stage/body";
import { bonesOf, lightJoints, pushLights, pushStick } from "../src/stage/figures";
import type { Pose } from "../src/stage/pose";
import { measure, measureAny } from "../src/stage/proportions";
import { findRoles, splitName } from "../src/stage/roles";
import { STRIDE, TubeList } from "../src/stage/tube-list";
import { CMU_JOINTS, CMU_PARENTS } from "./tiny";

/** A person of about 1.75 m standing with arms down, facing +z, +x to the left. */
function standing(scale = 1): Pose {
  const at: Record<string, [number, number, number]> = {
    Hips: [0, 0.95, 0],
    LHipJoint: [0, 0.95, 0],
    RHipJoint: [0, 0.95, 0],
    LeftUpLeg: [0.09, 0.92, 0],
    LeftLeg: [0.09, 0.5, 0],
    LeftFoot: [0.09, 0.08, 0],
    LeftToeBase: [0.1, 0.025, 0.13],
    LeftToeBase_end: [0.1, 0.02, 0.2],
    LowerBack: [0, 0.95, 0],
    Spine: [0, 1.07, -0.01],
    Spine1: [0, 1.2, -0.02],
    Neck: [0, 1.2, -0.02],
    Neck1: [0, 1.48, -0.02],
    Head: [0, 1.56, 0],
    Head_end: [0, 1.65, 0.01],
    LeftShoulder: [0, 1.42, -0.02],
    LeftArm: [0.18, 1.42, -0.02],
    LeftForeArm: [0.2, 1.12, -0.02],
    LeftHand: [0.2, 0.86, 0.02],
    LThumb: [0.2, 0.85, 0.05],
    LeftFingerBase: [0.2, 0.86, 0.02],
    LeftHandIndex1: [0.2, 0.78, 0.03],
  };
  const points = CMU_JOINTS.flatMap((name) => {
    const left = name.replace(/^Right/, "Left").replace(/^RThumb/, "LThumb");
    const [x, y, z] = at[name] ?? at[left]!;
    return [(name === left ? x : -x) * scale, y * scale, z * scale];
  });
  return { points: new Float32Array(points), contacts: 0 };
}

const roles = findRoles([...CMU_JOINTS], [...CMU_PARENTS]);

describe("joint roles", () => {
  it("takes sides and prefixes off names", () => {
    expect(splitName("LeftUpLeg")).toEqual({ side: "left", name: "upleg" });
    expect(splitName("mixamorig:RightForeArm")).toEqual({ side: "right", name: "forearm" });
    expect(splitName("thigh_l")).toEqual({ side: "left", name: "thigh" });
    expect(splitName("UpperLeg_R")).toEqual({ side: "right", name: "upperleg" });
    expect(splitName("lfemur")).toEqual({ side: "left", name: "femur" });
    expect(splitName("rtoes")).toEqual({ side: "right", name: "toes" });
    expect(splitName("LThumb")).toEqual({ side: "left", name: "thumb" });
    expect(splitName("lowerback")).toEqual({ side: "mid", name: "lowerback" });
    expect(splitName("root")).toEqual({ side: "mid", name: "root" });
    expect(splitName("Hips")).toEqual({ side: "mid", name: "hips" });
  });
  it("finds a person in a CMU skeleton", () => {
    const name = (index: number) => CMU_JOINTS[index];
    expect(roles).not.toBeNull();
    expect(
      [roles!.left.hip, roles!.left.knee, roles!.left.ankle, roles!.left.ball, roles!.left.toeEnd].map(name),
    ).toEqual(["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "LeftToeBase_end"]);
    expect(
      [roles!.right.clavicle, roles!.right.shoulder, roles!.right.elbow, roles!.right.wrist, roles!.right.handEnd].map(
        name,
      ),
    ).toEqual(["RightShoulder", "RightArm", "RightForeArm", "RightHand", "RightHandIndex1"]);
    expect([roles!.head, roles!.headEnd, roles!.pelvis].map(name)).toEqual(["Head", "Head_end", "Hips"]);
    expect(roles!.spine.map(name)).toEqual(["LowerBack", "Spine", "Spine1"]);
  });
  it("finds one in ASF words", () => {
    const joints = [
      "root",
      "lhipjoint",
      "lfemur",
      "ltibia",
      "lfoot",
      "ltoes",
      "rhipjoint",
      "rfemur",
      "rtibia",
      "rfoot",
      "rtoes",
      "lowerback",
      "upperback",
      "thorax",
      "lowerneck",
      "upperneck",
      "head",
      "lclavicle",
      "lhumerus",
      "lradius",
      "lwrist",
      "lhand",
      "rclavicle",
      "rhumerus",
      "rradius",
      "rwrist",
      "rhand",
    ];
    const parents = [-1, 0, 1, 2, 3, 4, 0, 6, 7, 8, 9, 0, 11, 12, 13, 14, 15, 13, 17, 18, 19, 20, 13, 22, 23, 24, 25];
    const found = findRoles(joints, parents);
    expect(found).not.toBeNull();
    expect(
      [found!.left.hip, found!.left.knee, found!.right.shoulder, found!.right.elbow].map((index) => joints[index]),
    ).toEqual(["lfemur", "ltibia", "rhumerus", "rradius"]);
  });
  it("finds none in a fox", () => {
    expect(findRoles(["root", "hip", "tail", "leg1", "leg2", "head"], [-1, 0, 1, 1, 1, 1])).toBeNull();
  });
});

describe("the body", () => {
  it("is sized by the skeleton", () => {
    const size = measure(roles!, standing());
    expect(size.scale).toBeGreaterThan(0.93);
    expect(size.scale).toBeLessThan(1.07);
    expect(size.halfHips).toBeCloseTo(0.09);
    expect(size.halfShoulders).toBeCloseTo(0.18);
    expect(measure(roles!, standing(0.5)).scale).toBeCloseTo(size.scale / 2);
    expect(measure(roles!, { points: new Float32Array(CMU_JOINTS.length * 3), contacts: 0 }).scale).toBe(1);
    expect(measureAny(standing())).toBeGreaterThan(0.8);
  });
  it("stands on the floor, is as tall as a person, and faces forward", () => {
    const list = new TubeList(2);
    const pose = standing();
    pushBody(list, roles!, measure(roles!, pose), pose, {
      skin: [1, 1, 1],
      cloth: [1, 1, 1],
      legs: [1, 1, 1],
      shoes: [0, 0, 0],
      opacity: 1,
    });
    const { low, high, front, back } = bounds(list);
    expect(low).toBeGreaterThan(-0.03);
    expect(low).toBeLessThan(0.02);
    expect(high).toBeGreaterThan(1.66);
    expect(high).toBeLessThan(1.85);
    expect(front).toBeGreaterThan(0.15); // toes
    expect(back).toBeGreaterThan(-0.2);
  });
  it("is finite for every pose, also when all joints coincide", () => {
    for (const pose of [standing(), { points: new Float32Array(CMU_JOINTS.length * 3), contacts: 0 }]) {
      const list = new TubeList();
      pushBody(list, roles!, measure(roles!, pose), pose, {
        skin: [1, 1, 1],
        cloth: [1, 1, 1],
        legs: [1, 1, 1],
        shoes: [0, 0, 0],
        opacity: 1,
      });
      expect(list.count).toBeGreaterThan(15);
      expect(list.data.subarray(0, list.count * STRIDE).every(Number.isFinite)).toBe(true);
    }
  });
  it("mirrors with the pose", () => {
    const list = new TubeList();
    const pose = standing();
    pushBody(list, roles!, measure(roles!, pose), pose, {
      skin: [1, 1, 1],
      cloth: [1, 1, 1],
      legs: [1, 1, 1],
      shoes: [0, 0, 0],
      opacity: 1,
    });
    let sum = 0;
    for (let k = 0; k < list.count; k++) sum += list.data[k * STRIDE]! + list.data[k * STRIDE + 9]!;
    expect(Math.abs(sum)).toBeLessThan(1e-3);
  });
});

describe("stick and lights", () => {
  it("leave fingers out and show both sides", () => {
    const bones = bonesOf([...CMU_JOINTS], [...CMU_PARENTS]);
    const names = bones.drawn.map((joint) => CMU_JOINTS[joint]);
    expect(names).not.toContain("LThumb");
    expect(names).toContain("LeftHand");
    const list = new TubeList();
    pushStick(list, bones, roles, 1, standing(), { middle: [1, 1, 1], left: [0, 0, 1], right: [1, 0, 0], opacity: 1 });
    expect(list.count).toBeGreaterThan(20);
  });
  it("light fifteen joints of a person and all of anything else", () => {
    expect(lightJoints(roles, CMU_JOINTS.length)).toHaveLength(15);
    expect(lightJoints(null, 4)).toEqual([0, 1, 2, 3]);
    const list = new TubeList();
    pushLights(list, [0], 1, standing(), [1, 1, 1], 1);
    expect(list.data[23]).toBe(0); // not lit: a light shines by itself
  });
});

function bounds(list: TubeList): { low: number; high: number; front: number; back: number } {
  let [low, high, front, back] = [Infinity, -Infinity, -Infinity, Infinity];
  for (let k = 0; k < list.count; k++) {
    for (let p = 0; p < 4; p++) {
      const at = k * STRIDE + p * 3;
      const r = Math.min(list.data[k * STRIDE + 12 + p]!, list.data[k * STRIDE + 16 + p]!);
      low = Math.min(low, list.data[at + 1]! - r);
      high = Math.max(high, list.data[at + 1]! + r);
      front = Math.max(front, list.data[at + 2]! + r);
      back = Math.min(back, list.data[at + 2]! - r);
    }
  }
  return { low, high, front, back };
}
