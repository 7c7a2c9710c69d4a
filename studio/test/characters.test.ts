import { describe, expect, it } from "vitest";
import type { CharacterRoles, KeptSpan, OnCharacter, RoleRow } from "../src/api/types";
import { droppedKind, glbJson, kindOf } from "../src/library/character-kind";
import {
  UNMAPPED,
  jointColours,
  keptLanes,
  onWords,
  roleColour,
  roleWords,
  drawnSize,
  sideBySide,
  spanWords,
  sureness,
  withRole,
} from "../src/library/character-model";
import {
  AS_IT_IS,
  asked,
  changedLanes,
  isChanged,
  timesWords,
  withDrag,
  withoutDrag,
  type Drag,
} from "../src/library/shape-model";
import { CMU_JOINTS, CMU_PARENTS } from "./tiny";

const row = (role: string, source: string[], target: string[], confidence = 1): RoleRow => ({
  role,
  source,
  target,
  confidence,
  note: "",
});
const span = (name: string, start_s: number, left_mm = 0): KeptSpan => ({
  name,
  start_s,
  end_s: start_s + 0.5,
  before_mm: 23.4,
  left_mm,
});

/** A GLB container around a document. */
function glb(document: object, name = "a.glb"): File {
  const text = new TextEncoder().encode(JSON.stringify(document));
  const bytes = new Uint8Array(20 + text.length);
  const view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, text.length, 0x4e4f534a].forEach((word, k) => view.setUint32(4 * k, word, true));
  bytes.set(text, 20);
  return new File([bytes], name);
}

describe("characters are told from motion", () => {
  const rigged = { skins: [{}], meshes: [{}] };
  it("by what is in the file", () => {
    expect(kindOf(rigged)).toBe("character");
    expect(kindOf({ ...rigged, animations: [{}] })).toBe("either");
    expect(kindOf({ animations: [{}] })).toBe("motion");
    expect(kindOf({ meshes: [{}], animations: [{}] })).toBe("motion");
    expect(kindOf({})).toBe("motion");
  });
  it("and the plain figure of our own files is nobody's", () => {
    const ours = { asset: { generator: "gaitway 0.1.0" }, ...rigged };
    expect(kindOf({ ...ours, animations: [{}] })).toBe("motion");
    expect(kindOf(ours)).toBe("character");
  });
  it("in a GLB, in a glTF, and never by a file that is not what it is called", async () => {
    expect(await droppedKind(glb(rigged))).toBe("character");
    expect(await droppedKind(new File([JSON.stringify({ ...rigged, animations: [1] })], "a.gltf"))).toBe("either");
    expect(await droppedKind(glb(rigged, "a.bvh"))).toBe("motion");
    expect(await droppedKind(new File(["glTF"], "a.glb"))).toBe("motion");
    expect(await droppedKind(new File(["{"], "a.gltf"))).toBe("motion");
    const lies = new Uint8Array(await glb(rigged).arrayBuffer());
    new DataView(lies.buffer).setUint32(12, 0xffffffff, true);
    expect(await droppedKind(new File([lies], "a.glb"))).toBe("motion");
    expect(glbJson(new ArrayBuffer(4))).toBeNull();
  });
});

describe("roles in colours", () => {
  const rows = [
    row("Hips", ["Hips"], ["pelvis"]),
    row("LeftThigh", ["LeftUpLeg"], ["thigh_l"]),
    row("RightThigh", ["RightUpLeg"], ["thigh_r"]),
    row("Spine", ["LowerBack", "Spine"], ["spine_01"]),
  ];
  it("are the same on both bodies, and go down to what hangs below", () => {
    const source = jointColours(CMU_JOINTS, CMU_PARENTS, rows, "source");
    const of = (joint: string) => source[CMU_JOINTS.indexOf(joint as (typeof CMU_JOINTS)[number])];
    expect(of("LeftUpLeg")).toBe(roleColour("LeftThigh"));
    expect(of("LeftLeg"), "no role of its own").toBe(roleColour("LeftThigh"));
    expect(of("LHipJoint")).toBe(roleColour("Hips"));
    expect(of("Spine")).toBe(roleColour("Spine"));
    const target = jointColours(["root", "pelvis", "thigh_l"], [-1, 0, 1], rows, "target");
    expect(target).toEqual([UNMAPPED, roleColour("Hips"), roleColour("LeftThigh")]);
  });
  it("one alone while it is pointed at", () => {
    const target = jointColours(["pelvis", "thigh_l", "thigh_r"], [-1, 0, 0], rows, "target", "LeftThigh");
    expect(target).toEqual([UNMAPPED, roleColour("LeftThigh"), UNMAPPED]);
  });
  it("tell left from right and every part from the others", () => {
    const roles = ["Hips", "Spine", "Neck", "Head"].concat(
      ["Left", "Right"].flatMap((side) =>
        ["Shoulder", "UpperArm", "Forearm", "Hand", "Thigh", "Shank", "Foot", "Toe"].map((part) => side + part),
      ),
    );
    expect(new Set(roles.map(roleColour)).size).toBe(roles.length);
    expect(roleWords("LeftUpperArm")).toBe("Left upper arm");
    expect(roleWords("Hips")).toBe("Hips");
  });
  it("are as sure as they are", () => {
    expect([1, 0.8, 0.6, 0.2, 0].map(sureness)).toEqual(["good", "good", "fair", "poor", "poor"]);
  });
});

describe("a role that is chosen", () => {
  const none: CharacterRoles = { source: {}, target: {} };
  it("stands in the table of its body, and goes again", () => {
    const one = withRole(none, "target", "Head", "skull");
    expect(one).toEqual({ source: {}, target: { Head: ["skull"] } });
    expect(withRole(one, "target", "Head", "")).toEqual({ source: {}, target: { Head: [] } });
    expect(withRole(one, "target", "Head", null)).toEqual(none);
    expect(none, "nothing is changed in place").toEqual({ source: {}, target: {} });
  });
});

describe("what is kept", () => {
  const kept = [
    span("right_toe", 1),
    span("left_heel", 0),
    span("floor", 0),
    span("left_heel", 2, 3),
    span("hands", 0),
  ];
  it("has a lane per foot and point, left first; the floor has none", () => {
    const lanes = keptLanes(kept);
    expect(lanes.map((lane) => lane.title)).toEqual(["Left heel", "Right toe", "hands"]);
    expect(lanes[0]?.spans.length).toBe(2);
    expect(keptLanes([])).toEqual([]);
  });
  it("is said in words", () => {
    expect(spanWords("Left heel", span("left_heel", 2, 0.34))).toBe(
      "Left heel stands from 2.00 to 2.50 s: 23 mm off with angles copied, 0.3 mm now",
    );
    const on = { scale: 0.9, kept, change: { p95_deg: 2.13, max_deg: 14.2, root_max_cm: 1, most: [] } };
    expect(onWords(on as unknown as OnCharacter)).toBe(
      "Legs are 0.90 times as long, and so is the way; feet that stand are within 3.0 mm (23 mm with angles copied); joints turned by 2.1° for that (95 %), 14° at most.",
    );
  });
});

describe("side by side", () => {
  it("is beside the way, whatever it is", () => {
    for (const angle of [0, 0.7, 2, 3.5, 5]) {
      const end: [number, number] = [3 * Math.cos(angle), 3 * Math.sin(angle)];
      const { source, target } = sideBySide([
        [1, 1],
        [1 + end[0], 1 + end[1]],
      ]);
      const apart = [source[0] - target[0], source[1] - target[1]] as const;
      expect(Math.hypot(...apart)).toBeCloseTo(1.3);
      expect(apart[0] * end[0] + apart[1] * end[1]).toBeCloseTo(0);
    }
    expect(sideBySide([]).source[0]).toBeCloseTo(0.65);
    const tall = sideBySide([], [1.7, 5.1]);
    expect(tall.source[0] - tall.target[0], "further from who is taller").toBeCloseTo(3.9);
  });
  it("are drawn about as large as each other", () => {
    expect(drawnSize(0.65, [1.7, 1.2])).toBe(1);
    expect(drawnSize(44, [1.7, 60])).toBe(44);
    expect(drawnSize(0.1, [1.7, 0.2])).toBe(0.1);
    expect(drawnSize(1.7, [1.7, 5]), "a large head on short legs").toBe(1.7);
    expect(drawnSize(0, [1.7, 0])).toBe(1);
  });
});

describe("a body that is changed", () => {
  const drag = (joint: string, at_s: number, y = 1): Drag => ({ joint, at_s, place: [0.12345, y, -2] });
  it("is asked for by what differs alone", () => {
    expect(asked(AS_IT_IS)).toEqual({});
    expect(isChanged(AS_IT_IS)).toBe(false);
    const tall = { ...AS_IT_IS, taller: 1.1, drags: [drag("LeftHand", 0.5), drag("Head", 1)] };
    expect(asked(tall)).toEqual({ taller: 1.1, drags: "LeftHand@0.5=0.123,1,-2;Head@1=0.123,1,-2" });
    expect(isChanged(tall)).toBe(true);
  });
  it("has one place per joint and time, in the order of time", () => {
    let shape = withDrag(AS_IT_IS, drag("LeftHand", 1));
    shape = withDrag(shape, drag("LeftHand", 0.2));
    shape = withDrag(shape, drag("LeftHand", 1.02, 1.4));
    shape = withDrag(shape, drag("RightHand", 1.02));
    expect(shape.drags.map((d) => [d.joint, d.at_s, d.place[1]])).toEqual([
      ["LeftHand", 0.2, 1],
      ["LeftHand", 1.02, 1.4],
      ["RightHand", 1.02, 1],
    ]);
    expect(withoutDrag(shape, 1).drags.map((d) => d.joint)).toEqual(["LeftHand", "RightHand"]);
  });
  it("says so in words", () => {
    expect(timesWords(1.1, "longer", "shorter")).toBe("10 % longer");
    expect(timesWords(0.95, "longer", "shorter")).toBe("5 % shorter");
    expect(timesWords(1, "longer", "shorter")).toBe("as it is");
    const all = { start_s: 0, end_s: 3, joint: "LeftShin", deg: 2, root_cm: 4 };
    const arm = { start_s: 1, end_s: 1.5, joint: "LeftArm", deg: 12.3, root_cm: 0 };
    const on = { edited: { spans: [all], dragged: [arm] } } as unknown as OnCharacter;
    const both = { ...AS_IT_IS, taller: 1.1, drags: [drag("LeftHand", 1.2)] };
    expect(changedLanes(on, both)).toMatchObject([
      { title: "Dragged", spans: [{ start_s: 1, end_s: 1.5 }], ticks: [{ at_s: 1.2 }] },
      { title: "Lengths", spans: [{ start_s: 0, end_s: 3 }], ticks: [] },
    ]);
    expect(changedLanes(on, both)[0]?.spans[0]?.title).toContain("LeftArm turned by up to 12°");
    expect(changedLanes(on, { ...both, taller: 1 }).map((lane) => lane.title)).toEqual(["Dragged"]);
    expect(changedLanes({ edited: null } as unknown as OnCharacter, both)).toEqual([]);
  });
});
