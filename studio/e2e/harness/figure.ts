/** A rigged figure without motion: a GLB of the program's own, its animation taken out. */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { gaitway, scratch } from "./server";

export interface Figures {
  /** Stands still. */
  still: string;
  /** The same, moving, from another program. */
  moving: string;
  /** A GLB that ends too soon. */
  broken: string;
}

function changed(bytes: Buffer, change: (document: Record<string, unknown>) => void): Buffer {
  const length = bytes.readUInt32LE(12);
  const document = JSON.parse(bytes.subarray(20, 20 + length).toString()) as Record<string, unknown>;
  change(document);
  const text = JSON.stringify(document);
  const padded = Buffer.from(text + " ".repeat(-Buffer.byteLength(text) & 3));
  const rest = bytes.subarray(20 + length);
  const head = Buffer.from(bytes.subarray(0, 20));
  head.writeUInt32LE(20 + padded.length + rest.length, 8);
  head.writeUInt32LE(padded.length, 12);
  return Buffer.concat([head, padded, rest]);
}

export async function makeFigures(): Promise<Figures> {
  const folder = scratch("figures");
  const clips = inject("clips");
  const [walk] = readdirSync(clips).filter((file) => /^walk_.*\.bvh$/.test(file));
  const [other, own] = [join(folder, "other.bvh"), join(folder, "own.glb")];
  // Somebody else, so that there is something to solve.
  await gaitway(["--quiet", "edit", join(clips, walk!), "-o", other, "--legs=-12%", "--arms=8%"]);
  await gaitway(["--quiet", "convert", other, own]);
  const bytes = readFileSync(own);
  const at = (name: string) => join(folder, name);
  writeFileSync(
    at("hero.glb"),
    changed(bytes, (document) => delete document["animations"]),
  );
  writeFileSync(
    at("dancer.glb"),
    changed(bytes, (document) => (document["asset"] = { version: "2.0", generator: "another program" })),
  );
  writeFileSync(at("broken.glb"), bytes.subarray(0, 2000));
  return { still: at("hero.glb"), moving: at("dancer.glb"), broken: at("broken.glb") };
}
