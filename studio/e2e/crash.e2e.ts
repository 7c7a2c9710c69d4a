/** The server dies in the middle of a build and comes back: the page says so, and nothing is lost. */
import { expect, test } from "vitest";
import type { Job, Project } from "../src/api/types";
import { jobs, quiet, until } from "./harness/acts";
import { useStudio } from "./harness/fixture";

const studio = useStudio();

test("kill -9 in a build: the page notices, finds the server again, and the build goes on", async () => {
  const tab = await studio.open();
  tab.expectProblems(
    /WebSocket connection|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED/,
  );
  const { page } = tab;
  await page.locator(".clip-card").first().waitFor();
  const before = await studio.server.get<Project>("/api/project");
  const options = { ...before.build, fps: 60, auto: true };
  const job = await studio.server.post<Job>("/api/jobs", { kind: "build", options });
  await until(
    () => studio.server.get<Job>(`/api/jobs/${job.id}`),
    (now) => now.state !== "queued",
    "the build runs",
  );
  const lost = page.getByText("The studio's server does not answer");
  await studio.restart(() => lost.waitFor());
  await lost.waitFor({ state: "hidden" });
  const [after] = await jobs(studio.server, "build");
  expect(["interrupted", "queued", "running", "done"]).toContain(after!.state);
  const now = await studio.server.get<Project>("/api/project");
  expect(now.graph, "the graph of before is still there").not.toBeNull();
  if (after!.state === "interrupted") {
    await page.getByText("The last build was interrupted").waitFor();
    await page.getByRole("button", { name: /Resume|Go on|Rebuild graph/ }).click();
    const build = page.getByRole("button", { name: "Build", exact: true });
    if (await build.isVisible()) await build.click();
  }
  await quiet(studio.server);
  const [last] = await jobs(studio.server, "build");
  expect(last!.state).toBe("done");
});

test("labels saved before a kill are there after it", async () => {
  const clips = await studio.server.get<{ id: string }[]>("/api/clips");
  const path = `/api/clips/${clips[0]!.id}/labels`;
  const { revision } = await studio.server.get<{ revision: number }>(path);
  const rows = [{ label: "kept through a kill", start_s: 0.25, end_s: 0.75 }];
  const answer = await fetch(new URL(path, studio.server.url), {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ revision, rows }),
  });
  expect(answer.status).toBe(200);
  await studio.restart();
  expect((await studio.server.get<{ rows: unknown[] }>(path)).rows).toMatchObject(rows);
});

test("a build is cancelled from the bar; the graph stays as it was", async () => {
  const { page } = await studio.open();
  await page.locator(".clip-card").first().waitFor();
  const before = await studio.server.get<Project>("/api/project");
  await studio.server.post("/api/jobs", { kind: "build", options: { ...before.build, fps: 90, with_mirrored: true } });
  const bar = page.locator(".bar", { hasText: "Building the graph" });
  await bar.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("The build was cancelled; the graph is as it was.").waitFor();
  expect((await studio.server.get<Project>("/api/project")).graph).toEqual(before.graph);
});

test("asked to stop, the server stops in good order", async () => {
  const tab = await studio.open();
  tab.expectProblems(/WebSocket connection|ERR_CONNECTION/);
  await tab.page.locator(".clip-card").first().waitFor();
  expect(await studio.server.stop()).toBe(0);
  await studio.restart();
});
