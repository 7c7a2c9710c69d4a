/** Without a mouse: through every view and to a motion, by keys alone. */
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import type { ResultSummary } from "../src/api/types";
import { until } from "./harness/acts";
import { useStudio } from "./harness/fixture";

const studio = useStudio();

/** Tabs on until the focus is on something that fits; a ring of focus must come by there. */
async function tabTo(page: Page, what: string, fits: (text: string) => boolean, most = 120): Promise<void> {
  const seen: string[] = [];
  for (let k = 0; k < most; k++) {
    const text = await focused(page);
    if (fits(text)) return;
    seen.push(text);
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never came to ${what}; it went over: ${seen.join(" | ")}`);
}

/** Name and role of what has the focus, and whether one can see that it has. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return "body";
    const label = element.getAttribute("aria-label") ?? element.closest("label")?.textContent ?? element.textContent;
    return `${element.tagName.toLowerCase()} ${element.getAttribute("role") ?? ""} ${label.trim().slice(0, 60)}`;
  });
}

/** An outline or a ring must show where the focus is. */
async function focusIsSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    for (let element = document.activeElement; element && element !== document.body; element = element.parentElement) {
      const style = getComputedStyle(element);
      if ((style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none")
        return true;
    }
    return false;
  });
}

test("library, graph and make by keyboard, up to a motion", async () => {
  const { page } = await studio.open();
  await page.locator(".tl-item").first().waitFor();
  await page.keyboard.press("Tab");
  expect(await focused(page)).toContain("Skip to the view");
  // Library: another clip, then play.
  await tabTo(page, "a clip", (text) => /^button +walk_/.test(text), 60);
  expect(await focusIsSeen(page)).toBe(true);
  const title = page.locator(".clip-title h2");
  const before = await title.textContent();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await until(
    () => title.textContent(),
    (text) => text !== before,
    "another clip is shown",
  );
  await page.locator(".tl-item").first().waitFor();
  await tabTo(page, "Play", (text) => text.includes("Play (Space)"));
  expect(await focusIsSeen(page)).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Pause (Space)" }).first().waitFor();
  await page.keyboard.press("Enter");

  // Graph: through the tabs with arrows, a threshold by a key.
  await page.keyboard.press("Shift+Tab");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await tabTo(page, "the Graph link", (text) => /^a\s+Graph/.test(text));
  await page.keyboard.press("Enter");
  await page.locator("#panel-account .share").first().waitFor();
  await tabTo(page, "the Account tab", (text) => text.includes("tab Account"));
  await page.keyboard.press("ArrowRight");
  await page.getByRole("tab", { name: "Thresholds", selected: true }).waitFor();
  await page.locator(".matrix-cell").first().waitFor();
  await tabTo(page, "a cell", (text) => text.startsWith("td gridcell"));
  const cell = page.locator(".matrix-cell .matrix-number").first();
  const cm = await cell.textContent();
  await page.keyboard.press("+");
  await until(
    () => cell.textContent(),
    (text) => text !== cm,
    "the cell's number",
  );
  await tabTo(page, "Revert", (text) => text.includes("Revert"), 200).catch(async () => {
    // Buttons before the table are reached backwards.
    for (let k = 0; k < 40 && !(await focused(page)).includes("Revert"); k++) await page.keyboard.press("Shift+Tab");
    expect(await focused(page)).toContain("Revert");
  });
  await page.keyboard.press("Enter");

  // Make: a shape from the list, synthesize with Ctrl Enter, and play.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await tabTo(page, "the Make link", (text) => /^a\s+Make/.test(text));
  await page.keyboard.press("Enter");
  await page.getByRole("application", { name: /^Floor plan/ }).waitFor();
  await tabTo(page, "the shapes", (text) => text.startsWith("select") && text.includes("Shape"));
  await page.keyboard.press("ArrowDown");
  await page.getByText(/ m, \d+ points/).waitFor();
  const results = () => studio.server.get<ResultSummary[]>("/api/results");
  const had = (await results()).length;
  await tabTo(page, "the floor plan", (text) => text.includes("Floor plan. "));
  expect(await focusIsSeen(page)).toBe(true);
  await page.keyboard.press("]");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Control+Enter");
  await until(results, (list) => list.length > had, "a result", 300_000);
  await page.getByRole("heading", { name: "Take home" }).waitFor();
});

test("points are placed on the plan by keys alone", async () => {
  const { page } = await studio.open({ hash: "make" });
  const plan = page.getByRole("application", { name: /^Floor plan/ });
  await plan.waitFor();
  await plan.focus();
  await page.keyboard.press("p");
  await page.keyboard.press("Enter");
  for (let k = 0; k < 3; k++) {
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
  }
  const said = page.locator(".plan-box [role=status]");
  expect(await said.textContent()).toMatch(/^Placed at x -?[\d.]+ m, z -?[\d.]+ m\.$/);
  await page.getByText(/ m, 4 points/).waitFor();
  // Enter again, where something was just put, ends it; then arrows move the point that is selected.
  await page.keyboard.press("Enter");
  expect(await plan.getAttribute("data-tool")).toBe("select");
  await page.keyboard.press("c");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".obstacle-row").first().waitFor();
  expect(await focused(page)).toContain("Floor plan");
});

test("every key of the list is told, and Escape closes the list", async () => {
  const { page } = await studio.open();
  await page.locator(".clip-card").first().waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keys" });
  await dialog.waitFor();
  expect(await dialog.locator("kbd").count()).toBeGreaterThan(15);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
});
