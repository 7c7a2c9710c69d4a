/** What the page weighs and how quick it is, written to docs/results/studio-page.md. Run: `npm run measure -- page`. */
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { basename, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, test } from "vitest";
import type { Page } from "playwright-core";
import { BEND, stroke, until } from "./harness/acts";
import { useStudio } from "./harness/fixture";
import { REPOSITORY, StudioServer, binary, gaitway, remove, scratch } from "./harness/server";

const studio = useStudio();
const lines: string[] = [];
const busy = loadavg()[0] ?? 0;
const say = (...text: string[]) => lines.push(...text);

const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
const quantile = (values: readonly number[], q: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? NaN;
const ms = (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

test("bundle", () => {
  const dist = join(REPOSITORY, "crates/gaitway-studio/page");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .map((name) => join(dist, name))
    .filter((path) => statSync(path).isFile() && !/\.(br|gz)$/.test(path));
  const rows = files.map((path) => {
    const bytes = readFileSync(path);
    return {
      name: basename(path).replace(/-[\w-]{8}(?=\.\w+$)/, ""),
      raw: bytes.length,
      gzip: gzipSync(bytes, { level: 9 }).length,
      brotli: brotliCompressSync(bytes).length,
    };
  });
  const sum = (key: "raw" | "gzip" | "brotli") => rows.reduce((total, row) => total + row[key], 0);
  say("## What the page weighs", "", "| file | as it is | gzip | brotli |", "| --- | --- | --- | --- |");
  for (const row of rows.sort((a, b) => b.gzip - a.gzip))
    say(`| ${row.name} | ${kb(row.raw)} | ${kb(row.gzip)} | ${kb(row.brotli)} |`);
  say(
    `| **all** | **${kb(sum("raw"))}** | **${kb(sum("gzip"))}** | **${kb(sum("brotli"))}** |`,
    "",
    "The aim is 1 MB compressed.",
    "",
  );
});

test("first picture", { timeout: 300_000 }, async () => {
  const paints: number[] = [];
  const clips: number[] = [];
  const frames: number[] = [];
  for (let k = 0; k < 7; k++) {
    const tab = await studio.open();
    await tab.page.waitForFunction(() => document.querySelector(".clip-card") !== null);
    clips.push(await tab.page.evaluate(() => performance.now()));
    await tab.page.locator(".editors [role=tablist]").waitFor();
    frames.push(
      await tab.page.evaluate(
        () =>
          new Promise<number>((done) =>
            requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))),
          ),
      ),
    );
    paints.push(
      await tab.page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN),
    );
    await tab.close();
  }
  say(
    "## First picture",
    "",
    "Demo graph, a browser profile that has seen nothing, seven times.",
    "",
    "| from the request for the page to | median | slowest |",
    "| --- | --- | --- |",
  );
  const row = (what: string, values: readonly number[]) =>
    say(`| ${what} | ${ms(quantile(values, 0.5))} | ${ms(Math.max(...values))} |`);
  row("the first paint", paints);
  row("the list of clips", clips);
  row("a clip on the stage", frames);
  say("", "The aim is a meaningful picture within 2 s.", "");
});

/** Times between frames while something plays. */
function frameTimes(page: Page, forMs: number): Promise<number[]> {
  return page.evaluate(
    (span) =>
      new Promise<number[]>((done) => {
        const times: number[] = [];
        const begun = performance.now();
        let last = begun;
        const tick = (now: number) => {
          times.push(now - last);
          last = now;
          if (now - begun < span) requestAnimationFrame(tick);
          else done(times.slice(2));
        };
        requestAnimationFrame(tick);
      }),
    forMs,
  );
}

async function synthesize(page: Page): Promise<void> {
  const count = async () => (await studio.server.get<unknown[]>("/api/results")).length;
  const before = await count();
  await page.getByRole("button", { name: "Synthesize" }).click();
  await until(count, (now) => now > before, "a result", 120_000);
  await page
    .locator(".synth")
    .getByText(/^Done in/)
    .waitFor();
  await page.getByRole("heading", { name: "Take home" }).waitFor();
}

async function sketched(): Promise<Page> {
  const { page } = await studio.open({ hash: "make" });
  const plan = page.getByRole("application", { name: /^Floor plan/ });
  await plan.waitFor();
  await page.getByRole("button", { name: /^Draw freehand \(/ }).click();
  await stroke(page, plan, BEND);
  return page;
}

test("frames", { timeout: 300_000 }, async () => {
  say(
    "## Frames",
    "",
    "Drawn in software (SwiftShader, no graphics card), window of 1440 × 900, one second of warming up, four seconds measured.",
    "",
    "| what plays | stage | median | 95 % |",
    "| --- | --- | --- | --- |",
  );
  const row = async (what: string, page: Page, scope: string) => {
    await page.locator(scope).getByRole("button", { name: "Play (Space)" }).click();
    await page.waitForTimeout(1000);
    const times = await frameTimes(page, 4000);
    const box = await page.locator(`${scope} .stage`).boundingBox();
    say(
      `| ${what} | ${Math.round(box?.width ?? 0)} × ${Math.round(box?.height ?? 0)} | ${ms(quantile(times, 0.5))} | ${ms(quantile(times, 0.95))} |`,
    );
    await page.locator(scope).getByRole("button", { name: "Pause (Space)" }).click();
  };
  const { page } = await studio.open();
  await page.locator(".editors [role=tablist]").waitFor();
  for (const [key, name] of [
    ["1", "solid body"],
    ["2", "stick figure"],
    ["3", "point lights"],
  ] as const) {
    await page.locator(".clip-view .stage").focus();
    await page.keyboard.press(key);
    await row(`a clip, ${name}`, page, ".clip-view");
  }
  const make = await sketched();
  await synthesize(make);
  await row("a result over its sketch", make, ".make-result");
  await make.getByRole("tab", { name: "Options" }).click();
  await make.locator("[data-param=count] input").fill("12");
  await make.locator("[data-param=count] input").blur();
  await synthesize(make);
  await row("a crowd of twelve", make, ".make-result");
  say(
    "",
    "On a laptop's graphics card the aim is 60 frames a second (16.7 ms); the browser shows at most as many as the screen.",
    "",
  );
});

interface FrameNote {
  /** When the frame was shown, ms. */
  at: number;
  /** Time that the page's own code took for it, ms. */
  script: number;
  /** Of that, time inside calls to WebGL and to canvases: handing over what is to be drawn, and waiting where drawing is behind. */
  calls: number;
}

/** Notes how long the page's code takes in each frame: all callbacks that the browser runs for one picture together. */
function watchFrames(): void {
  const notes: FrameNote[] = [];
  (window as unknown as { frameNotes: FrameNote[] }).frameNotes = notes;
  let inCalls = 0;
  for (const { prototype } of [WebGL2RenderingContext, CanvasRenderingContext2D]) {
    const calls = prototype as unknown as Record<string, unknown>;
    for (const name of Object.getOwnPropertyNames(calls)) {
      const call = Object.getOwnPropertyDescriptor(calls, name)?.value as unknown;
      if (name === "constructor" || typeof call !== "function") continue;
      calls[name] = function (this: unknown, ...args: unknown[]): unknown {
        const begun = performance.now();
        const answer = Reflect.apply(call, this, args) as unknown;
        inCalls += performance.now() - begun;
        return answer;
      };
    }
  }
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    ask((now) => {
      const [begun, before] = [performance.now(), inCalls];
      callback(now);
      const took = performance.now() - begun;
      const last = notes.at(-1);
      if (last?.at === now) {
        last.script += took;
        last.calls += inCalls - before;
      } else notes.push({ at: now, script: took, calls: inCalls - before });
    });
}

/** A row for what plays in a part of the page: frame by frame, the page's code, and laying out per frame. */
async function frameRow(what: string, page: Page, scope: string): Promise<void> {
  await page.locator(scope).getByRole("button", { name: "Play (Space)" }).click();
  await page.waitForTimeout(1500);
  const wire = await page.context().newCDPSession(page);
  await wire.send("Performance.enable");
  const layout = async () => {
    const { metrics } = await wire.send("Performance.getMetrics");
    const seconds = (name: string) => metrics.find((m) => m.name === name)?.value ?? 0;
    return 1000 * (seconds("LayoutDuration") + seconds("RecalcStyleDuration"));
  };
  const from = await page.evaluate(() => performance.now());
  const before = await layout();
  await page.waitForTimeout(6000);
  const laidOut = (await layout()) - before;
  const notes = await page.evaluate(
    (since) => (window as unknown as { frameNotes: FrameNote[] }).frameNotes.filter((n) => n.at > since),
    from,
  );
  const times = notes.slice(1).map((n, k) => n.at - notes[k]!.at);
  const own = notes.map((n) => n.script - n.calls);
  const calls = notes.map((n) => n.calls);
  const middleAndWorst = (values: readonly number[]) => `${ms(quantile(values, 0.5))} | ${ms(quantile(values, 0.95))}`;
  say(
    `| ${what} | ${middleAndWorst(times)} | ${middleAndWorst(own)} | ${middleAndWorst(calls)} | ${ms(laidOut / notes.length)} |`,
  );
  await page.locator(scope).getByRole("button", { name: "Pause (Space)" }).click();
}

test("frames with many clips and a crowd of twenty", { timeout: 900_000 }, async () => {
  const data = process.env["GAITWAY_DATA"];
  say("## Many clips, many people", "");
  if (!data) return void say("Not measured: `GAITWAY_DATA` names no folder of clips.", "");
  const work = scratch("many");
  const file = join(work, "cmu-16.gway");
  await gaitway([
    "--quiet",
    "build",
    join(data, "cmu-bvh/16"),
    "-o",
    file,
    "--labels",
    join(data, "labels-gaitway.csv"),
  ]);
  const server = await StudioServer.start({ project: join(work, "project"), inputs: [file] });
  const context = await studio.browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  try {
    const others = readdirSync(join(data, "cmu-bvh"), { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".bvh") && !name.startsWith("16/"),
    );
    for (const name of others) {
      const form = new FormData();
      form.append("file", new Blob([readFileSync(join(data, "cmu-bvh", name))]), basename(name));
      const answer = await fetch(new URL("/api/clips", server.url), { method: "POST", body: form });
      if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
    }
    const clips = (await server.get<unknown[]>("/api/clips")).length;
    await context.addInitScript(watchFrames);
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const begun = performance.now();
    await page.goto(server.url);
    await page
      .locator(".clip-card")
      .nth(clips - 1)
      .waitFor({ state: "attached" });
    const listed = performance.now() - begun;
    await page.locator(".editors [role=tablist]").waitFor();
    say(
      `${clips} clips of the CMU database in the library (subject 16 in the graph), listed ${ms(listed)} after the page was asked for; drawn in software, window of 1440 × 900, six seconds each. Script is the time of the page's own code per frame, drawing calls that inside WebGL and canvases, where it also waits when drawing is behind; layout is the browser's for styles and boxes. The rest of a frame is drawing, in another process, and waiting for it.`,
      "",
      "| what plays | frame, median | 95 % | script, median | 95 % | drawing calls, median | 95 % | layout, mean |",
      "| --- | --- | --- | --- | --- | --- | --- | --- |",
    );
    await frameRow("a clip, beside the list", page, ".clip-view");
    await page.getByRole("link", { name: "Make" }).click();
    const plan = page.getByRole("application", { name: /^Floor plan/ });
    await plan.waitFor();
    await page.getByRole("button", { name: /^Draw freehand \(/ }).click();
    await stroke(page, plan, BEND);
    await page.getByRole("tab", { name: "Options" }).click();
    await page.locator("[data-param=count] input").fill("20");
    await page.locator("[data-param=count] input").blur();
    await page.getByRole("button", { name: "Synthesize" }).click();
    await page.getByRole("heading", { name: "Take home" }).waitFor({ timeout: 600_000 });
    const [made] = await server.get<{ id: string }[]>("/api/results");
    const { members } = await server.get<{ members: { person: number; seconds?: number }[] }>(
      `/api/results/${made!.id}`,
    );
    const people = new Set(members.map((m) => m.person)).size;
    await frameRow(`a crowd of ${people}`, page, ".make-result");
    say("");
  } finally {
    await context.close();
    await server.stop();
    remove(work);
  }
});

interface Marks {
  asked: number;
  best: number;
  drawn: number;
  motion: number;
}

/** Notes when a job is asked for, when its first answer comes, and when that is on screen. */
function watchJob(): void {
  const marks: Marks = { asked: 0, best: 0, drawn: 0, motion: 0 };
  (window as unknown as { marks: Marks }).marks = marks;
  const afterPaint = (set: (now: number) => void) =>
    requestAnimationFrame(() => requestAnimationFrame(() => set(performance.now())));
  const ask = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (url.endsWith("/api/jobs") && init?.method === "POST")
      Object.assign(marks, { asked: performance.now(), best: 0, drawn: 0, motion: 0 });
    const answer = await ask(input, init);
    if (/\/results\/[^/]+\/motion/.test(url) && marks.motion === 0) afterPaint((now) => (marks.motion = now));
    return answer;
  };
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(url: string | URL) {
      super(url);
      this.addEventListener("message", ({ data }) => {
        if (
          marks.best !== 0 ||
          !String(data).startsWith("{") ||
          (JSON.parse(String(data)) as { type: string }).type !== "best"
        )
          return;
        marks.best = performance.now();
      });
    }
  };
  // The page's own mark, set while it draws: a way that arrives and is not drawn does not count.
  new PerformanceObserver((list) => {
    if (marks.asked > 0 && marks.drawn === 0 && list.getEntriesByName("gaitway:best-on-plan").length > 0) {
      marks.drawn = -1;
      afterPaint((now) => (marks.drawn = now));
    }
  }).observe({ type: "mark" });
}

test("first pixels of a synthesis", { timeout: 300_000 }, async () => {
  const context = await studio.browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  await context.addInitScript(watchJob);
  const page = await context.newPage();
  await page.goto(`${studio.server.url}#make`);
  const plan = page.getByRole("application", { name: /^Floor plan/ });
  await plan.waitFor();
  await page.getByRole("button", { name: /^Draw freehand \(/ }).click();
  await stroke(page, plan, BEND);
  const way: number[] = [];
  const person: number[] = [];
  for (let k = 0; k < 9; k++) {
    await synthesize(page);
    await page.waitForFunction(() => (window as unknown as { marks: Marks }).marks.motion > 0);
    const marks = await page.evaluate(() => (window as unknown as { marks: Marks }).marks);
    if (k === 0) continue;
    if (marks.drawn > 0) way.push(marks.drawn - marks.asked);
    person.push(marks.motion - marks.asked);
  }
  await context.close();
  say(
    "## From Synthesize to pixels",
    "",
    "A path of some eight metres on the demo graph, eight times after a first one.",
    "",
    "| from the request to | median | slowest |",
    "| --- | --- | --- |",
  );
  const row = (what: string, values: readonly number[]) =>
    say(
      `| ${what} | ${values.length > 0 ? ms(quantile(values, 0.5)) : "none came before the end"} | ${values.length > 0 ? ms(Math.max(...values)) : ""} |`,
    );
  row("the best way so far on the plan", way);
  row("the person on the stage, feet cleaned", person);
  say("", "The aim is 300 ms to the first pixels.", "");
});

test("threshold drag", { timeout: 120_000 }, async () => {
  const { page } = await studio.open({ hash: "graph?tab=thresholds" });
  const slider = page.getByRole("slider", { name: "All pairs" });
  await slider.waitFor();
  await page.locator(".live-row").first().waitFor();
  const trips: number[] = [];
  await slider.focus();
  for (let k = 0; k < 40; k++) {
    await page.keyboard.press(k % 2 ? "ArrowLeft" : "ArrowRight");
    await page.waitForTimeout(60);
    const text = (await page.locator(".figure-speed").textContent()) ?? "";
    const here = /here in ([\d.]+) ms/.exec(text)?.[1];
    if (here) trips.push(Number(here));
  }
  const { graph } = await studio.server.get<{ graph: { candidates: number } }>("/api/project");
  say(
    "## A threshold moves",
    "",
    `Demo graph, ${graph.candidates.toLocaleString("en")} candidates, ${trips.length} moves: from the move to the answer in the page ${ms(quantile(trips, 0.5))} in the median, ${ms(quantile(trips, 0.95))} at 95 %.`,
    "",
  );
});

/** Sections of the page: a run of some of the tests alone leaves it as it is. */
const SECTIONS = 6;

afterAll(() => {
  if (lines.filter((line) => line.startsWith("## ")).length < SECTIONS) return console.log(lines.join("\n"));
  const kind = binary().includes("/release/") ? "release" : "debug";
  const version = studio.browser.version();
  const head = [
    "# The studio's page",
    "",
    "Weight and speed of the page that `gaitway studio` serves, in a real browser against the real server. Times grow with whatever else runs on the machine.",
    "",
    `Machine: ${cpus()[0]?.model.replace(/\s+/g, " ").trim() ?? "unknown"}, ${cpus().length} cores, no graphics card, load ${busy.toFixed(1)} when it began. Chromium ${version}, ${kind} build of the server. Command: \`cd studio && GAITWAY_BIN=target/${kind}/gaitway GAITWAY_DATA=DIR npm run measure -- page\`.`,
    "",
  ];
  writeFileSync(join(REPOSITORY, "docs/results/studio-page.md"), [...head, ...lines].join("\n").trimEnd() + "\n");
});
