/** The user's own character in place of the plain figure, wherever motion is played: one choice, which the project remembers. */
import type { App } from "./app";
import type { Worn } from "./api/types";
import { ApiError, messageOf } from "./api/error";
import { h, replaceChildren } from "./ui/h";
import { toast, toastError } from "./ui/toast";
import { tooltip } from "./ui/tooltip";
import { MeshFigure, streamMotion, type Actor, type Stage } from "./stage";

/** Who is shown; nothing where the project has no character. */
export function castMenu(app: App): { element: HTMLElement; dispose(): void } {
  const select = h("select.cast-menu", {
    "aria-label": "Shown as",
    onchange: () => {
      const chosen = select.value || null;
      select.blur();
      void app.api
        .putShown(chosen)
        .then(() => app.refreshProject())
        .catch((error: unknown) => {
          show();
          toastError(error, "The figure was not changed");
        });
    },
  });
  tooltip(select, "Shown as the plain figure, or as a character of yours");
  const show = () => {
    const all = app.characters.value;
    select.hidden = all.length === 0;
    const now = app.project.value?.shown ?? "";
    replaceChildren(
      select,
      h("option", { value: "" }, "Plain figure"),
      all.map((one) => h("option", { value: one.id }, one.name)),
    );
    select.value = now;
  };
  const stops = [app.characters.listen(show), app.project.listen(show)];
  show();
  return { element: select, dispose: () => stops.forEach((stop) => stop()) };
}

/** Dresses one figure of a stage: the plain one is hidden once the character is there, and back when it goes. */
export class Costume {
  private worn: { actor: Actor; what: Worn } | null = null;
  private stand: Actor | null = null;
  private shown: string | null = null;
  private loading = new AbortController();
  private readonly stop: (() => void)[];

  constructor(
    private readonly app: App,
    private readonly stage: Stage,
  ) {
    const look = () => this.worn && this.key() !== this.shown && void this.change();
    this.stop = [app.project.listen(look), app.characters.listen(look)];
  }

  /** This figure plays that motion: it is shown as the project says. */
  wear(actor: Actor, what: Worn): void {
    this.clear();
    this.worn = { actor, what };
    void this.change();
  }

  /** Before figures are taken off the stage. */
  clear(): void {
    this.loading.abort();
    this.undress();
    this.worn = null;
    this.shown = null;
  }

  dispose(): void {
    this.clear();
    this.stop.forEach((stop) => stop());
  }

  /** Who stands on stage: the character where it is there. */
  get actor(): Actor | null {
    return this.stand ?? this.worn?.actor ?? null;
  }

  private who() {
    const id = this.app.project.value?.shown ?? null;
    return this.app.characters.value.find((one) => one.id === id) ?? null;
  }

  /** What must be put on anew when it changes: somebody else, or other roles. */
  private key(): string {
    const who = this.who();
    return who ? `${who.id} ${JSON.stringify(who.roles)}` : "";
  }

  private undress(): void {
    const { stand, worn } = this;
    this.stand = null;
    if (worn) this.stage.change(worn.actor, { hidden: false });
    if (!stand) return;
    const leads = this.stage.lead === stand;
    this.stage.remove(stand);
    if (leads && worn) this.stage.lead = worn.actor;
  }

  private async change(): Promise<void> {
    const { worn } = this;
    if (!worn) return;
    this.loading.abort();
    const { signal } = (this.loading = new AbortController());
    this.shown = this.key();
    const who = this.who();
    if (!who) return this.undress();
    const { api } = this.app;
    try {
      const source = await streamMotion((from, n, own) =>
        api.onMotion(who.id, worn.what, from, n, { signal: AbortSignal.any([own, signal]) }),
      );
      const mesh = who.mesh ? await MeshFigure.read(await api.onMesh(who.id, worn.what, { signal })) : null;
      if (signal.aborted) {
        mesh?.dispose();
        return source.dispose();
      }
      const leads = this.stage.lead === this.actor;
      this.undress();
      const { startsAt, place } = worn.actor.options;
      this.stand = this.stage.add(source, {
        ...(mesh ? { mesh } : {}),
        ...(startsAt === undefined ? {} : { startsAt }),
        ...(place ? { place } : {}),
      });
      this.stage.change(worn.actor, { hidden: true });
      if (leads) this.stage.lead = this.stand;
      this.stage.invalidate();
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.code === "aborted")) return;
      this.undress();
      toast(`It is not shown as ${who.name}: ${messageOf(error)}`, { kind: "error" });
    }
  }
}
