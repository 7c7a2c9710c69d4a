/** What a dropped glTF file is: a character to put motion on, motion, or both. The file says so at its start; nothing is sent for that. */

export type DroppedKind = "character" | "motion" | "either";

/** A header that is longer holds more than anybody's rig. */
const MOST_JSON = 32 << 20;

interface Document {
  asset?: { generator?: unknown };
  skins?: unknown[];
  meshes?: unknown[];
  animations?: unknown[];
}

/** By what is in its document: a figure that stands still is there to be moved; one that moves may be either. The plain figure of our own files is nobody's. */
export function kindOf(document: Document): DroppedKind {
  const moves = (document.animations?.length ?? 0) > 0;
  const generator = document.asset?.generator;
  if (moves && typeof generator === "string" && generator.startsWith("gaitway ")) return "motion";
  const rigged = (document.skins?.length ?? 0) > 0 && (document.meshes?.length ?? 0) > 0;
  if (!rigged) return "motion";
  return moves ? "either" : "character";
}

/** The JSON of a GLB container; null where it is none. */
export function glbJson(bytes: ArrayBuffer): { length: number } | null {
  if (bytes.byteLength < 20) return null;
  const view = new DataView(bytes);
  const isGlb = view.getUint32(0, true) === 0x46546c67 && view.getUint32(16, true) === 0x4e4f534a;
  return isGlb ? { length: view.getUint32(12, true) } : null;
}

/** Of a file that is not what it is called nothing is known: the server says what is wrong with it. */
export async function droppedKind(file: File): Promise<DroppedKind> {
  try {
    if (/\.gltf$/i.test(file.name) && file.size <= MOST_JSON) return kindOf(JSON.parse(await file.text()) as Document);
    if (!/\.glb$/i.test(file.name)) return "motion";
    const json = glbJson(await file.slice(0, 20).arrayBuffer());
    if (!json || json.length > MOST_JSON) return "motion";
    return kindOf(JSON.parse(await file.slice(20, 20 + json.length).text()) as Document);
  } catch {
    return "motion";
  }
}
