/** Cuts at the ends of clips: on the distance map, in the inspector, in the drawing, and on a result's time. */
import { expect, test } from "vitest";
import type { Account, Clip, Minima, Minimum, Project, Result, ResultSummary, Topology } from "../src/api/types";
import { quiet, until } from "./harness/acts";
import { useStudio } from "./harness/fixture";
import { colours, pixelsOf } from "./harness/png";
import { settled } from "./harness/settle";

const studio = useStudio();

/** The first pair of clips with a cut that a test asks for. */
async function cutWhere(wanted: (m: Minimum) => boolean): Promise<{ a: string; b: string; cut: Minimum }> {
  const clips = (await studio.server.get<Clip[]>("/api/clips")).filter((c) => c.in_graph);
  for (const a of clips) {
    for (const b of clips.slice(0, 6)) {
      const { minima } = await studio.server.get<Minima>(`/api/graph/minima?a=${a.id}&b=${b.id}`);
      const cut = minima.find((m) => m.kind === "cut" && wanted(m));
      if (cut) return { a: a.id, b: b.id, cut };
    }
  }
  throw new Error("no such cut in the demo");
}

test("a cut near an end is shown as what it is: ghosts, how it fades, and that it is in the graph", async () => {
  const { a, b, cut } = await cutWhere((m) => m.state === "in");
  const tab = await studio.open({ hash: `graph?tab=distances&a=${a}&b=${b}&i=${cut.i}&j=${cut.j}` });
  const { page } = tab;
  const facts = page.locator(".inspector-facts");
  await facts.getByText("Why:").waitFor();
  const words = (await facts.textContent()) ?? "";
  expect(words).toContain("In the graph");
  expect(words).toMatch(
    /A cut: .+ is left at \d+\.\d\d s and .+ plays from \d+\.\d\d s on\. The jump fades over \d\.\d\d s/,
  );
  expect(words).not.toMatch(/blend/i);
  expect(await page.locator(".kind-chip").textContent()).toBe("cut");
  expect(await page.locator(".scrub-mark.fades").getAttribute("title")).toContain(
    `fades over ${cut.seconds.toFixed(2)} s`,
  );
  expect(await page.locator(".tally").textContent()).toMatch(/\d+ of them (a cut|cuts)/);
  const stage = page.locator(".inspector .stage");
  await until(
    async () => colours(await pixelsOf(stage)),
    (n) => n > 40,
    "colours with ghosts",
  );
  await page.getByRole("slider", { name: "Time" }).first().focus();
  await settled(page);
  await tab.picture("cut-inspector");
});

test("a cut that was left out says how strict its threshold is", async () => {
  const { a, b, cut } = await cutWhere((m) => m.why.includes("stricter"));
  const { page } = await studio.open({ hash: `graph?tab=distances&a=${a}&b=${b}&i=${cut.i}&j=${cut.j}` });
  const facts = page.locator(".inspector-facts");
  await facts.getByText("Why:").waitFor();
  const words = (await facts.textContent()) ?? "";
  expect(words).toContain("Left out");
  expect(words).toMatch(/\d+ of 15 frames could be compared/);
  expect(words).toMatch(/count as \d+\.\d cm \(× √\(\d+\/15\)\)/);
});

test("where no cut was found near an end, the page says so", async () => {
  const clips = (await studio.server.get<Clip[]>("/api/clips")).filter((c) => c.in_graph);
  const { clips: lanes } = await studio.server.get<Topology>("/api/graph/topology");
  const id = clips[0]!.id;
  const last = lanes.find((c) => c.id === id)!.frames - 1;
  const tab = await studio.open({ hash: `graph?tab=distances&a=${id}&b=${id}&i=0&j=${last}` });
  tab.expectProblems(/answer 422: GET \/api\/graph\/transition/);
  await tab.page.locator(".inspector-facts [role=alert]").waitFor();
  expect(await tab.page.locator(".inspector-facts").textContent()).toContain("no cut was found");
});

test("a cut of the drawing is told and played by itself", async () => {
  const topology = await studio.server.get<Topology>("/api/graph/topology");
  expect(topology.transitions.kind.filter((k) => k === "cut").length).toBeGreaterThan(0);
  const tab = await studio.open({ hash: "/graph/drawing?lanes=all" });
  const { page } = tab;
  const drawing = page.locator("#panel-drawing canvas").first();
  await drawing.waitFor();
  await until(
    async () => colours(await pixelsOf(drawing)),
    (n) => n > 8,
    "something is drawn",
  );
  await page.locator("#panel-drawing").getByText("cut, fading").waitFor();
  await drawing.focus();
  const readout = page.locator("#panel-drawing .readout");
  for (let k = 0; k < 60; k++) {
    await page.keyboard.press("n");
    if (((await readout.textContent()) ?? "").startsWith("cut")) break;
  }
  expect(await readout.textContent()).toMatch(/^cut, fades over \d\.\d\d s: leaves .+ at .+ s, plays .+ from .+ s on/);
  const facts = page.locator(".inspector-facts");
  await facts.getByText("A cut:").waitFor();
  expect(await facts.textContent()).toContain("In the graph");
  await tab.picture("cut-drawing");
});

test("the account of a graph with cuts does not blame the ends of clips", async () => {
  const account = await studio.server.get<Account>("/api/graph/account");
  expect(account.lost.filter((l) => l.reason === "border")).toEqual([]);
  const { graph } = await studio.server.get<Project>("/api/project");
  expect(graph!.cuts).toBeGreaterThan(0);
  const { page } = await studio.open({ hash: "graph" });
  await page.locator("#panel-account .share").first().waitFor();
  expect(await page.locator("#panel-account").textContent()).not.toContain("Clip ends");
});

test("cuts along a result are told on its time", async () => {
  // Some walk without a path takes a cut among its blends.
  let id = "";
  let result: Result | undefined;
  const cutOf = () => result?.members[0]?.transitions.find((m) => m.kind === "cut");
  for (let seed = 1; seed <= 12 && !cutOf(); seed++) {
    await studio.server.post("/api/jobs", { kind: "walk", seconds: 20, label: null, seed });
    await quiet(studio.server);
    const [newest] = await studio.server.get<ResultSummary[]>("/api/results");
    id = newest!.id;
    result = await studio.server.get<Result>(`/api/results/${id}`);
  }
  const cut = cutOf();
  expect(cut, "a cut along a walk").toBeDefined();
  expect(cut!.t).toBe(cut!.start_s);
  const tab = await studio.open({ hash: `/make/${id}` });
  const { page } = tab;
  const time = page.getByRole("slider", { name: /^Time of the result/ });
  await time.waitFor();
  const box = (await time.boundingBox())!;
  const seconds = result!.members[0]!.seconds;
  let nudge = 0;
  await until(
    async () => {
      await page.mouse.move(box.x + 10 + ((box.width - 20) * cut!.t) / seconds + (nudge = 1 - nudge), box.y + 60);
      return page.locator("body").textContent();
    },
    (text) => /cut, fades over \d\.\d\d s/.test(text ?? ""),
    "the cut in words",
  );
  // The words lie over the marks: away with the pointer to see them.
  await page.mouse.move(box.x + box.width / 2, box.y - 40);
  await tab.picture("cut-result");
});
