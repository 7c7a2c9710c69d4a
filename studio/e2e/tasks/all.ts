/** Ten tasks: where each starts, when it is done, and its acts then and now. */
import type { Account, Clip } from "../../src/api/types";
import { until } from "../harness/acts";
import * as before from "./before";
import * as now from "./now";
import { at, facts, plan, sketchOfPoints, subject, type Task } from "./task";

const data = process.env["GAITWAY_DATA"] ?? "";
const own = () => subject(data, "16");

export const TASKS: readonly Task[] = [
  {
    title: "Own clips to a first graph",
    start: "a fresh studio, which shows the demo; 38 BVH files in hand (CMU subject 16)",
    end: "the project's graph is of these clips and no others",
    inputs: "demo",
    open: async (seat) => (await at(seat, "library"), ""),
    now: now.firstGraph(own),
    before: before.firstGraph(own),
    remark:
      "The build is refused while clips of the demo are there, which have another skeleton; the way on is to remove them one by one.",
  },
  {
    title: "Own clips to a path in Blender",
    start: "as above",
    end: "a GLB of a motion along a drawn path is downloaded and can be read again",
    inputs: "demo",
    open: async (seat) => (await at(seat, "library"), ""),
    now: now.pathHome(own),
    before: before.pathHome(own),
  },
  {
    title: "Mend a wrong rate",
    start: "24 clips captured at 60 Hz whose headers say 120 (CMU subject 143), one of them open",
    end: "all 24 play at 60 Hz",
    inputs: "143",
    open: async (seat) => {
      await at(seat, "library");
      await seat.page.locator(".clip-title summary", { hasText: "warning" }).first().waitFor();
      return "";
    },
    now: now.mendRate,
    before: before.mendRate,
  },
  {
    title: "Label 20 clips",
    start: "38 clips without labels",
    end: "the first 20 carry the label walk from their first frame to their last",
    inputs: "16",
    open: async (seat) => (await at(seat, "library"), ""),
    now: now.labelTwenty,
    before: before.labelTwenty,
  },
  {
    title: "Why is this clip lost?",
    start: "a clip of which the graph left something out is open (the third most is)",
    end: "the page says why, and what would bring it back",
    inputs: "16",
    open: async (seat) => {
      const clips = await seat.server.get<Clip[]>("/api/clips");
      const account = await until(
        () => seat.server.get<Account>("/api/graph/account").catch(() => null),
        (value) => value !== null,
        "an account",
      );
      const lost = new Map<string, number>();
      for (const row of account!.lost) lost.set(row.clip, (lost.get(row.clip) ?? 0) + row.seconds);
      const [name] = [...lost].sort((a, b) => b[1] - a[1])[2] ?? [];
      const clip = clips.find((c) => c.name === name);
      if (!clip) throw new Error(`of fewer than three clips something is lost: ${JSON.stringify([...lost])}`);
      await at(seat, `library/${clip.id}`);
      await seat.page.locator(".clip-title h2", { hasText: clip.name }).waitFor();
      return clip.name;
    },
    now: now.whyLost,
    before: before.whyLost,
  },
  {
    title: "A crowd of five as one GLB",
    start: "Make, with an empty plan",
    end: "one GLB with five bodies is downloaded",
    inputs: "16",
    open: async (seat) => (await at(seat, "make"), ""),
    now: now.crowdHome,
    before: before.crowdHome,
  },
  {
    title: "Sit down there",
    start: "Make, with an empty plan and a graph of 24 labelled clips (CMU subject 143)",
    end: "the finished motion sits down within 30 cm of the place, as its report says",
    inputs: "143 with labels",
    open: async (seat) => (await at(seat, "make"), ""),
    now: now.sitThere,
    before: before.sitThere,
    remark: "There was no place to go to: the action is put on a drawn path.",
  },
  {
    title: "Inspect the worst transition of a result",
    start: "a motion along a path of four points is open",
    end: "both motions of its widest transition are on the inspector's stage, with how far apart they are",
    inputs: "16",
    open: async (seat) => {
      await at(seat, "make");
      await sketchOfPoints(seat);
      return "";
    },
    now: now.inspectWorst,
    before: before.inspectWorst,
    remark: "Both moments are read from the timeline under the pointer, which is not counted.",
  },
  {
    title: "Take up yesterday's sketch in another browser",
    start: "the result is there, named Yesterday; a browser that never saw it drawn shows an empty plan",
    end: "the sketch is on the plan: as long, and of as many points",
    inputs: "16",
    open: async (seat) => {
      // Drawn in another browser profile.
      const context = await seat.browser.newContext({
        viewport: { width: 1440, height: 900 },
        reducedMotion: "reduce",
      });
      const first = { ...seat, page: await context.newPage() };
      await at(first, "make");
      const made = await sketchOfPoints(first);
      const drawn = (await facts(first.page).textContent()) ?? "";
      const answer = await fetch(new URL(`/api/results/${made.id}`, seat.server.url), {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "Yesterday" }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      await context.close();
      await at(seat, "make");
      return drawn;
    },
    now: now.takeUpSketch,
    before: before.takeUpSketch,
  },
  {
    title: "Move one control point and see the new motion",
    start: "a path of four points and its motion",
    end: "another motion, of the path as it is now, is on the stage",
    inputs: "16",
    open: async (seat) => {
      await at(seat, "make");
      await sketchOfPoints(seat);
      await plan(seat.page).waitFor();
      return "";
    },
    now: now.movePoint,
    before: before.movePoint,
  },
];
