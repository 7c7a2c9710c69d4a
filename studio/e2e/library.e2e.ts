import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import type { Clip, ContactSheet, LabelSheet, Project } from "../src/api/types";
import { coloursOf, startStudio, type Studio } from "./studio";
import { TINY_BVH } from "./tiny-bvh";

let studio: Studio;
beforeAll(async () => void (studio = await startStudio()));
afterAll(() => studio.stop());

const labels = (page: Page) => page.locator("#panel-labels");
const contacts = (page: Page) => page.locator("#panel-contacts");
const saved = (panel: ReturnType<typeof labels>) => panel.locator(".save-state.saved").waitFor();

async function openClip(): Promise<{ page: Page; clip: Clip }> {
  const clips = await studio.api<Clip[]>("/api/clips");
  const clip = clips.find((one) => one.labels.length > 1) ?? clips[0]!;
  const page = await studio.open(`/#library?clip=${clip.id}`);
  await labels(page).locator(".tl-item").first().waitFor();
  return { page, clip };
}

describe("the library", () => {
  it("starts with the demo's clips and plays one", async () => {
    const page = await studio.open("/");
    await page.locator(".clip-card").first().waitFor();
    const clips = await studio.api<Clip[]>("/api/clips");
    expect(await page.locator(".clip-card").count()).toBe(clips.length);
    await page.locator(".transport .time").getByText(/\/ 0:\d\d/).waitFor();
    await expect.poll(() => coloursOf(page), { timeout: 20_000 }).toBeGreaterThan(200);
    const before = await page.locator(".stage canvas").first().screenshot();
    await page.waitForTimeout(1500);
    expect(before.equals(await page.locator(".stage canvas").first().screenshot())).toBe(false);
    await page.context().close();
  });

  it("plays by keys", async () => {
    const { page } = await openClip();
    const time = () => page.locator(".transport .time").textContent();
    await page.getByRole("button", { name: "Pause (Space)" }).waitFor();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play (Space)" }).waitFor();
    await page.keyboard.press("Home");
    expect(await time()).toMatch(/^0:00\.00 .* 0$/);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    expect(await time()).toMatch(/ 11$/);
    await page.keyboard.press("3");
    await expect.poll(() => page.getByRole("radio", { name: "Lights" }).isChecked()).toBe(true);
    await page.keyboard.press("]");
    expect(await page.getByLabel("Speed").inputValue()).toBe("1.5");
    await page.context().close();
  });

  it("edits labels by keys and by mouse, undoes, saves, and another tab sees it", async () => {
    const { page, clip } = await openClip();
    const other = await studio.open(`/#library?clip=${clip.id}`);
    const items = labels(page).locator(".tl-item");
    await labels(other).locator(".tl-item").first().waitFor();
    const before = await items.count();
    await page.keyboard.press("Home");
    await page.keyboard.press("n");
    await page.keyboard.type("a new label");
    await page.keyboard.press("Enter");
    await expect.poll(() => items.count()).toBe(before + 1);
    const own = labels(page).locator(".tl-item", { hasText: "a new label" });
    await own.focus();
    await page.keyboard.press("Shift+ArrowLeft");
    const box = (await own.boundingBox())!;
    await page.mouse.move(box.x + box.width - 3, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 8, { steps: 4 });
    await page.mouse.up();
    await saved(labels(page));
    const rows = (await studio.api<LabelSheet>(`/api/clips/${clip.id}/labels`)).rows.filter((row) => row.label === "a new label");
    expect(rows).toHaveLength(1);
    expect(rows[0]!.end_s).toBeGreaterThan(clip.seconds * 0.4);
    expect(rows[0]!.end_s).toBeLessThan(clip.seconds * 0.6);
    expect(Math.abs(rows[0]!.end_s * clip.rate_hz - Math.round(rows[0]!.end_s * clip.rate_hz))).toBeLessThan(1e-6);
    await labels(other).locator(".tl-item", { hasText: "a new label" }).waitFor();
    expect((await studio.api<Project>("/api/project")).stale).toBe(true);
    await page.getByRole("button", { name: "Rebuild graph…" }).waitFor();
    for (let k = 0; k < 3; k++) await page.keyboard.press("Control+z");
    await expect.poll(() => items.count()).toBe(before);
    await page.keyboard.press("Control+Shift+z");
    await expect.poll(() => items.count()).toBe(before + 1);
    await saved(labels(page));
    await page.reload();
    await labels(page).locator(".tl-item", { hasText: "a new label" }).waitFor();
    await Promise.all([page.context().close(), other.context().close()]);
  });

  it("overrides contacts and goes back to the detected ones", async () => {
    const { page, clip } = await openClip();
    await page.getByRole("tab", { name: "Contacts" }).click();
    await contacts(page).locator(".tl-item").first().focus();
    await page.keyboard.press("Delete");
    await saved(contacts(page));
    expect((await studio.api<ContactSheet>(`/api/clips/${clip.id}/contacts`)).detected).toBe(false);
    await page.getByRole("button", { name: "Back to detected" }).click();
    await expect.poll(async () => (await studio.api<ContactSheet>(`/api/clips/${clip.id}/contacts`)).detected).toBe(true);
    await contacts(page).getByText("As detected").waitFor();
    await page.context().close();
  });

  it("takes dropped files and says what is wrong with bad ones", async () => {
    const page = await studio.open("/");
    await page.locator(".clip-card").first().waitFor();
    await page.evaluate(([good]) => {
      const files = new DataTransfer();
      files.items.add(new File([good!], "tiny walk.bvh"));
      files.items.add(new File(["HIERARCHY\nROOT Hips\n{\n  OFFSET 0 abc 0\n"], "broken.bvh"));
      for (const type of ["dragenter", "dragover", "drop"]) window.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
    }, [TINY_BVH]);
    await page.locator(".upload.notice.bad", { hasText: /broken\.bvh.*4/ }).waitFor();
    await page.locator(".clip-title h2", { hasText: "tiny walk" }).waitFor();
    expect((await studio.api<Clip[]>("/api/clips")).some((clip) => clip.name.includes("tiny walk"))).toBe(true);
    await page.context().close();
  });

  it("saves a picture and a film", async () => {
    const { page } = await openClip();
    const [picture] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save a picture (PNG)" }).click()]);
    expect(readFileSync(await picture.path()).subarray(1, 4).toString()).toBe("PNG");
    await page.getByRole("button", { name: "Record a film (WebM)" }).click();
    await page.waitForTimeout(2000);
    const [film] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Stop recording" }).click()]);
    expect([...readFileSync(await film.path()).subarray(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
    await page.context().close();
  });

  it("does nothing while nothing moves", async () => {
    const { page } = await openClip();
    await page.keyboard.press("Space");
    await page.waitForTimeout(1500);
    const calls = await page.evaluate(async () => {
      let count = 0;
      const draw = WebGL2RenderingContext.prototype.drawElementsInstanced;
      WebGL2RenderingContext.prototype.drawElementsInstanced = function (...a) {
        count += 1;
        return draw.apply(this, a);
      };
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return count;
    });
    expect(calls).toBe(0);
    await page.context().close();
  });
});
