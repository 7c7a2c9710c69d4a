/**
 * The path is solved again when a drag has ended, or a number was changed: what was asked for before is stopped by the server, and its
 * result takes the place of the one before (`live` of the request). Long searches are left to the button.
 */
import type { App } from "../app";
import { Disposer, type Signal } from "../ui/signal";
import type { Desk } from "./desk";
import { curveOf } from "./sketch";
import type { Synthesizer } from "./synthesizer";

/** Long enough to let go of one key and press the next. */
const AFTER_MS = 250;
/** Longer paths are searched when asked for: one should not wait for what one did not ask for. */
export const LONGEST_M = 60;

/** Why what is on the plan is not solved by itself; nothing where it is. */
export function notLive(desk: Desk): string | null {
  const { sketch, params } = desk;
  if (params.value.count > 1) return "a crowd";
  if (params.value.alternatives > 1) return "alternatives";
  if (params.value.search !== "beam") return "branch and bound";
  return curveOf(sketch.value).length > LONGEST_M ? `a path over ${LONGEST_M} m` : null;
}

/** Whether the path is solved again by itself, as this browser was told last. */
const LIVE_KEY = "gaitway.live";

export function rememberLive(live: Signal<boolean>): void {
  try {
    live.value = localStorage.getItem(LIVE_KEY) !== "off";
    live.listen((on) => localStorage.setItem(LIVE_KEY, on ? "on" : "off"));
  } catch {
    // Then it is on, as at first.
  }
}

const TAB_KEY = "gaitway.tab";

/** Tells this tab's drafts from those of others; a tab that is loaded again goes on with its own. */
function tabName(): string {
  const fresh = `tab-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
  try {
    const known = sessionStorage.getItem(TAB_KEY);
    if (known === null) sessionStorage.setItem(TAB_KEY, fresh);
    return known ?? fresh;
  } catch {
    return fresh;
  }
}

export class Live {
  private readonly stops = new Disposer();
  private readonly name = tabName();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What was asked for last: the same is not asked for twice, whatever came of it. */
  private asked: unknown = null;
  /** Nothing is searched for before somebody drew something here. */
  private touched = false;

  constructor(
    app: App,
    private readonly desk: Desk,
    private readonly synth: Synthesizer,
  ) {
    const soon = () => {
      this.touched = true;
      this.later();
    };
    this.stops.add(
      desk.sketch.listen(soon),
      desk.params.listen(soon),
      desk.held.listen((held) => !held && this.later()),
      desk.live.listen((on) => on && this.later()),
      // The server is back: what was drawn while it was away has not been asked for.
      app.events.onState((state) => {
        if (state !== "open") return;
        this.asked = null;
        this.later();
      }),
      // A desk that was moved to another project shows what was drawn there: nobody asks for it anew.
      desk.project.listen(() => {
        this.touched = false;
        clearTimeout(this.timer);
      }),
      () => clearTimeout(this.timer),
    );
  }

  dispose(): void {
    this.stops.dispose();
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.solve(), AFTER_MS);
  }

  private async solve(): Promise<void> {
    const { desk, synth } = this;
    if (!this.touched || !desk.live.value || desk.held.value || synth.pressed || synth.blocked || synth.fresh) return;
    if (notLive(desk) !== null || desk.taken === desk.sketch.value) return;
    const now = [desk.sketch.value, desk.params.value] as const;
    if (Array.isArray(this.asked) && this.asked[0] === now[0] && this.asked[1] === now[1]) return;
    this.asked = now;
    await synth.start(null, this.name);
  }
}
