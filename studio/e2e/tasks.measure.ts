/**
 * Ten tasks in a real browser, with the clicks, drags, words, keys, drops and seconds they take, written to docs/results/studio-tasks.md.
 * Run: `npm run measure -- tasks`. With GAITWAY_BEFORE, an older program does the same tasks by its own ways; without it
 * what the page says of the older one stays.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch } from "./harness/browser";
import { Count, tallyWords, type Tally } from "./harness/count";
import { PICTURES } from "./harness/browser";
import { REPOSITORY, StudioServer, binary, gaitway, remove, scratch } from "./harness/server";
import { TASKS } from "./tasks/all";
import { Cannot, type Inputs, type Task } from "./tasks/task";

const PAGE = join(REPOSITORY, "docs/results/studio-tasks.md");
const data = process.env["GAITWAY_DATA"];
const older = process.env["GAITWAY_BEFORE"] ? resolve(REPOSITORY, process.env["GAITWAY_BEFORE"]) : null;
const busy = loadavg()[0] ?? 0;

interface Outcome {
  readonly words: string;
  readonly tally: Tally | null;
  readonly acts: readonly string[];
}

let browser: Browser;
const folder = scratch("tasks");
const outcomes = { now: new Map<Task, Outcome>(), before: new Map<Task, Outcome>() };

beforeAll(async () => {
  browser = await launch();
});

async function inputsOf(which: Inputs, program: string): Promise<string[]> {
  if (which === "demo") return [];
  if (!which.includes("labels")) return [join(data!, "cmu-bvh", which)];
  const file = join(folder, `${program.replace(/\W/g, "-")}.gway`);
  const subject = join(data!, "cmu-bvh", which.split(" ")[0]!);
  const labels = ["--labels", join(data!, "labels-gaitway.csv")];
  if (!existsSync(file))
    await gaitway(["--quiet", "build", subject, "--source-fps", "60", ...labels, "-o", file], undefined, program);
  return [file];
}

async function perform(task: Task, which: "now" | "before", program: string): Promise<Outcome> {
  const work = scratch("task");
  const server = await StudioServer.start({
    project: join(work, "projects", "project"),
    inputs: await inputsOf(task.inputs, program),
    program,
  });
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  try {
    const count = await Count.on(context, page);
    const seat = { server, page, count, browser, program, note: "" };
    const note = await task.open(seat);
    try {
      await task[which]({ ...seat, note });
    } catch (error) {
      if (error instanceof Cannot) return { words: `cannot: ${error.message}`, tally: null, acts: count.acts };
      await page.screenshot({ path: join(PICTURES, `task-${which}-${task.title.replace(/\W+/g, "-")}.png`) });
      throw error;
    }
    const tally = await count.tally();
    expect(wrong, "errors of the page").toEqual([]);
    console.log(`${which}: ${task.title}: ${tallyWords(tally)}`);
    return { words: tallyWords(tally), tally, acts: count.acts };
  } finally {
    await context.close();
    await server.stop();
    remove(work);
  }
}

for (const task of TASKS) {
  test.skipIf(!data)(`now: ${task.title}`, async () => {
    outcomes.now.set(task, await perform(task, "now", binary()));
    expect(outcomes.now.get(task)!.tally, "it can be done").not.toBeNull();
  });
  test.skipIf(!data || !older)(`before: ${task.title}`, async () => {
    outcomes.before.set(task, await perform(task, "before", older!));
  });
}

/** What the page says of the older program, where none was given. */
function kept(): Map<string, string> {
  if (!existsSync(PAGE)) return new Map();
  const rows = readFileSync(PAGE, "utf8").matchAll(/^\| \d+ \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm);
  return new Map([...rows].map(([, title, before]) => [title!.trim(), before!.trim()]));
}

/** The page's lines on what was done with the older program, by task. */
function keptActs(): Map<string, string> {
  if (!existsSync(PAGE)) return new Map();
  const blocks = readFileSync(PAGE, "utf8").matchAll(/^\d+\. \*\*([^*]+)\*\*.*\n {3}Now: .*\n( {3}Before: .*)$/gm);
  return new Map([...blocks].map(([, title, line]) => [title!.trim(), line!]));
}

/** A list of acts that fits into a line: of what repeats, the beginning. */
function shortly(acts: readonly string[]): string {
  const shown = acts.length > 16 ? [...acts.slice(0, 8), `… ${acts.length - 8} more`] : acts;
  return shown.join(" · ").replaceAll("|", "/");
}

afterAll(async () => {
  await browser?.close();
  remove(folder);
  if (outcomes.now.size < TASKS.length) return;
  const [old, oldActs] = [kept(), keptActs()];
  const cell = (task: Task) =>
    (outcomes.before.get(task)?.words ?? old.get(task.title) ?? "not measured")
      .replaceAll("|", "/")
      .replace(/\s+/g, " ");
  const kind = binary().includes("/release/") ? "release" : "development";
  const before = older
    ? "*Before* is the program from before projects, groups of bodies and the other ways for people's own clips were there, given by `GAITWAY_BEFORE` and driven by the acts its page had; *cannot* is followed by what that page said or offered."
    : "*Before* is kept from this page as it stood, measured earlier: the program from before projects, groups of bodies and the other ways for people's own clips were there, driven by the acts its page had; *cannot* is followed by what that page said or offered.";
  const lines = [
    "# Ten tasks in the studio",
    "",
    `What a person does for each, counted by the program that does it in a real browser: presses of the mouse, drags, words typed, keys pressed by themselves (with clicks too), files dropped, and the seconds from the first act until the end state is there. The page counts along, and both counts must agree; a task counts only when its end state was checked. Choosing from a list that opens is two clicks; scrolling and looking are not counted, nor is the time to think. ${before}`,
    "",
    `Machine: ${cpus()[0]?.model.replace(/\s+/g, " ").trim() ?? "unknown"}, ${cpus().length} cores, no graphics card, load ${busy.toFixed(1)} when it began. Chromium ${browser.version()}, ${kind} build of the server. Command: \`GAITWAY_BIN=PROGRAM GAITWAY_BEFORE=OLDER GAITWAY_DATA=DIR npm --prefix studio run measure -- tasks\`.`,
    "",
    "| | task | before | now |",
    "| --- | --- | --- | --- |",
    ...TASKS.map((task, k) => `| ${k + 1} | ${task.title} | ${cell(task)} | ${outcomes.now.get(task)!.words} |`),
    "",
    goal(),
    "",
    "## What was done",
    "",
  ];
  for (const [k, task] of TASKS.entries()) {
    const past = outcomes.before.get(task);
    lines.push(
      `${k + 1}. **${task.title}** From: ${task.start}. Done when: ${task.end}.`,
      `   Now: ${shortly(outcomes.now.get(task)!.acts)}.`,
      ...(past && past.acts.length > 0
        ? [`   Before: ${shortly(past.acts)}.${task.remark ? ` ${task.remark}` : ""}`]
        : [oldActs.get(task.title) ?? []].flat()),
    );
  }
  writeFileSync(PAGE, lines.join("\n").trimEnd() + "\n");
});

/** The bar of the first task, held to what was counted. */
function goal(): string {
  const { clicks, seconds } = outcomes.now.get(TASKS[0]!)!.tally!;
  const met = clicks <= 4 && seconds < 15;
  return `The aim for the first is at most four clicks and under 15 s: ${met ? "met" : "not met"}.`;
}
