/** The page's copy of the server's state, kept fresh by its events. */
import type { App } from "./app";
import { Client } from "./api/client";
import { ApiError } from "./api/error";
import { EventStream, eventsUrl } from "./api/events";
import type { Body, Character, Clip, Job, Project, Recording } from "./api/types";
import { parseRoute, routeHash, type Params, type Route, type ViewName } from "./route";
import { Signal } from "./ui/signal";
import { knowLabels } from "./ui/label-colours";
import { themeSignal } from "./ui/theme";
import { confirmDialog } from "./ui/dialog";
import { toastError } from "./ui/toast";

export function createApp(): App {
  const events = new EventStream(eventsUrl(location));
  const api = new Client("", undefined, events);
  const project = new Signal<Project | null>(null);
  const clips = new Signal<readonly Clip[] | null>(null);
  const bodies = new Signal<readonly Body[]>([]);
  const recordings = new Signal<readonly Recording[]>([]);
  const characters = new Signal<readonly Character[]>([]);
  const left = new Signal<string | null>(null);
  const jobs = new Signal<ReadonlyMap<string, Job>>(new Map());
  const outdated = new Signal<"build" | "token" | null>(null);
  const route = new Signal<Route>(parseRoute(location.hash));
  const places = new Signal<Readonly<Record<ViewName, Params>>>({ library: {}, graph: {}, make: {} });
  const place = (view: ViewName, params: Params) => (places.value = { ...places.value, [view]: params });
  route.follow(({ view, params }) => view && place(view, params));

  const asksForToken = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) outdated.value = "token";
  };
  const refreshProject = latest(
    () => api.project(),
    (value) => {
      api.project_key ??= value.key;
      // Whoever hears of the project draws labels at once.
      knowLabels(value.label_places);
      project.value = value;
    },
    "Loading the project",
  );
  const first = refreshProject();
  const refreshClips = latest(
    // Clips show their labels, whose colours are the project's.
    () => Promise.all([api.clips(), api.bodies(), api.recordings(), api.characters(), first]),
    ([list, by_body, recorded, figures]) => {
      characters.value = figures;
      recordings.value = recorded;
      bodies.value = by_body;
      clips.value = list;
    },
    "Loading the clips",
  );
  const refreshJobs = latest(
    () => api.jobs(),
    (list) => (jobs.value = new Map(list.map((job) => [job.id, job]))),
    "Loading the jobs",
  );

  const putJob = (job: Job) => (jobs.value = new Map(jobs.value).set(job.id, job));
  events.on("job", ({ job }) => putJob(job));
  events.on("project", ({ what }) => {
    void refreshProject();
    if (what.some((part) => part !== "results")) void refreshClips();
  });
  let build: string | null = null;
  events.on("hello", (hello) => {
    build ??= hello.build;
    if (hello.build !== build) outdated.value = "build";
  });
  // A socket that is turned away does not say why: a server with another token than before looks like one that is gone.
  const plain = new Client();
  events.onState((state) => state === "lost" && void plain.project().catch(asksForToken));
  let switching = false;
  events.on("left", ({ name }) => {
    if (!switching) left.value = name;
  });
  events.on("hello", ({ project: key }) => {
    // The socket was lost while another tab, or a server that was started anew, opened another project.
    if (!switching && api.project_key !== null && key !== api.project_key) left.value ??= "another project";
  });
  events.onState((_, again) => {
    if (again) void Promise.all([refreshProject(), refreshClips(), refreshJobs()]);
  });
  addEventListener("hashchange", () => (route.value = parseRoute(location.hash)));
  void Promise.all([refreshClips(), refreshJobs()]);

  let takeFiles: App["onFiles"] = null;
  const early: File[] = [];
  const app: App = {
    api,
    events,
    project,
    clips,
    bodies,
    recordings,
    characters,
    left,
    jobs,
    route,
    places,
    outdated,
    refreshProject,
    refreshClips,
    theme: themeSignal(),
    go: (view, params) => {
      location.hash = routeHash(view, params);
    },
    settle: (view, params = {}) => {
      if (route.value.view !== view) return void place(view, params);
      const hash = routeHash(view, params);
      if (hash === routeHash(view, route.value.params)) return;
      history.replaceState(history.state, "", hash);
      route.value = parseRoute(hash);
    },
    switchProject: async (ask) => {
      switching = true;
      try {
        const opened = await ask(false).catch(async (error: unknown) => {
          if (!(error instanceof ApiError && error.code === "busy")) throw error;
          const sure = await confirmDialog(
            "Stop what is under way?",
            `${error.message}. It stops when another project is opened; a build goes on when you come back.`,
            "Stop it and go on",
          );
          return sure ? ask(true) : null;
        });
        if (!opened) return false;
        api.project_key = opened.key;
        events.reconnect();
        left.value = null;
        jobs.value = new Map();
        clips.value = null;
        bodies.value = [];
        recordings.value = [];
        characters.value = [];
        project.value = null;
        places.value = { library: {}, graph: {}, make: {} };
        history.pushState(null, "", routeHash("library"));
        route.value = parseRoute(location.hash);
        await Promise.all([refreshProject(), refreshClips(), refreshJobs()]);
        return true;
      } catch (error) {
        toastError(error, "The project was not opened");
        return false;
      } finally {
        switching = false;
      }
    },
    startJob: async (request) => {
      try {
        const job = await api.startJob(request);
        // An event may have brought a newer state before the answer came.
        if (!jobs.value.has(job.id)) putJob(job);
        return job;
      } catch (error) {
        toastError(error, "The job was not started");
        return null;
      }
    },
    cancelJob: async (id) => {
      try {
        await api.cancelJob(id);
      } catch (error) {
        toastError(error, "The job was not cancelled");
      }
    },
    addFiles: (files) => {
      // Dropped on another view before the library was ever opened: it takes them once it is there.
      if (takeFiles) takeFiles(files);
      else early.push(...files);
    },
    get onFiles() {
      return takeFiles;
    },
    set onFiles(take) {
      takeFiles = take;
      if (take && early.length > 0) take(early.splice(0));
    },
  };
  return app;
}

/** Loads one after the other and hands on only the newest answer: two quick events must not end with the older state. */
function latest<T>(load: () => Promise<T>, take: (value: T) => void, doing: string): () => Promise<void> {
  let newest = 0;
  return async () => {
    const mine = ++newest;
    try {
      const value = await load();
      if (mine === newest) take(value);
    } catch (error) {
      // While the socket is lost the bar at the top says so; a toast per attempt would only repeat it.
      // Neither is it news that another project is open: a bar says that too.
      if (!(error instanceof ApiError && (error.status === 0 || error.code === "other-project")))
        toastError(error, doing);
    }
  };
}
