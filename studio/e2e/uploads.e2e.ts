/** Files of every kind dropped at once: what is good is taken, what belongs together goes together, what is bad is told in one place. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, inject, test } from "vitest";
import type { Clip } from "../src/api/types";
import { dropFiles, until } from "./harness/acts";
import { amcText, asfText } from "./harness/asf";
import { useStudio } from "./harness/fixture";
import { settled } from "./harness/settle";

const studio = useStudio();
const data = process.env["GAITWAY_DATA"];
const clips = () => studio.server.get<Clip[]>("/api/clips");

async function fresh(name: string) {
  await studio.server.post("/api/projects", { name });
  const tab = await studio.open();
  await tab.page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  return tab;
}

test("many bad files among good ones stand in one card, and the good ones are taken", async () => {
  const { page } = await fresh("Bad among good");
  const folder = inject("clips");
  const good = readdirSync(folder).filter((name) => /^walk_.*\.bvh$/.test(name));
  const bad = Array.from({ length: 7 }, (_, k) => join(studio.folder, `broken_${k}.bvh`));
  for (const path of bad) writeFileSync(path, "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 zero 0\n}\n");
  await dropFiles(page, [...good.map((name) => join(folder, name)), ...bad]);
  const card = page.locator(".upload[role=alert]");
  await card.getByText("7 files were not added").waitFor();
  expect(await card.count(), "one card").toBe(1);
  expect(await card.locator("li:visible").count(), "every file with its reason").toBe(7);
  expect(await card.locator("li").first().textContent()).toMatch(/broken_\d\.bvh:4/);
  expect(await card.getByRole("button", { name: /Try again/ }).count(), "a damaged file stays damaged").toBe(0);
  await until(clips, (list) => list.length === good.length, "the good ones");
});

test("bad files of every kind in one drop: one card, every reason, and only what helps to press", async () => {
  const tab = await fresh("All kinds");
  const { page } = tab;
  const folder = inject("clips");
  const at = (name: string, text: string) => {
    writeFileSync(join(studio.folder, name), text);
    return join(studio.folder, name);
  };
  const [good] = readdirSync(folder).filter((name) => /^walk_.*\.bvh$/.test(name));
  const motion = readFileSync(join(folder, good!), "utf8");
  const bad = [
    at("damaged.bvh", "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 zero 0\n}\n"),
    at("lonely.amc", amcText(30)),
    at("torn.gltf", "{ no json"),
    at("markers.c3d", "P"),
    at("notes.txt", motion),
    at("empty.glb", ""),
  ];
  await dropFiles(page, [join(folder, good!), ...bad]);
  await until(clips, (list) => list.length === 1, "the good one");
  const card = page.locator(".upload[role=alert]");
  await card.getByText("6 files were not added").waitFor();
  expect(await card.count(), "one card for one drop").toBe(1);
  const lines = await card.locator("li").allTextContents();
  expect(lines.length).toBe(6);
  for (const path of bad)
    expect(
      lines.filter((line) => line.startsWith(basename(path))).length,
      `${basename(path)} in ${lines.join("; ")}`,
    ).toBe(1);
  expect(lines.join(" "), "no options of the command line").not.toMatch(/--[a-z]|`/);
  expect(await card.getByText(/and \d+ more/).count(), "nothing is folded away").toBe(0);
  expect(await card.getByRole("button", { name: /Try again/ }).count(), "none of these gets better by itself").toBe(0);
  await tab.picture("bad-files-light");
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.locator("html[data-theme=dark]").waitFor();
  await settled(page);
  await tab.picture("bad-files-dark");
  // What somebody knows: this text is a BVH, and this is the skeleton of that motion.
  await card.getByLabel("They are").selectOption("bvh");
  await card.getByRole("button", { name: "Read as this (1)" }).click();
  await until(clips, (list) => list.some((clip) => clip.name === "notes"), "the text as BVH");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    card.getByRole("button", { name: "Choose its skeleton (ASF)…" }).click(),
  ]);
  await chooser.setFiles(at("lonely.asf", asfText()));
  await until(clips, (list) => list.some((clip) => clip.name === "lonely"), "the motion with its skeleton");
  await card.getByText("4 files were not added").waitFor();
});

test("what a second try can help is tried again from the card", async () => {
  const tab = await fresh("Again");
  const { page } = tab;
  tab.expectProblems(/answer 503/);
  let answers = 0;
  await page.route("**/api/clips?skip_bad=true", (route) =>
    ++answers === 1
      ? route.fulfill({
          status: 503,
          contentType: "application/json",
          body: JSON.stringify({
            error: { code: "busy", message: "the server has too much to do", hint: null, field: null },
          }),
        })
      : route.continue(),
  );
  const folder = inject("clips");
  const good = readdirSync(folder).filter((name) => /^walk_normal.*\.bvh$/.test(name));
  await dropFiles(
    page,
    good.map((name) => join(folder, name)),
  );
  const card = page.locator(".upload[role=alert]");
  await card.getByText("the server has too much to do").first().waitFor();
  expect(await card.locator("li").count()).toBe(good.length);
  await card.getByRole("button", { name: "Try again" }).click();
  await until(clips, (list) => list.length === good.length, "all of them");
  expect(await card.count(), "the card is gone").toBe(0);
});

test("a file that is not what its name says is read as what it is", async () => {
  const { page } = await fresh("Formats");
  const folder = inject("clips");
  const [good] = readdirSync(folder).filter((name) => /^walk_normal.*\.bvh$/.test(name));
  await dropFiles(page, [join(folder, good!)]);
  await page.locator(".clip-card").click();
  const read = page.locator(".clip-title").getByRole("button", { name: "Read as…" });
  const dialog = page.getByRole("dialog");
  await read.click();
  expect(await dialog.getByLabel("Format").locator("option").allTextContents()).toEqual([
    "as its name says (BVH)",
    "BVH",
    "AMC",
    "glTF",
    "GLB",
    "FBX",
  ]);
  expect(await dialog.getByLabel("Skeleton").isVisible(), "a BVH has its own").toBe(false);
  await dialog.getByLabel("Format").selectOption("bvh");
  await dialog.getByRole("button", { name: "Read anew" }).click();
  await page.getByText("1 clip read anew.").waitFor();
  expect((await clips())[0]!.reading!.format).toBe("bvh");
});

test.runIf(data)("a glTF comes with its BIN, whichever is dropped first", async () => {
  const folder = join(data!, "gltf", "RiggedFigure-separate");
  const files = readdirSync(folder).map((name) => join(folder, name));
  const pair = files.filter((path) => /\.(gltf|bin)$/.test(path)).sort();
  expect(pair.length).toBe(2);
  const { page } = await fresh("glTF");
  await dropFiles(page, [...pair].reverse());
  // It has a mesh of its own, and moves: it may be either.
  const dialog = page.getByRole("dialog", { name: "A character, or motion?" });
  await dialog.getByRole("button", { name: "Motion" }).click();
  await until(clips, (list) => list.length === 1, "one clip");
  await page.locator(".clip-card").waitFor();
  expect(await page.locator(".upload[role=alert]").count()).toBe(0);
});
