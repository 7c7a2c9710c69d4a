/**
 * GWMO: frames as joint positions. Six bytes per joint and no forward kinematics in the page.
 * Layout (little endian): "GWMO", u32 version, u32 header bytes, header JSON padded to a multiple of 8 from the
 * file's start, roots f32[count*3], points i16[count*joints*3] (padded to 4), contacts u32[count].
 */
import { ApiError } from "./error";
import type { MotionHeader } from "./types";

export interface MotionChunk {
  header: MotionHeader;
  /** World positions of the root, metres: count*3. */
  roots: Float32Array;
  /** Joint minus root in units of `header.unit_m`: count*joints*3. */
  points: Int16Array;
  /** Bit k: contact k of the header is planted. */
  contacts: Uint32Array;
}

const MAGIC = 0x47574d4f; // "GWMO" read big endian

function unreadable(why: string): ApiError {
  return new ApiError(200, "internal", `the motion cannot be read: ${why}`);
}

/** The arrays are views into `buffer`: nothing is copied. */
export function decodeMotion(buffer: ArrayBuffer): MotionChunk {
  if (buffer.byteLength < 12) throw unreadable("it is cut short");
  const view = new DataView(buffer);
  if (view.getUint32(0, false) !== MAGIC) throw unreadable("it does not start with GWMO");
  const version = view.getUint32(4, true);
  if (version !== 1) throw unreadable(`version ${version} is not known to this page; reload it`);
  const headerBytes = view.getUint32(8, true);
  if (12 + headerBytes > buffer.byteLength) throw unreadable("its header is cut short");
  const header = readHeader(new Uint8Array(buffer, 12, headerBytes));
  const joints = header.joints.length;
  const rootsAt = align(12 + headerBytes, 8);
  const pointsAt = rootsAt + header.count * 12;
  const contactsAt = align(pointsAt + header.count * joints * 6, 4);
  if (contactsAt + header.count * 4 > buffer.byteLength) throw unreadable("its frames are cut short");
  return {
    header,
    roots: new Float32Array(buffer, rootsAt, header.count * 3),
    points: new Int16Array(buffer, pointsAt, header.count * joints * 3),
    contacts: new Uint32Array(buffer, contactsAt, header.count),
  };
}

function readHeader(bytes: Uint8Array): MotionHeader {
  let header: MotionHeader;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes)) as MotionHeader;
  } catch {
    throw unreadable("its header is not JSON");
  }
  const sound =
    Array.isArray(header.joints) &&
    Array.isArray(header.parents) &&
    header.joints.length === header.parents.length &&
    header.joints.length > 0 &&
    Number.isInteger(header.count) &&
    header.count >= 0 &&
    header.rate_hz > 0;
  if (!sound) throw unreadable("its header does not hold together");
  return header;
}

function align(offset: number, to: number): number {
  return Math.ceil(offset / to) * to;
}
