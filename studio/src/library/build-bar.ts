/** Above every view: the graph is out of date, or is being built. */
import type { App } from "../app";
import type { BuildOptions, Job } from "../api/types";
import { h, replaceChildren } from "../ui/h";
import { button, checkbox, numberField, progressBar, select } from "../ui/controls";
import { icon } from "../ui/icons";
import { openDialog } from "../ui/dialog";
import { toast } from "../ui/toast";
import { count, duration, endOf, sentences } from "../ui/format";
import { announcePut, putOnBody } from "./put-on-body";

const ACTIVE: ReadonlySet<Job["state"]> = new Set(["queued", "running"]);

const TRANSITIONS = [
  { value: "auto", label: "blends, and cuts at the ends of clips" },
  { value: "blend", label: "blends only" },
  { value: "cut", label: "cuts only" },
] as const satisfies readonly { value: BuildOptions["transitions"]; label: string }[];

const CONTACT_RULES = [
  { value: "any", label: "need not agree" },
  { value: "same", label: "the same feet planted at its middle" },
  { value: "change", label: "feet change alike near its middle" },
] as const satisfies readonly { value: BuildOptions["contacts"]; label: string }[];

const TITLES: Partial<Record<Job["kind"], string>> = {
  build: "Building the graph",
  enrich: "Connecting the graph better",
  retarget: "Putting clips on another body",
};

/** What is being done to the graph, or to all that it is made of. */
function underWay(app: App): Job | null {
  const of = (kind: Job["kind"]) => newest(app.jobs.value.values(), kind);
  return [of("build"), of("enrich"), of("retarget")].find((job) => job && ACTIVE.has(job.state)) ?? null;
}

/** The newest job of a kind. */
function newest(jobs: Iterable<Job>, kind: Job["kind"]): Job | null {
  let found: Job | null = null;
  for (const job of jobs) if (job.kind === kind && (!found || job.created_ms >= found.created_ms)) found = job;
  return found;
}

export function buildBar(app: App): HTMLElement {
  const root = h("div");
  const progress = progressBar("The graph");
  const title = h("strong");
  const message = h("span.numbers");
  const told = new Set<string>();
  const running = h(
    "div.bar",
    null,
    title,
    progress.element,
    message,
    h("span.spacer"),
    button({
      label: "Cancel",
      onClick: () => {
        const job = underWay(app);
        if (job) void app.cancelJob(job.id);
      },
    }),
  );
  const rebuild = button({ label: "Rebuild graph…", kind: "primary", onClick: () => void startBuild(app) });
  const staleText = h("span");
  const stale = h("div.bar.warn", { role: "status" }, icon("info"), staleText, h("span.spacer"), rebuild);

  const trouble = h("span");
  const choices = h("span.row");
  const failed = h("div.bar.bad", { role: "alert" }, icon("warning"), trouble, h("span.spacer"), choices);

  /** A graph has one body: where clips are of several, each is offered. */
  const groups = () => {
    const all = app.bodies.value;
    const shown = all.slice(0, all.length > 3 ? 2 : 3).map((body) => {
      const like = app.clips.value?.find((clip) => clip.id === body.clips[0])?.name ?? body.id;
      return button({
        label: `Build from ${count(body.clips.length, "clip")} like ${endOf(like, 24)}`,
        title: like,
        onClick: () => void app.startJob({ kind: "build", body: body.id }),
      });
    });
    // Small screens have room for the way to the list alone.
    shown.forEach((one) => one.classList.add("wide-only"));
    const rest = button({ label: "All groups", onClick: () => app.go("library") });
    if (all.length <= 3) rest.classList.add("narrow-only");
    const together = button({
      label: "Put all on one body…",
      title: "People of different sizes in one graph",
      onClick: () => void putOnBody(app, null),
    });
    return [...shown, together, rest];
  };
  const several = () => {
    const basis = new Set(app.project.value?.basis);
    const own = (app.clips.value ?? []).filter((clip) => basis.has(clip.id));
    return new Set(own.map((clip) => clip.body)).size;
  };

  const show = () => {
    const job = newest(app.jobs.value.values(), "build");
    const project = app.project.value;
    const active = underWay(app);
    if (active) {
      title.textContent = TITLES[active.kind] ?? "";
      progress.set(active.state === "queued" ? null : active.part);
      message.textContent =
        active.state === "queued" ? "waiting for its turn" : `${active.message} · ${duration(active.elapsed_s)}`;
      told.add(active.id);
      if (running.parentElement !== root) replaceChildren(root, running);
      return;
    }
    if (job && told.delete(job.id)) announce(app, job);
    const better = newest(app.jobs.value.values(), "enrich");
    if (better && told.delete(better.id)) announceBetter(app, better);
    const put = newest(app.jobs.value.values(), "retarget");
    if (put && told.delete(put.id)) announcePut(app, put);
    const hasClips = (app.clips.value?.length ?? 0) > 0;
    const wanted = project && hasClips && (project.stale || !project.graph);
    if (project?.graph && project.graph.transitions === 0 && !project.stale) {
      failed.classList.add("warn");
      failed.classList.remove("bad");
      trouble.textContent =
        "The graph has no transition: nothing in these clips comes close enough to something else. More or longer clips help, or candidates further apart.";
      replaceChildren(
        choices,
        button({ label: "See what was lost", onClick: () => app.go("graph", { tab: "account" }) }),
        button({ label: "Change the options…", kind: "primary", onClick: () => void startBuild(app) }),
      );
      if (failed.parentElement !== root) replaceChildren(root, failed);
      return;
    }
    if (!wanted) return replaceChildren(root);
    const bodies = several();
    if (bodies > 1 || job?.state === "failed") {
      failed.classList.toggle("bad", job?.state === "failed");
      failed.classList.toggle("warn", job?.state !== "failed");
      trouble.textContent =
        job?.state === "failed"
          ? sentences(`The build failed: ${job.error ?? job.message}`, job.hint)
          : `These are clips of ${bodies} bodies, and a graph has one. Which is it to be?`;
      replaceChildren(
        choices,
        bodies > 1
          ? groups()
          : button({ label: "Change the options…", kind: "primary", onClick: () => void startBuild(app) }),
      );
      if (failed.parentElement !== root) replaceChildren(root, failed);
      return;
    }
    staleText.textContent =
      job?.state === "interrupted"
        ? "The last build was interrupted. Start it again to go on."
        : project.graph
          ? "Clips, labels or contacts changed since the graph was built."
          : "There is no graph yet. Build one to tune it and to make motion.";
    rebuild.lastElementChild!.textContent = project.graph ? "Rebuild graph…" : "Build graph…";
    if (stale.parentElement !== root) replaceChildren(root, stale);
  };
  app.project.listen(show);
  app.clips.listen(show);
  app.bodies.listen(show);
  app.jobs.listen(show);
  show();
  return root;
}

/** What a build came to: how much of the motion can be used, and what a person should look at before using it. */
async function built(app: App, job: Job): Promise<void> {
  await app.refreshProject();
  const { clips, project } = app;
  const graph = project.value?.graph;
  const used = graph ? `: ${duration(graph.kept_seconds)} of ${duration(graph.seconds)} can be used` : "";
  const odd = (clips.value ?? []).filter((c) => c.in_graph && c.warnings.some((w) => w.level === "warning")).length;
  const look = odd > 0 ? ` ${count(odd, "clip")} of it ${odd === 1 ? "has" : "have"} warnings: see the library.` : "";
  toast(`The graph is built (${duration(job.elapsed_s)})${used}.${look}`, { kind: "done" });
}

function announce(app: App, job: Job): void {
  if (job.state === "done") void built(app, job);
  else if (job.state === "cancelled") toast("The build was cancelled; the graph is as it was.");
}

function announceBetter(app: App, job: Job): void {
  const look = { label: "See what it brought", run: () => app.go("graph", { tab: "account" }) };
  const what = `${job.message} (${duration(job.elapsed_s)})`;
  if (job.state === "done") toast(`The graph is connected better: ${what}.`, { kind: "done", action: look });
  else if (job.state === "cancelled") toast("Connecting the graph better was cancelled; the graph is as it was.");
  else if (job.state === "failed")
    toast(sentences(`The graph was not connected better: ${job.error ?? job.message}`, job.hint), { kind: "error" });
}

/** Asks for the options and starts a build. */
async function startBuild(app: App): Promise<void> {
  const project = app.project.value;
  if (!project) return;
  const options: BuildOptions = { ...project.build };
  const number = (
    key: "fps" | "window_s" | "ceiling_cm",
    label: string,
    unit: string,
    min: number,
    max: number,
    step: number,
  ) =>
    numberField({
      label,
      unit,
      min,
      max,
      step,
      value: options[key],
      onChange: (value) => (options[key] = value ?? options[key]),
    }).element;
  const threshold = numberField({
    label: "Threshold",
    unit: "cm",
    min: 0,
    max: 200,
    step: 0.1,
    value: options.threshold_cm,
    placeholder: "automatic",
    onChange: (value) => (options.threshold_cm = value),
  });
  threshold.input.disabled = options.auto;
  const chosen = await openDialog({
    title: project.graph ? "Rebuild the graph" : "Build the graph",
    body: [
      h(
        "p.muted",
        null,
        `Every clip is compared with every other; the present graph stays in use until the new one is done.${(project.graph?.interpolated_clips ?? 0) > 0 ? " The new one is of captured clips alone: connect it better again afterwards." : ""}`,
      ),
      h(
        "div.field-grid",
        null,
        number("fps", "Working rate", "Hz", 5, 120, 1),
        number("window_s", "Window", "s", 0.05, 2, 0.01),
        number("ceiling_cm", "Ceiling: no transition above", "cm", 1, 300, 0.5),
        threshold.element,
      ),
      checkbox("Choose thresholds per pair of labels from the data", options.auto, (on) => {
        options.auto = on;
        threshold.input.disabled = on;
      }).element,
      checkbox("Add the mirror image of every clip", options.with_mirrored, (on) => (options.with_mirrored = on))
        .element,
      select("Transitions", TRANSITIONS, options.transitions, (value) => (options.transitions = value)).element,
      select("Foot contacts of a transition", CONTACT_RULES, options.contacts, (value) => (options.contacts = value))
        .element,
    ],
    actions: [
      { label: "Cancel", value: false },
      { label: "Build", kind: "primary", value: true },
    ],
  });
  if (chosen) await app.startJob({ kind: "build", options });
}
