/** What a graph of real clips left out, asked from the clip. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Account, Clip } from "../src/api/types";
import { quiet } from "./harness/acts";
import { useStudio } from "./harness/fixture";

const data = process.env["GAITWAY_DATA"];
const studio = useStudio({ inputs: () => (data ? [join(data, "cmu-bvh", "16")] : []) });

test("a clip of which something was left out leads to its row of the account", async ({ skip }) => {
  if (!data) return skip("GAITWAY_DATA names no folder of clips");
  await quiet(studio.server);
  const [clips, account] = await Promise.all([
    studio.server.get<Clip[]>("/api/clips"),
    studio.server.get<Account>("/api/graph/account"),
  ]);
  const lost = clips.find((clip) => (clip.kept_seconds ?? clip.seconds) < clip.seconds - 0.02)!;
  const whole = clips.find((clip) => clip.in_graph && clip.kept_seconds === clip.seconds);
  expect(account.lost.map((row) => row.clip)).toContain(lost.name);
  const { page } = await studio.open({ hash: `library/${lost.id}` });
  await page.locator(".clip-title").getByRole("button", { name: "Why not all?" }).click();
  const row = page.locator(".lost-clip.asked");
  await row.locator(".lost-row").first().waitFor();
  expect(await row.locator(".lost-name").textContent()).toBe(lost.name);
  expect(await page.locator(".lost-clip[open]").count(), "it alone is open").toBe(1);
  // The address says so too, and the tab by itself asks about none.
  await page.reload();
  await row.locator(".lost-row").first().waitFor();
  if (!whole) return;
  await page.goto(`${studio.server.url}#/library/${whole.id}`);
  await page.locator(".clip-title h2", { hasText: whole.name }).waitFor();
  expect(await page.getByRole("button", { name: "Why not all?" }).count()).toBe(0);
});
