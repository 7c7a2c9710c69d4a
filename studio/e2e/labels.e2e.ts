/** Labels: edited by mouse and by keyboard, taken back, saved by themselves, and the same in every tab. */
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import type { Clip, LabelRow } from "../src/api/types";
import { stroke, until } from "./harness/acts";
import { useStudio } from "./harness/fixture";

const studio = useStudio();

interface Rows {
  revision: number;
  rows: LabelRow[];
}

/** A clip nobody has edited yet, so that tests do not stand in each other's way. */
async function clip(k: number): Promise<Clip> {
  const clips = await studio.server.get<Clip[]>("/api/clips");
  const labelled = clips.filter((c) => c.labels.length > 0 && c.seconds > 2);
  const found = labelled[k];
  if (!found) throw new Error(`there is no labelled clip ${k}`);
  return found;
}

const rows = async (id: string) => (await studio.server.get<Rows>(`/api/clips/${id}/labels`)).rows;

async function openEditor(id: string): Promise<Page> {
  const { page } = await studio.open({ hash: `library?clip=${id}` });
  await page.locator(".tl-item").first().waitFor();
  return page;
}

const saved = (page: Page) => page.locator(".save-state.saved").first().waitFor();

test("an interval is shortened with the mouse, saved, undone, and the undo is saved too", async () => {
  const { id } = await clip(0);
  const before = await rows(id);
  const page = await openEditor(id);
  const item = page.locator(".tl-item").first();
  const box = (await item.boundingBox())!;
  await stroke(page, item, [
    [1 - 3 / box.width, 0.5],
    [0.6, 0.5],
  ]);
  await saved(page);
  const after = await until(
    () => rows(id),
    (now) => now.length === before.length && now[0]!.end_s < before[0]!.end_s - 0.1,
    "a shorter interval",
  );
  expect(after[0]!.start_s).toBeCloseTo(before[0]!.start_s, 6);
  await page.getByRole("button", { name: "Undo (Ctrl Z)" }).first().click();
  await until(
    () => rows(id),
    (now) => Math.abs(now[0]!.end_s - before[0]!.end_s) < 1e-3,
    "the end is back",
  );
});

test("a new label by keyboard alone, moved by frames, removed with Delete", async () => {
  const { id, rate_hz, seconds } = await clip(1);
  const before = await rows(id);
  const page = await openEditor(id);
  await page.locator(".clip-view .stage").focus();
  await page.keyboard.press("Home");
  for (let k = 0; k < 3; k++) await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("n");
  await page.keyboard.type("stagger");
  await page.keyboard.press("Enter");
  const added = await until(
    () => rows(id),
    (now) => now.some((row) => row.label === "stagger"),
    "the new label",
  );
  const row = added.find((r) => r.label === "stagger")!;
  expect(row.start_s).toBeCloseTo(30 / rate_hz, 3);
  expect(row.end_s).toBeCloseTo(seconds, 1);
  // The new interval has the focus: one frame on, its start ten on, its end one back.
  await page.keyboard.press("Alt+Control+ArrowRight");
  await page.keyboard.press("Shift+ArrowLeft");
  await until(
    () => rows(id),
    (now) => {
      const r = now.find((x) => x.label === "stagger");
      return r !== undefined && Math.abs(r.start_s - 40 / rate_hz) < 1e-3 && r.end_s < row.end_s - 0.5 / rate_hz;
    },
    "start and end moved",
  );
  await page.keyboard.press("Delete");
  await until(
    () => rows(id),
    (now) => now.length === before.length && now.every((r) => r.label !== "stagger"),
    "it is removed",
  );
  await page.keyboard.press("Control+z");
  await until(
    () => rows(id),
    (now) => now.some((r) => r.label === "stagger"),
    "undo brings it back",
  );
});

test("what was edited survives a reload, at once", async () => {
  const { id } = await clip(2);
  const page = await openEditor(id);
  await page.locator(".tl-item").first().focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("renamed by hand");
  await page.keyboard.press("Enter");
  await page.locator(".tl-lane", { hasText: "renamed by hand" }).waitFor();
  // Not waiting for the autosave: leaving the page must save.
  await page.reload();
  await page.locator(".tl-lane", { hasText: "renamed by hand" }).waitFor();
  expect((await rows(id)).some((row) => row.label === "renamed by hand")).toBe(true);
});

test("a label edited in one tab appears in the other", async () => {
  const { id } = await clip(3);
  const first = await openEditor(id);
  const second = await openEditor(id);
  await first.locator(".tl-item").first().focus();
  await first.keyboard.press("Enter");
  await first.keyboard.press("Control+a");
  await first.keyboard.type("seen elsewhere");
  await first.keyboard.press("Enter");
  await second.locator(".tl-lane", { hasText: "seen elsewhere" }).waitFor();
});

test("two tabs edit at once: the second is asked whose labels to keep", async () => {
  const { id } = await clip(4);
  const tab = await studio.open({ hash: `library?clip=${id}` });
  const { page } = tab;
  tab.expectProblems(/answer 409: PUT/);
  await page.locator(".tl-item").first().waitFor();
  // Somebody else saves while this tab has an edit under way and cannot reach the server in time.
  let between = false;
  await page.route("**/labels", async (route) => {
    if (route.request().method() === "PUT" && !between) {
      between = true;
      const now = await studio.server.get<Rows>(`/api/clips/${id}/labels`);
      const body = { revision: now.revision, rows: [{ label: "theirs", start_s: 0, end_s: 1 }] };
      const answer = await fetch(new URL(`/api/clips/${id}/labels`, studio.server.url), {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(200);
    }
    await route.continue();
  });
  await page.locator(".tl-item").first().focus();
  await page.keyboard.press("Shift+Control+ArrowLeft");
  const question = page.getByRole("dialog", { name: "The labels were changed elsewhere" });
  await question.waitFor();
  await question.getByRole("button", { name: "Keep theirs" }).click();
  await page.locator(".tl-lane", { hasText: "theirs" }).waitFor();
  expect((await rows(id)).map((row) => row.label)).toEqual(["theirs"]);
});

test("a contact is edited and goes back to what was detected", async () => {
  const { id } = await clip(5);
  const contacts = () => studio.server.get<{ detected: boolean; rows: unknown[] }>(`/api/clips/${id}/contacts`);
  const before = await contacts();
  expect(before.detected).toBe(true);
  const page = await openEditor(id);
  await page.getByRole("tab", { name: "Contacts" }).click();
  const panel = page.locator("#panel-contacts");
  await panel.locator(".tl-item").first().focus();
  await page.keyboard.press("Delete");
  const edited = await until(contacts, (now) => !now.detected, "an override");
  expect(edited.rows.length).toBe(before.rows.length - 1);
  await panel.getByRole("button", { name: "Back to detected" }).click();
  await until(contacts, (now) => now.detected && now.rows.length === before.rows.length, "the detector's again");
});

test("a label has the same colour in every browser, before and after others come", async () => {
  const hues = async (page: Page) => {
    await page.locator(".chip.filter.label-colour").first().waitFor();
    const list = await page
      .locator(".chip.filter.label-colour")
      .evaluateAll((chips) =>
        chips.map(
          (chip) =>
            [
              (chip.firstChild?.textContent ?? "").trim(),
              (chip as HTMLElement).style.getPropertyValue("--hue"),
            ] as const,
        ),
      );
    return new Map(list);
  };
  const one = await studio.open();
  const { page } = one;
  const before = await hues(page);
  expect(before.size).toBeGreaterThan(2);
  // One that comes first in the alphabet, put on by somebody else.
  const { id, name } = await clip(5);
  const sheet = await studio.server.get<Rows>(`/api/clips/${id}/labels`);
  await page.goto(`${studio.server.url}#library?clip=${id}`);
  await page.locator(".tl-item").first().waitFor();
  await page.locator(".clip-view .stage").focus();
  await page.keyboard.press("n");
  await page.keyboard.type("aaa first");
  await page.keyboard.press("Enter");
  await until(
    () => rows(id),
    (now) => now.length > sheet.rows.length,
    `the new label on ${name}`,
  );
  const expectSame = async (there: Page) => {
    const found = await until(
      () => hues(there),
      (now) => now.has("aaa first"),
      "the new label among the chips",
    );
    for (const [label, hue] of before) expect(found.get(label), label).toBe(hue);
    expect([...before.values()], "a colour of its own").not.toContain(found.get("aaa first"));
    return found;
  };
  const here = await expectSame(page);
  // Browsers that have never seen the project, one of them with another theme.
  const second = await studio.open();
  const third = await studio.open({ theme: "dark" });
  expect([...(await expectSame(second.page))].sort()).toEqual([...here].sort());
  expect([...(await expectSame(third.page))].sort()).toEqual([...here].sort());
  await page.reload();
  expect([...(await expectSame(page))].sort()).toEqual([...here].sort());
  // And after the server was started anew, which tabs that are open notice.
  for (const tab of [one, second, third]) tab.expectProblems(/WebSocket connection|ERR_CONNECTION|ERR_EMPTY_RESPONSE/);
  await studio.restart();
  const fourth = await studio.open();
  expect([...(await expectSame(fourth.page))].sort()).toEqual([...here].sort());
});
