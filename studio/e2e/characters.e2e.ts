/** A body of the user's own: dropped, moved beside the source, its roles chosen, taken home, and shown in the players. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import type { Character, Clip, OnCharacter, Project } from "../src/api/types";
import { changes, downloadFrom, dropFiles, until } from "./harness/acts";
import { accessibility } from "./harness/axe";
import type { Tab } from "./harness/browser";
import { cuts } from "./harness/cut";
import { makeFigures, type Figures } from "./harness/figure";
import { useStudio } from "./harness/fixture";
import { pixelsOf, type Pixels } from "./harness/png";
import { settled } from "./harness/settle";
import { spills } from "./harness/spill";

const studio = useStudio();
const data = process.env["GAITWAY_DATA"];
const characters = () => studio.server.get<Character[]>("/api/characters");
const shown = async () => (await studio.server.get<Project>("/api/project")).shown;

let figures: Figures;
beforeAll(async () => {
  figures = await makeFigures();
});

/** Until motion is on it, and said so. */
async function dressed(tab: Tab): Promise<void> {
  await tab.page.locator(".character-view .found-state", { hasText: "times as long" }).waitFor();
  await tab.page.locator(".mapping tbody tr").first().waitFor();
}

test("a character is dropped onto the demo, moves beside the source, and its roles can be chosen", async () => {
  const tab = await studio.open();
  const { page } = tab;
  await page.locator(".tl-item").first().waitFor();
  await dropFiles(page, [figures.still]);
  await dressed(tab);
  const [hero] = await characters();
  expect(hero).toMatchObject({ name: "hero", mesh: true });
  expect(await page.locator(".files .clip-card").getAttribute("aria-current")).toBe("true");
  const clip = decodeURIComponent(/library\/([^?]+)/.exec(page.url())?.[1] ?? "");
  const on = await studio.server.get<OnCharacter>(`/api/characters/${hero!.id}/on?clip=${clip}`);
  expect(await page.locator(".mapping tbody tr").count(), "a row per role").toBe(on.roles.length);
  expect(await page.locator(".kept-bar").count(), "a bar per plant").toBe(
    on.kept.filter((span) => !/floor/.test(span.name)).length,
  );
  // It moves.
  const look = () => pixelsOf(page.locator(".character-view .stage"));
  await page.keyboard.press("Home");
  const before = await look();
  for (let k = 0; k < 6; k++) await page.keyboard.press("Shift+ArrowRight");
  await changes(look, before, 0.002, "it stands still");
  await tab.picture("character-light");
  // Roles in colours, on both.
  const plain = await look();
  await page.getByLabel("Roles in colours").check();
  await changes(look, plain, 0.005, "no colours");
  await tab.picture("character-roles-light");
  expect((await accessibility(page)).serious).toEqual([]);
  // Another joint for the head: solved anew.
  const choice = page.getByLabel("Head of hero", { exact: true });
  const found = await choice.inputValue();
  const other = on.target_joints.find((joint) => joint !== found && /neck|chest/i.test(joint))!;
  await choice.selectOption(other);
  await until(
    async () => (await characters())[0]!.roles.target?.["Head"]?.join(),
    (joint) => joint === other,
    "the role",
  );
  await page.getByRole("button", { name: "Find head of hero again" }).click();
  await until(
    async () => (await characters())[0]!.roles.target?.["Head"],
    (joint) => joint === undefined,
    "the role forgotten",
  );
  await until(
    () => page.getByLabel("Head of hero", { exact: true }).inputValue(),
    (joint) => joint === found,
    "the head",
  );
  // Time is one: a press on a lane moves both.
  const track = page.locator(".kept-track").first();
  const box = (await track.boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const time = Number(await page.locator(".character-view .scrub input").inputValue());
  expect(Math.abs(time - on.seconds / 2)).toBeLessThan(0.1);
  // Home it goes, with its mesh.
  const file = await downloadFrom(page, () => page.locator(".on-home a", { hasText: "GLB" }).click());
  expect(file.suggestedFilename()).toMatch(/-on-hero\.glb$/);
  const glb = readFileSync(await file.path());
  const document = JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)).toString()) as Record<string, unknown[]>;
  expect(document["meshes"]?.length).toBeGreaterThan(0);
  expect(document["animations"]?.length).toBe(1);
  // Another clip on the same character, and the address says so.
  const clips = await studio.server.get<Clip[]>("/api/clips");
  const next = clips.find((one) => one.id !== clip)!;
  await page.locator(".found-tools").getByLabel("Motion").selectOption(`clip ${next.id}`);
  await until(
    () => Promise.resolve(page.url()),
    (url) => url.includes(next.id),
    "the address",
  );
  await page.reload();
  await dressed(tab);
  expect(page.url()).toContain(`character=${hero!.id}`);
});

test("one that moves is asked about; what is no figure is told where it was dropped", async () => {
  const tab = await studio.open();
  const { page } = tab;
  await page.locator(".tl-item").first().waitFor();
  const count = (await characters()).length;
  await dropFiles(page, [figures.moving]);
  const dialog = page.getByRole("dialog", { name: "A character, or motion?" });
  await dialog.getByText("dancer.glb").waitFor();
  await dialog.getByRole("button", { name: "A character" }).click();
  await until(characters, (list) => list.length === count + 1, "a second character");
  await dressed(tab);
  await page.getByRole("button", { name: "Remove dancer from the project" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await until(characters, (list) => list.length === count, "removed");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Character…" }).click();
  await (await chooser).setFiles(figures.broken);
  await page.locator(".uploads", { hasText: "broken.glb" }).waitFor();
});

test("players show the character where one says so, and the project remembers", async () => {
  const tab = await studio.open();
  const { page } = tab;
  await page.locator(".tl-item").first().waitFor();
  if ((await characters()).length === 0) {
    await dropFiles(page, [figures.still]);
    await dressed(tab);
    await tab.goTo("/library");
  }
  const [hero] = await characters();
  const look = () => pixelsOf(page.locator(".clip-view:not(.character-view) .stage"));
  await page.locator(".tl-item").first().waitFor();
  await page.keyboard.press("Home");
  await settled(page);
  const plain = await look();
  await page.getByLabel("Shown as").first().selectOption(hero!.id);
  await until(shown, (id) => id === hero!.id, "remembered");
  await changes(look, plain, 0.002, "the same figure");
  await tab.picture("player-character-light");
  // In the other view too.
  const job = await studio.server.post<{ id: string }>("/api/jobs", { kind: "walk", seconds: 4, seed: 1 });
  await until(
    () => studio.server.get<{ state: string }>(`/api/jobs/${job.id}`),
    ({ state }) => state === "done",
    "a walk",
  );
  await tab.goTo(`/make/${job.id}`);
  const answer = await page.waitForResponse((r) => r.url().includes("/on/export") && r.url().includes(job.id));
  expect(answer.status()).toBe(200);
  await settled(page);
  await tab.picture("make-character-light");
  await page.getByLabel("Shown as").last().selectOption("");
  await until(shown, (id) => id === null, "the plain figure again");
});

for (const [name, size] of [
  ["laptop", { width: 1280, height: 720 }],
  ["phone", { width: 390, height: 844 }],
] as const)
  test(`nothing is cut on a ${name}`, async () => {
    const tab = await studio.open({ ...size });
    const { page } = tab;
    await page.locator(".tl-item").first().waitFor();
    if ((await characters()).length === 0) {
      await dropFiles(page, [figures.still]);
      await dressed(tab);
    }
    const [hero] = await characters();
    await tab.goTo(`/library?character=${hero!.id}`);
    await dressed(tab);
    // A message that has just come lies over what is below it, for a while.
    for (const close of await page.locator(".toast .icon-button").all()) await close.click();
    await page.mouse.move(2, 2);
    await settled(page);
    await tab.picture(`character-${name}-light`);
    expect(await cuts(page)).toEqual([]);
    expect(await spills(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.locator("html[data-theme=dark]").waitFor();
    await settled(page);
    await tab.picture(`character-${name}-dark`);
  });

test.runIf(data)("real figures: CesiumMan and the rigged figure, in both themes", async () => {
  const tab = await studio.open();
  const { page } = tab;
  await page.locator(".tl-item").first().waitFor();
  for (const name of ["CesiumMan", "RiggedFigure", "RobotExpressive"]) {
    await dropFiles(page, [join(data!, `gltf/${name}.glb`)]);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "A character" }).click();
    await page.getByRole("heading", { name, level: 2 }).waitFor();
    await dressed(tab);
    await page.keyboard.press("Home");
    for (let k = 0; k < 9; k++) await page.keyboard.press("Shift+ArrowRight");
    await settled(page);
    await tab.picture(`character-${name}-light`);
  }
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.locator("html[data-theme=dark]").waitFor();
  await settled(page);
  await tab.picture("character-real-dark");
});

/** The top of the highest green ball in a picture: a hand's handle. */
function greenTop({ width, height, rgba }: Pixels): [number, number] | null {
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [r, g, b] = [0, 1, 2].map((k) => rgba[4 * (y * width + x) + k]!) as [number, number, number];
      if (g > 90 && g > 1.5 * r && g > 1.25 * b) return [x, y];
    }
  return null;
}

test("a clip's own body is made taller, a hand is dragged, and a clip is made of it", async () => {
  await studio.server.post("/api/projects", { name: "Own body" });
  const tab = await studio.open();
  const { page } = tab;
  await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  const folder = inject("clips");
  const [walk] = readdirSync(folder).filter((file) => /^walk_.*\.bvh$/.test(file));
  await dropFiles(page, [join(folder, walk!)]);
  await page.getByRole("button", { name: "Body and hands…" }).click();
  const state = page.locator(".character-view .found-state");
  await state.getByText("The motion as it is").waitFor();
  await page.getByLabel("Height").press("ArrowRight");
  await state.getByText(/The body is 1\.\d+ m tall/).waitFor();
  expect(await page.locator(".found-command code").textContent()).toContain("--taller=1%");
  // A ball in the room: taken, pulled, let go.
  const stage = page.locator(".character-view .stage");
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("Home");
  for (let k = 0; k < 5; k++) await page.keyboard.press("Shift+ArrowRight");
  await settled(page);
  const top = greenTop(await pixelsOf(stage));
  expect(top, "a handle is seen").not.toBeNull();
  const box = (await stage.boundingBox())!;
  const [x, y] = [box.x + top![0], box.y + top![1] + 6];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y + 6, { steps: 4 });
  await tab.picture("own-body-dragging-light");
  await page.mouse.up();
  const row = page.locator(".shape-drag", { hasText: "hand" });
  await row.waitFor();
  // Its span is seen, though being taller changes all of the motion.
  const wide = async (kind: string) => (await page.locator(`.kept-bar.${kind}`).first().boundingBox())!.width;
  await page.locator(".kept-bar.dragged").first().waitFor();
  expect(await wide("dragged")).toBeLessThan(0.8 * (await wide("lengths")));
  expect(await page.locator(".kept-tick").count(), "when it was dragged").toBe(1);
  await row.getByText("mm left").waitFor();
  await tab.picture("own-body-light");
  expect((await accessibility(page)).serious).toEqual([]);
  // The same by numbers, and back.
  await page.locator(".shape-panel .row select").selectOption("RightFoot");
  await page.getByRole("button", { name: "At this time…" }).click();
  const hand = page.locator(".shape-drag", { hasText: "Right foot" });
  await hand.waitFor();
  await hand.getByLabel("y").fill(String(Number(await hand.getByLabel("y").inputValue()) + 0.1));
  await hand.getByLabel("y").press("Enter");
  await until(
    () => page.locator(".found-command code").textContent(),
    (words) => words?.includes("--drag RightFoot@") ?? false,
    "the command",
  );
  await hand.getByRole("button", { name: "Forget the drag of right foot" }).click();
  await until(
    () => page.locator(".shape-drag").count(),
    (n) => n === 1,
    "one drag",
  );
  await until(
    () => page.locator(".found-command code").textContent(),
    (words) => !words?.includes("RightFoot"),
    "the command without it",
  );
  await page.getByRole("button", { name: "Make a clip" }).click();
  const clips = await until(
    () => studio.server.get<Clip[]>("/api/clips"),
    (list) => list.length === 2,
    "a clip",
  );
  const made = clips.find((clip) => clip.name.endsWith("_edited"))!;
  await page.getByRole("heading", { name: made.name, level: 2 }).waitFor();
});
