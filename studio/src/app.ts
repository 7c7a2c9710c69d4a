/** What every view is given. */
import type { Client } from "./api/client";
import type { EventStream } from "./api/events";
import type { Body, Character, Clip, Job, JobRequest, Opened, Project, Recording } from "./api/types";
import type { Signal } from "./ui/signal";
import type { Theme } from "./ui/theme";
import type { Params, Route, ViewName } from "./route";

export interface App {
  readonly api: Client;
  readonly events: EventStream;
  /** null until the first answer; loaded again by itself when the server says that something changed. */
  readonly project: Signal<Project | null>;
  readonly clips: Signal<readonly Clip[] | null>;
  /** The clips by body; loaded with them. */
  readonly bodies: Signal<readonly Body[]>;
  /** Files of markers and sensors; loaded with the clips. */
  readonly recordings: Signal<readonly Recording[]>;
  /** Bodies of the user's own; loaded with the clips. */
  readonly characters: Signal<readonly Character[]>;
  /** Name of the project that another tab opened in place of ours; null while ours is open. */
  readonly left: Signal<string | null>;
  /** Every job the server knows, by id; kept up to date by events. */
  readonly jobs: Signal<ReadonlyMap<string, Job>>;
  readonly theme: Signal<Theme>;
  readonly route: Signal<Route>;
  /** Where each view was seen last: what its link leads to. */
  readonly places: Signal<Readonly<Record<ViewName, Params>>>;
  /** Why the page has to be loaded again: another program serves it, or the token is asked for anew. */
  readonly outdated: Signal<"build" | "token" | null>;
  /** Goes to a view, as in `go("library", { clip: "walk-01" })`. */
  go(view: ViewName, params?: Params): void;
  /**
   * Says what a view shows now. On screen, the address follows without a step of its own in the history; elsewhere it is where the
   * view's link leads.
   */
  settle(view: ViewName, params?: Params): void;
  /** Asks the server anew; errors become a toast. */
  refreshProject(): Promise<void>;
  refreshClips(): Promise<void>;
  /** Lets the server open another project and shows that: every view is made anew. False (and a toast) when it could not be opened. */
  switchProject(ask: (interrupt: boolean) => Promise<Opened>): Promise<boolean>;
  /** Starts a job and puts it into `jobs`; null (and a toast) when the server refuses. */
  startJob(request: JobRequest): Promise<Job | null>;
  cancelJob(id: string): Promise<void>;
  /** Uploads files into the library, with progress and errors shown there. */
  addFiles(files: readonly File[]): void;
  /** Set by the library: where `addFiles` goes. */
  onFiles: ((files: readonly File[]) => void) | null;
}

/** A view is mounted once, on first use, and then shown and hidden: a sketch survives a look at the library. */
export interface View {
  /** The view is on screen (again), or its parameters changed. */
  show(route: Route): void;
  /** The view left the screen: stop playing. */
  hide(): void;
  dispose(): void;
  /** A key that nothing with focus has used; true when it was taken. */
  key?(event: KeyboardEvent): boolean;
}

export type Mount = (root: HTMLElement, app: App) => View;
