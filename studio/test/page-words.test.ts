import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { sentences } from "../src/ui/format";
import { pageWords } from "../src/ui/page-words";

const CRATES = resolve(import.meta.dirname, "../../crates");

describe("words of the command line", () => {
  it("become what there is to click", () => {
    const rate =
      "the rate of 120 Hz is probably wrong, 60 Hz is likely: in 35 flights of this skeleton the body falls at 36.5 m/s², and 9.8 fits 62 ± 3 Hz (--source-fps 60)";
    expect(pageWords(rate)).toBe(rate.replace(" (--source-fps 60)", ""));
    expect(pageWords("left as they are (`convert --cut A..B` keeps only the seconds from A to B)")).toBe(
      "left as they are (“Cut a range…” keeps only a part)",
    );
    expect(pageWords("frame 0 is a T-pose (arms), not motion; dropped (--keep-first-frame keeps it)")).toBe(
      "frame 0 is a T-pose (arms), not motion; dropped",
    );
    expect(sentences("an AMC needs its skeleton, and no ASF lies beside it", "name it with --skeleton FILE.asf")).toBe(
      "an AMC needs its skeleton, and no ASF lies beside it. Choose its skeleton (ASF)",
    );
  });
  it("of markers become what there is to do", () => {
    expect(sentences("one body, and no joint", "say how many bodies there are: --bodies 15")).toBe(
      "one body, and no joint. Say how many parts there are",
    );
    expect(pageWords("a.c3d: --bodies 80: there are 42 markers")).toBe(
      "a.c3d: 80 parts are asked for, and there are 42 markers",
    );
  });
  it("wishes in time are said in words", () => {
    expect(pageWords("`3@8.00`: that would be 3 m/s")).toBe("3 s at 8.00 m: that would be 3 m/s");
    expect(pageWords("`1.5@0.00..3.20`: is no piece")).toBe("1.5 m/s from 0.00 to 3.20 m: is no piece");
    expect(pageWords("`-4`: expected seconds above 0")).toBe("“-4”: expected seconds above 0");
  });
  it("quoted names wear quotation marks, and plain words stay", () => {
    expect(pageWords("there is a clip `walk_01` already")).toBe("there is a clip “walk_01” already");
    expect(pageWords("8 frames a second - or more")).toBe("8 frames a second - or more");
  });
});

/** Texts of a Rust source, with the lines that a backslash joins. */
function texts(source: string): string[] {
  const body = source.split("#[cfg(test)]")[0]!.replace(/^\s*\/\/.*$/gm, "");
  return [...body.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)].map((m) => m[1]!.replace(/\\\n\s*/g, ""));
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".rs"))
    .map((name) => join(folder, name));
}

/** What the page never shows: the line to paste itself, and what is said to whoever starts the server. */
const TERMINAL =
  /studio\/src\/(jobs\/command|routes\/(?:recordings|characters)\/command|server|config|guard|token|project\/folder)\.rs$/;
const STARTED_WITH: ReadonlySet<string> = new Set([
  "`-` reads standard input: cat FILE | gaitway info -",
  "give another folder with --project, or no input to go on with this one",
  "{input} is not there any more: its clips are shown as the graph has them; put it back and open the project again, or say where it is now: gaitway studio NEW-PLACE --project DIR",
]);
const OPTION = /--[a-z]|\bgaitway (?:convert|info|build|clean|path|quality|calibrate)\b/;

describe("every text that readers, graphs and searches can send to the page", () => {
  const files = ["io", "core", "calibrate", "graph", "synth", "studio"].flatMap((name) =>
    sources(join(CRATES, `gaitway-${name}`, "src")),
  );
  it.each(files.filter((file) => !TERMINAL.test(file)).map((file) => [file.slice(CRATES.length + 1), file]))(
    "%s: no option is left",
    (_, file) => {
      const left = texts(readFileSync(file, "utf8"))
        .filter((text) => OPTION.test(text) && !STARTED_WITH.has(text))
        // A number that is filled in later stands for itself.
        .map((text) => pageWords(text.replace(/\{[^}]*\}/g, "60")))
        .filter((text) => OPTION.test(text));
      expect(left).toEqual([]);
    },
  );
});
