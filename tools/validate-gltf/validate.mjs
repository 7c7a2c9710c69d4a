// Checks glTF and GLB files, or all below folders, with the Khronos validator.
//
//   node validate.mjs FILE_OR_FOLDER ...
//
// Prints errors and warnings, then one line of totals. Exit 1 when any file has an error or cannot be read,
// 2 when no file was named.
import { readFile, readdir, stat } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { validateBytes } from "gltf-validator";

const NAMES = ["error", "warning", "info", "hint"];

async function filesBelow(path) {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = (await readdir(path)).sort();
  const lists = await Promise.all(entries.map((entry) => filesBelow(join(path, entry))));
  return lists.flat().filter((file) => [".glb", ".gltf"].includes(extname(file).toLowerCase()));
}

async function validate(path) {
  const report = await validateBytes(new Uint8Array(await readFile(path)), {
    uri: path,
    maxIssues: 1000,
    externalResourceFunction: async (uri) =>
      new Uint8Array(await readFile(resolve(dirname(path), decodeURIComponent(uri)))),
  });
  for (const issue of report.issues.messages.filter((m) => m.severity < 2).slice(0, 10)) {
    console.log(`${path}: ${NAMES[issue.severity]} ${issue.code} at ${issue.pointer}: ${issue.message}`);
  }
  return report.issues;
}

const paths = (await Promise.all(process.argv.slice(2).map(filesBelow))).flat();
if (paths.length === 0) {
  console.error("usage: node validate.mjs FILE_OR_FOLDER ...");
  process.exit(2);
}
const totals = { files: paths.length, errors: 0, warnings: 0, infos: 0, hints: 0, unreadable: 0 };
const codes = new Map();
for (const path of paths) {
  try {
    const issues = await validate(path);
    totals.errors += issues.numErrors;
    totals.warnings += issues.numWarnings;
    totals.infos += issues.numInfos;
    totals.hints += issues.numHints;
    for (const { code } of issues.messages) codes.set(code, (codes.get(code) ?? 0) + 1);
  } catch (error) {
    console.log(`${path}: ${error.message ?? error}`);
    totals.unreadable += 1;
  }
}
const seen = [...codes].map(([code, count]) => `${code} ${count}`).join(", ");
console.log(`${Object.entries(totals).map(([k, n]) => `${n} ${k}`).join(", ")}${seen && ` (${seen})`}`);
process.exit(totals.errors + totals.unreadable > 0 ? 1 : 0);
