/** The same tasks on the page as it was before people's own clips had a place in it, by whatever way it had. */
import type { Clip, Project } from "../../src/api/types";
import { BEND, until } from "../harness/acts";
import { inspected, reasonOf, sits, wholeLabels } from "./now";
import {
  Cannot,
  POINTS,
  drawPath,
  facts,
  home,
  ids,
  newResult,
  plan,
  takeGlb,
  worstTransition,
  type Act,
  type Seat,
} from "./task";

const allClips = ({ server }: Seat) => server.get<Clip[]>("/api/clips");

/** Builds with the dialog's choices as they are; tells what the page says when it fails. */
async function build({ page, count }: Seat): Promise<string | null> {
  await count.click(page.getByRole("button", { name: /uild graph…/ }), "Rebuild graph…");
  await count.click(page.getByRole("dialog").getByRole("button", { name: "Build", exact: true }), "Build");
  const said = page.getByText(/^The build failed|^The graph is built/).last();
  await said.waitFor({ timeout: 400_000 });
  const text = ((await said.textContent()) ?? "").trim();
  return text.startsWith("The graph is built") ? null : text;
}

/** Messages lie over what is to be pressed, and those of failures stay. */
async function dismiss({ page, count }: Seat): Promise<void> {
  const failure = page.locator(".toast.error").getByRole("button", { name: "Dismiss" });
  while ((await failure.count()) > 0) await count.click(failure.first(), "Dismiss");
  await page.locator(".toast").first().waitFor({ state: "detached" });
}

/** Files dropped on the demo: the build is refused until every clip of the demo is removed, one by one. */
async function ownGraph(seat: Seat, files: readonly string[]): Promise<void> {
  const { page, count, server } = seat;
  const demo = await allClips(seat);
  await count.drop(files);
  await until(
    () => allClips(seat),
    (list) => list.length === demo.length + files.length,
    "the clips are there",
  );
  const refusal = await build(seat);
  if (refusal !== null) {
    await dismiss(seat);
    for (const { name } of demo) {
      const card = page.locator(".clip-card", { has: page.getByText(name, { exact: true }) }).first();
      await count.click(card, `the demo's ${name}`);
      const bin = page.getByRole("button", { name: `Remove ${name} from the library` });
      await count.click(bin, "its bin");
      await count.click(page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }), "Remove");
      const gone = page.locator(".toast", { hasText: `${name} is removed` });
      const kept = page.locator(".toast", { hasText: "was not removed" });
      await gone.or(kept).first().waitFor();
      if ((await kept.count()) > 0) throw new Cannot(`${refusal} · ${(await kept.first().textContent()) ?? ""}`);
    }
    const again = await build(seat);
    if (again !== null) throw new Cannot(again);
  }
  const { graph } = await server.get<Project>("/api/project");
  if (!graph || graph.clips < files.length - 1) throw new Cannot("the graph is not of these clips");
}

export const firstGraph =
  (files: () => readonly string[]): Act =>
  async (seat) => {
    await ownGraph(seat, files());
    seat.count.done();
  };

async function synthesize(seat: Seat, known: ReadonlySet<string>) {
  await seat.count.click(seat.page.getByRole("button", { name: "Synthesize" }), "Synthesize");
  return newResult(seat, known);
}

export const pathHome =
  (files: () => readonly string[]): Act =>
  async (seat) => {
    const { page, count, server } = seat;
    await ownGraph(seat, files());
    await count.click(page.getByRole("link", { name: "Make" }), "Make");
    await drawPath(seat);
    await synthesize(seat, await ids(server));
    await takeGlb(seat, home(page).getByRole("link", { name: /^Download GLB/ }), "GLB");
    count.done();
  };

export const mendRate: Act = async ({ page, count }) => {
  await count.click(page.locator(".clip-title summary", { hasText: "warning" }), "the clip's warnings");
  const row = page.locator(".warnings li", { hasText: "Hz" }).first();
  const said = (await row.textContent()) ?? "";
  if ((await page.locator(".warnings button").count()) === 0)
    throw new Cannot(`the page says “${said.trim()}”, and has nothing to press`);
  throw new Error("the page has something to press about its warnings");
};

export const labelTwenty: Act = async ({ page, count, server }) => {
  for (let k = 0; k < 20; k++) {
    const card = page.locator(".clip-card").nth(k);
    const name = (await card.locator(".clip-name").textContent()) ?? "";
    await count.click(card, name);
    await page.locator(".clip-title h2", { hasText: name }).waitFor();
    await count.click(page.getByRole("button", { name: "Label the whole clip…" }), "Label the whole clip…");
    await page.getByRole("dialog").locator("input").waitFor();
    await count.type("walk");
    await count.key("Enter");
    await page.locator(".tl-item").first().waitFor();
  }
  await wholeLabels(server, 20);
  count.done();
};

export const whyLost: Act = async ({ page, count, note }) => {
  await count.click(page.getByRole("link", { name: "Graph", exact: true }), "Graph");
  const row = page.locator(".lost-clip").filter({ has: page.locator(".lost-name", { hasText: note }) });
  await page.locator(".lost-clip").first().waitFor();
  if ((await row.count()) === 0)
    await count.click(page.getByRole("button", { name: /^Show \d+ more clips/ }), "Show more clips");
  if ((await row.getAttribute("open")) === null) await count.click(row.locator("summary"), "the clip's row");
  await reasonOf(page, note);
  count.done();
};

export const crowdHome: Act = async (seat) => {
  const { page, count, server } = seat;
  await drawPath(seat);
  await count.click(page.getByRole("tab", { name: "Options" }), "Options");
  await count.write(page.locator("[data-param=count] input"), "5", "the number of people");
  await count.key("Tab");
  await synthesize(seat, await ids(server));
  const links = home(page).getByRole("link");
  await links.first().waitFor();
  const names = await links.allTextContents();
  for (const name of names.filter((n) => /GLB|FBX|ZIP/i.test(n))) {
    const bodies = await takeGlb(seat, links.filter({ hasText: name }).first(), name.trim());
    if (bodies === 5) return count.done();
  }
  throw new Cannot(`what it offers (${names.map((n) => n.trim()).join(", ")}) is of one person: its GLB holds 1 body`);
};

export const sitThere: Act = async (seat) => {
  const { page, count, server } = seat;
  // There is no place to go to; an action on a path comes nearest.
  await drawPath(seat);
  await count.click(page.getByRole("button", { name: /^Put an action on the curve/ }), "the tool for actions");
  const brushes = page.getByRole("radiogroup", { name: "Label to paint with" });
  await count.click(brushes.getByText("sit", { exact: true }), "sit");
  await count.clickAt(plan(page), BEND[20]!, "the curve");
  const result = await synthesize(seat, await ids(server));
  sits(result.members[0]!.report);
  count.done();
};

export const inspectWorst: Act = async (seat) => {
  const { page, count } = seat;
  // Its pin is the highest on the timeline, and names both moments under the pointer: read there, then looked for in the graph.
  const worst = await worstTransition(seat);
  const place = (text: string) => ({ name: text.slice(0, text.lastIndexOf("@")), s: Number(text.split("@").at(-1)) });
  const [from, to] = [place(worst.from), place(worst.to)];
  await count.click(page.getByRole("link", { name: "Graph", exact: true }), "Graph");
  await count.click(page.getByRole("tab", { name: "Distances" }), "Distances");
  const clips = await allClips(seat);
  const clip = (name: string) => clips.find((c) => c.name === name)!;
  await page.locator(".tally-item").first().waitFor();
  await count.choose(page.getByLabel("First clip, downwards"), { label: from.name }, from.name);
  await count.choose(page.getByLabel("Second clip, to the right"), { label: to.name }, to.name);
  await until(
    () => page.evaluate(() => location.hash),
    (hash) => hash.includes(`a=${clip(from.name).id}`) && hash.includes(`b=${clip(to.name).id}`),
    "the map of both",
  );
  const map = page.getByRole("application", { name: /^Distance map/ });
  const box = (await map.boundingBox())!;
  // Both clips at one scale, the smaller side in the middle of what the axes leave.
  const edge = { left: 68, top: 44, right: 12, bottom: 12 };
  const [wide, tall] = [box.width - edge.left - edge.right, box.height - edge.top - edge.bottom];
  const scale = Math.min(wide / clip(to.name).seconds, tall / clip(from.name).seconds);
  const middle = (room: number, seconds: number) => (room - seconds * scale) / 2;
  const x = edge.left + middle(wide, clip(to.name).seconds) + to.s * scale;
  const y = edge.top + middle(tall, clip(from.name).seconds) + from.s * scale;
  await count.clickAt(map, [x / box.width, y / box.height], "its dot");
  await inspected(page, worst);
  count.done();
};

export const takeUpSketch: Act = async ({ page, count, note }) => {
  await count.click(page.getByRole("tab", { name: "Results" }), "Results");
  await count.click(page.getByRole("button", { name: /^Yesterday/ }).first(), "its name");
  await home(page).waitFor();
  const up = page.getByRole("button", { name: /^Take up the sketch/ });
  if (await up.count()) await count.click(up.first(), "Take up the sketch");
  const shown = await facts(page).or(page.getByText("No path yet.")).first().textContent();
  if (shown === note) return count.done();
  throw new Cannot(`its motion is shown, and of its sketch the page says “${shown}”`);
};

export const movePoint: Act = async (seat) => {
  const { page, count, server } = seat;
  const [x, y] = POINTS[1]!;
  await count.drag(
    plan(page),
    [
      [x, y],
      [x, y - 0.12],
    ],
    "a point",
  );
  await synthesize(seat, await ids(server));
  count.done();
};
