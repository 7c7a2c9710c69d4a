/** Small motions and skeletons for tests. */
import type { MotionChunk } from "../src/api/motion";

export const CMU_JOINTS = [
  "Hips",
  "LHipJoint",
  "LeftUpLeg",
  "LeftLeg",
  "LeftFoot",
  "LeftToeBase",
  "LeftToeBase_end",
  "RHipJoint",
  "RightUpLeg",
  "RightLeg",
  "RightFoot",
  "RightToeBase",
  "RightToeBase_end",
  "LowerBack",
  "Spine",
  "Spine1",
  "Neck",
  "Neck1",
  "Head",
  "Head_end",
  "LeftShoulder",
  "LeftArm",
  "LeftForeArm",
  "LeftHand",
  "LThumb",
  "LeftFingerBase",
  "LeftHandIndex1",
  "RightShoulder",
  "RightArm",
  "RightForeArm",
  "RightHand",
  "RThumb",
  "RightFingerBase",
  "RightHandIndex1",
] as const;
export const CMU_PARENTS = [
  -1, 0, 1, 2, 3, 4, 5, 0, 7, 8, 9, 10, 11, 0, 13, 14, 15, 16, 17, 18, 15, 20, 21, 22, 23, 23, 25, 15, 27, 28, 29, 30,
  30, 32,
] as const;

export interface TinyOptions {
  frames: number;
  /** Frames of the whole motion and the first of the chunk, when it is a part. */
  total?: number;
  from?: number;
  name?: string;
  floor_m?: number;
}

/** Two joints; the root walks 0.1 m a frame along x, one metre high. */
export function tinyMotion({ frames, total = frames, from = 0, name = "tiny", floor_m = 0 }: TinyOptions): MotionChunk {
  const roots = new Float32Array(frames * 3);
  const points = new Int16Array(frames * 6);
  for (let k = 0; k < frames; k++) {
    roots.set([(from + k) * 0.1, 1, 0], k * 3);
    points.set([0, 0, 0, 100, -200, k], k * 6);
  }
  return {
    header: {
      name,
      rate_hz: 10,
      frames: total,
      from,
      count: frames,
      unit_m: 0.001,
      joints: ["Hips", "Toe"],
      parents: [-1, 0],
      contacts: [{ name: "Toe", joint: 1 }],
      transitions: [],
      floor_m,
    },
    roots,
    points,
    contacts: new Uint32Array(frames),
  };
}

/** The reverse of `decodeMotion`, as the server writes it. */
export function encodeMotion(chunk: MotionChunk): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(chunk.header));
  const rootsAt = Math.ceil((12 + text.length) / 8) * 8;
  const pointsAt = rootsAt + chunk.roots.byteLength;
  const contactsAt = Math.ceil((pointsAt + chunk.points.byteLength) / 4) * 4;
  const buffer = new ArrayBuffer(contactsAt + chunk.contacts.byteLength);
  const view = new DataView(buffer);
  view.setUint32(0, 0x47574d4f, false); // "GWMO"
  view.setUint32(4, 1, true);
  view.setUint32(8, rootsAt - 12, true);
  const head = new Uint8Array(buffer, 12, rootsAt - 12);
  head.fill(0x20);
  head.set(text);
  new Float32Array(buffer, rootsAt, chunk.roots.length).set(chunk.roots);
  new Int16Array(buffer, pointsAt, chunk.points.length).set(chunk.points);
  new Uint32Array(buffer, contactsAt, chunk.contacts.length).set(chunk.contacts);
  return buffer;
}
