/** Style sheets of views are all there together, once their views have been opened: none may dress what is another's. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../src");

/** Classes that a sheet dresses wherever they stand: `.name` and nothing else. */
function ownClasses(file: string): string[] {
  const text = readFileSync(join(SRC, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const selectors = [...text.matchAll(/([^{}]+)\{/g)].flatMap(([, list]) => list!.split(",").map((s) => s.trim()));
  return [...new Set(selectors.filter((s) => /^\.[a-z][\w-]*$/.test(s)))];
}

test("no class is dressed by two sheets", () => {
  const sheets = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((f) => f.endsWith(".css"));
  expect(sheets.length).toBeGreaterThan(5);
  const homes = new Map<string, string[]>();
  for (const sheet of sheets)
    for (const name of ownClasses(sheet)) homes.set(name, [...(homes.get(name) ?? []), sheet]);
  expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
});
