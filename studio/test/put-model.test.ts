import { expect, test } from "vitest";
import type { Body, Character, Clip } from "../src/api/types";
import { bodyChoices, notThere, putWords } from "../src/library/put-model";

const clip = (name: string, body: string, seconds: number) => ({ id: name, name, body, seconds }) as Clip;
const clips = [clip("a", "1", 2), clip("b", "1", 5), clip("c", "2", 3)];
const bodies = [
  { id: "1", joints: 20, clips: ["a", "b"], seconds: 7 },
  { id: "2", joints: 30, clips: ["c"], seconds: 3 },
] satisfies Body[];
const hero = { id: "hero-1", name: "hero", body: null as string | null } as Character;

test("characters come first, and of a body its longest clip speaks for it", () => {
  expect(bodyChoices([hero], bodies, clips).map(({ value, onto }) => [value, onto])).toEqual([
    ["character hero-1", { character: "hero-1" }],
    ["body 1", { clip: "b" }],
    ["body 2", { clip: "c" }],
  ]);
});

test("what was put on a body is not put on it again", () => {
  const all = [
    clip("ann/a", "1", 1),
    clip("b#x", "1", 1),
    clip("c", "1", 1),
    clip("a_on_hero", "2", 1),
    clip("b_x_on_hero", "2", 1),
  ];
  const [choice] = bodyChoices([hero], [], all);
  expect(notThere(choice!, all).map(({ name }) => name)).toEqual(["c", "a_on_hero", "b_x_on_hero"]);
});

test("what is done is said, and nothing where nothing is", () => {
  const [onHero, on1, on2] = bodyChoices([hero], bodies, clips) as [never, never, never];
  expect(putWords(onHero, clips)).toBe("3 clips are put on hero.");
  expect(putWords(on1, clips)).toBe("1 clip is put on the body of b; 2 clips of it stay as they are.");
  expect(putWords(on2, clips)).toBe("2 clips are put on the body of c; 1 clip of it stays as it is.");
  expect(putWords(on1, clips.slice(0, 2))).toBeNull();
  const known = { ...hero, body: "1" };
  expect(putWords(bodyChoices([known], bodies, clips)[0]!, clips)).toBe(
    "1 clip is put on hero; 2 clips of it stay as they are.",
  );
});
