/** Markers and sensors dropped onto the page: played, their groups coloured, the body over them, and one button to a clip. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import type { Clip, FoundBody, Recording } from "../src/api/types";
import { changes, dropFiles, until } from "./harness/acts";
import { accessibility } from "./harness/axe";
import { useStudio } from "./harness/fixture";
import { pixelsOf } from "./harness/png";
import { gaitway } from "./harness/server";
import { settled } from "./harness/settle";

const studio = useStudio();
const data = process.env["GAITWAY_DATA"];
const recordings = () => studio.server.get<Recording[]>("/api/recordings");
const clips = () => studio.server.get<Clip[]>("/api/clips");

/** Files of virtual markers and sensors, made by the program itself. */
async function virtual(kind: "markers" | "sensors", name: string): Promise<string> {
  const folder = inject("clips");
  const [walk] = readdirSync(folder).filter((file) => /^walk_.*\.bvh$/.test(file));
  const out = join(studio.folder, name);
  const faults = kind === "markers" ? ["--dropouts", "3%"] : [];
  await gaitway(["calibrate", join(folder, walk!), "--virtual", kind, ...faults, "--data-out", out]);
  return out;
}

async function fresh(name: string) {
  await studio.server.post("/api/projects", { name });
  const tab = await studio.open();
  await tab.page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  return tab;
}

let markers = "";
beforeAll(async () => {
  markers = await virtual("markers", "take.trc");
});

test("markers are dropped, played, grouped, and become a clip with one button", async () => {
  const tab = await fresh("Markers");
  const { page } = tab;
  await dropFiles(page, [markers]);
  const card = page.locator(".files .clip-card");
  await card.getByText("take").waitFor();
  expect(await card.getAttribute("aria-current"), "what came is shown").toBe("true");
  const panel = page.getByRole("region", { name: "The body in it" });
  await panel.getByText(/\d+ parts · \d+ markers/).waitFor();
  const [recording] = await recordings();
  const found = await studio.server.get<FoundBody>(`/api/recordings/${recording!.id}/body`);
  expect(await panel.locator("tbody tr").count(), "a row per part").toBe(found.bodies.length);
  expect(await panel.locator(".residual").count(), "a residual per joint").toBe(found.joints.length);
  await panel.getByText(/samples were not seen and are filled/).waitFor();
  expect(await panel.locator(".advice").count(), "advice where there is some").toBe(
    found.joints.filter((joint) => joint.advice).length,
  );
  // They move, and the body with them.
  const stage = page.locator(".recording-view .stage");
  const look = () => pixelsOf(stage);
  await page.keyboard.press("Home");
  const before = await look();
  await page.keyboard.press("Space");
  await changes(look, before, 0.002, "the markers stand still");
  expect((await accessibility(page)).serious).toEqual([]);
  await tab.picture("markers-light");

  await panel.getByRole("button", { name: "Make a clip" }).click();
  const [clip] = await until(clips, (list) => list.length === 1, "a clip");
  await page.getByRole("heading", { name: clip!.name, level: 2 }).waitFor();
  expect(clip!.format).toBe("bvh");
  expect(clip!.joints).toBeGreaterThanOrEqual(found.bodies.length);
  expect((await recordings()).length, "the markers stay").toBe(1);
});

test("what somebody knows better is said: groups by motion, a marker left out, the body of a clip", async () => {
  const tab = await fresh("Better");
  const { page } = tab;
  await dropFiles(page, [markers]);
  const panel = page.getByRole("region", { name: "The body in it" });
  const chip = panel.locator(".found-markers .chip").first();
  await chip.waitFor();
  const name = (await chip.textContent())!;
  await chip.click();
  await panel.getByText("Left out as you said:").waitFor();
  expect(await panel.locator(".found-command code").textContent()).toContain(`--without '${name}'`);
  await panel.getByRole("button", { name: `Take ${name} again` }).click();
  await panel.locator(".found-markers").getByText(name, { exact: true }).waitFor();
  await panel.getByLabel("Parts", { exact: true }).fill("9");
  await panel.getByLabel("Parts", { exact: true }).press("Enter");
  await panel.getByText(/--bodies 9/).waitFor();
  await panel.getByLabel("Parts", { exact: true }).fill("");
  await panel.getByLabel("Parts", { exact: true }).press("Enter");
  await until(
    () => panel.locator(".found-command code").textContent(),
    (line) => !line?.includes("--bodies"),
    "found again",
  );
  await panel.getByRole("button", { name: "Make a clip" }).click();
  await until(clips, (list) => list.length === 1, "a clip");
  // The next trial on the same body.
  await page.locator(".files .clip-card").click();
  await panel.getByLabel("Body").selectOption({ index: 1 });
  await panel.getByText(/--skeleton/).waitFor();
  await panel.getByRole("button", { name: "Make a clip" }).click();
  const both = await until(clips, (list) => list.length === 2, "a second clip");
  expect(both[0]!.body, "one body, so that a graph can be built of both").toBe(both[1]!.body);
});

test("sensors become a clip too, and what is no recording is told", async () => {
  const tab = await fresh("Sensors");
  const { page } = tab;
  await dropFiles(page, [await virtual("sensors", "suit.csv")]);
  const panel = page.getByRole("region", { name: "The body in it" });
  await panel.getByText(/\d+ parts · \d+ sensors/).waitFor();
  expect(await panel.getByLabel("Parts", { exact: true }).count(), "nothing to group").toBe(0);
  await tab.picture("sensors-light");
  await panel.getByRole("button", { name: "Make a clip" }).click();
  await until(clips, (list) => list.length === 1, "a clip");
  await page.locator(".files .clip-card").click();
  await page.getByRole("button", { name: /^Remove suit/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await until(recordings, (list) => list.length === 0, "removed");
  expect((await clips()).length, "the clip stays").toBe(1);
});

test.runIf(data)("real markers: CMU 01_01 as C3D, in both themes", async () => {
  const tab = await fresh("CMU");
  const { page } = tab;
  await dropFiles(page, [join(data!, "cmu-three-formats/01_01.c3d")]);
  const panel = page.getByRole("region", { name: "The body in it" });
  await panel.getByText(/15 parts · 41 markers/).waitFor();
  await page.keyboard.press("Home");
  for (let k = 0; k < 30; k++) await page.keyboard.press("Shift+ArrowRight");
  await settled(page);
  await tab.picture("markers-cmu-light");
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.locator("html[data-theme=dark]").waitFor();
  await settled(page);
  await tab.picture("markers-cmu-dark");
});
