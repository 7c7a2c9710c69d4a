/** The result in 3D over the sketch: target and actual path, people, transitions, obstacles. */
import type { App } from "../app";
import type { Point as FloorPoint, Result, ResultMember } from "../api/types";
import { palette } from "../plot/palette";
import { ACTOR_COLOURS, Stage, streamMotion, transport, type Actor } from "../stage";
import { h } from "../ui/h";
import { Costume, castMenu } from "../costume";
import { Disposer } from "../ui/signal";
import { toastError } from "../ui/toast";
import type { Desk } from "./desk";
import type { Point } from "./geometry";
import { outline, toJson } from "./obstacles";
import { curveOf } from "./sketch";
import type { Vec } from "../stage/vec";

/** How long after the plan the room shows a better way. */
const ROOM_FOLLOWS_MS = 250;

/** More people than this are not loaded at once. */
const MOST_PEOPLE = 40;

export interface Standing {
  readonly at: Point;
  readonly colour: string;
}

/** The colour of a member of a crowd: on stage, on the plan and on its card. */
export function colourOf(index: number): string {
  return ACTOR_COLOURS[index % ACTOR_COLOURS.length] ?? ACTOR_COLOURS[0];
}

export class ResultStage {
  readonly element = h("div.result-stage");
  readonly stage: Stage;
  private readonly stops = new Disposer();
  private readonly costume: Costume;
  private readonly cast: ReturnType<typeof castMenu>;
  private readonly host = h("div.stage-host");
  private actors: { actor: Actor; colour: string }[] = [];
  private shown = 0;
  private watched = false;
  private framed = false;
  private framing: ReturnType<typeof setTimeout> | undefined;
  private afterPlan: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly app: App,
    private readonly desk: Desk,
    private readonly onPeople: (people: readonly Standing[]) => void,
    /** Whether what is shown came of a drag, not of a press. */
    private readonly drawn: () => boolean,
  ) {
    this.element.append(this.host);
    this.stage = new Stage(this.host, app.theme);
    this.costume = new Costume(app, this.stage);
    this.cast = castMenu(app);
    this.element.append(
      transport(this.stage, { cast: this.cast.element, fileName: () => this.desk.result.value?.id ?? "gaitway" }),
    );
    this.stops.add(
      desk.sketch.follow(() => this.showSketch()),
      app.theme.listen(() => (this.showSketch(), this.showWays())),
      desk.best.listen((best) => this.showBest(best?.way ?? [])),
      desk.result.listen(() => void this.load()),
      desk.member.listen(() => this.choose()),
      this.stage.onFrame(() => this.onPeople(this.standing())),
      () => this.cast.dispose(),
      () => this.stage.dispose(),
      () => this.costume.dispose(),
    );
  }

  dispose(): void {
    this.stops.dispose();
  }

  /** The wire's member index and colour of everybody on stage. */
  static cast(result: Result, member: number): { member: ResultMember; index: number; colour: string }[] {
    const all = result.members.map((m, index) => ({
      member: m,
      index,
      colour: colourOf(index),
    }));
    const crowd = new Set(result.members.map((m) => m.person)).size > 1;
    return crowd ? all.slice(0, MOST_PEOPLE) : all.filter((a) => a.index === member);
  }

  private showSketch(): void {
    const colours = palette(this.app.theme.value);
    const { line } = curveOf(this.desk.sketch.value);
    this.stage.scenery.setPath("sketch", line as FloorPoint[], { colour: colours.accent, width: 0.05, dash: 0.3 });
    this.stage.scenery.setObstacles(this.desk.sketch.value.obstacles.map((o) => toJson(o)));
    const first = line[0];
    if (first) this.stage.scenery.setMarker("start", first as FloorPoint, { colour: colours.good });
    else this.stage.scenery.removeMarker("start");
    if (line.length < 2 || this.desk.result.value) return;
    // The whole sketch stays in sight while it is drawn, without a jump at every move of the hand.
    clearTimeout(this.framing);
    this.framing = setTimeout(() => this.frameSketch(), this.framed ? 400 : 0);
  }

  /** All of the sketch, large: at first as it lies on the plan, then from where one has turned to. */
  private frameSketch(): void {
    // Not on screen yet: the size of the picture is not known. `show` asks again.
    if (this.stage.element.clientWidth === 0 || this.desk.result.value) return;
    const { sketch } = this.desk;
    const floor = [...curveOf(sketch.value).line, ...sketch.value.obstacles.flatMap(outline)];
    if (floor.length < 2) return;
    this.stage.resize();
    this.stage.rig.framePoints(
      floor.map(([x, z]): Vec => [x, 0, z]),
      this.framed ? undefined : "desk",
    );
    this.stage.invalidate();
    this.framed = true;
  }

  /** On screen (again). */
  show(): void {
    if (!this.framed) this.frameSketch();
    this.stage.invalidate();
  }

  /** The best so far, growing on the floor while the search runs. */
  private showBest(way: readonly Point[]): void {
    if (way.length === 0) {
      clearTimeout(this.afterPlan);
      this.afterPlan = undefined;
      return this.drawBest(way);
    }
    // The plan first: it is drawn in a moment. The room takes longer and would hold both back, so it follows now and then.
    this.afterPlan ??= setTimeout(() => {
      this.afterPlan = undefined;
      this.drawBest(this.desk.best.value?.way ?? []);
    }, ROOM_FOLLOWS_MS);
  }

  private drawBest(way: readonly Point[]): void {
    this.stage.scenery.setPath("best", way as FloorPoint[], {
      colour: palette(this.app.theme.value).warn,
      width: 0.035,
      lift: 0.002,
    });
  }

  private async load(): Promise<void> {
    const mine = ++this.shown;
    const { result, member } = this.desk;
    // While one draws, the motion goes on where it was until the next is there, so that one sees what the drag changed.
    const drawn = this.drawn() && this.actors.length === 1;
    if (!drawn || !result.value) this.clear();
    this.showWays();
    if (!result.value) return;
    const { id } = result.value;
    const cast = ResultStage.cast(result.value, member.value);
    try {
      const sources = await Promise.all(
        cast.map((c) =>
          streamMotion((from, count, signal) => this.app.api.resultMotion(id, c.index, from, count, { signal })),
        ),
      );
      // Somebody may have chosen another result meanwhile.
      if (mine !== this.shown) return sources.forEach((s) => s.dispose());
      const { time, willPlay } = this.stage.clock;
      this.clear();
      this.actors = sources.map((source, k) => {
        const colour = cast[k]?.colour ?? ACTOR_COLOURS[0];
        const startsAt = cast[k]?.member.start_s ?? 0;
        // Of a crowd nobody stands about where others set out and arrive: as in the scene one takes home.
        const crowd = { colour, startsAt, comesAndGoes: true };
        return { colour, actor: this.stage.add(source, cast.length > 1 ? crowd : {}) };
      });
      // Everybody of a crowd would need a mesh of their own: they stay plain.
      const [alone] = this.actors;
      if (alone && cast.length === 1) this.costume.wear(alone.actor, { result: id, member: cast[0]?.index ?? 0 });
      if (drawn) return this.goOn(time, willPlay);
    } catch (error) {
      // A draft that another took the place of is not missed.
      if (mine === this.shown) toastError(error, "The motion could not be loaded");
      return;
    }
    const lead = this.costume.actor ?? this.actors[0]?.actor;
    if (!lead) return;
    this.stage.lead = lead;
    this.stage.clock.seek(0);
    if (this.actors.length > 1) {
      this.stage.following.value = false;
      this.stage.frameAll();
    } else this.closeUp(lead);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.stage.clock.play();
  }

  private clear(): void {
    this.costume.clear();
    for (const { actor } of this.actors) this.stage.remove(actor);
    this.actors = [];
  }

  /** From the moment that was shown, seen from where one looks. */
  private goOn(time: number, plays: boolean): void {
    this.stage.lead = this.costume.actor ?? this.actors[0]?.actor ?? null;
    this.stage.clock.seek(time);
    if (plays) this.stage.clock.play();
    this.stage.invalidate();
  }

  /** Of a crowd everybody stays on stage, and the camera goes to the chosen one; an alternative takes the other's place. */
  private choose(): void {
    const chosen = this.actors[this.desk.member.value]?.actor;
    if (this.actors.length < 2 || !chosen) return void this.load();
    this.stage.lead = chosen;
    this.stage.following.value = true;
    this.stage.invalidate();
  }

  /** Near enough to judge the feet, wide enough to see the path; the camera goes along. */
  private closeUp(lead: Actor): void {
    this.stage.drawNow();
    const [x, , z] = lead.root;
    this.stage.rig.frame([x - 0.9, 0, z - 0.9], [x + 0.9, 1.8, z + 0.9], this.watched ? undefined : "three-quarter");
    this.watched = true;
    this.stage.following.value = true;
  }

  private showWays(): void {
    const { result, member } = this.desk;
    for (let k = 0; k < MOST_PEOPLE; k++) this.stage.scenery.removePath(`way-${k}`);
    if (!result.value) return;
    const cast = ResultStage.cast(result.value, member.value);
    const colours = palette(this.app.theme.value);
    cast.forEach((c, k) => {
      const colour = cast.length > 1 ? c.colour : colours.warn;
      this.stage.scenery.setPath(`way-${k}`, c.member.way, { colour, width: 0.035, lift: 0.002 });
    });
  }

  private standing(): Standing[] {
    const one = this.actors.length === 1;
    const { text } = palette(this.app.theme.value);
    return this.actors
      .filter(({ actor }) => actor.ready && actor.visible)
      .map(({ actor, colour }) => ({ at: [actor.root[0], actor.root[2]], colour: one ? text : colour }));
  }
}
