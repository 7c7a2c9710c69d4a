/** Formats that a file can be said to have, over its name and first bytes. */
import type { ReadFormat } from "../api/types";

export const FORMATS: readonly { value: ReadFormat; label: string }[] = [
  { value: "bvh", label: "BVH" },
  { value: "amc", label: "AMC" },
  { value: "gltf", label: "glTF" },
  { value: "glb", label: "GLB" },
  { value: "fbx", label: "FBX" },
];
