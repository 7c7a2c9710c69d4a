/** The stage: a WebGL picture of characters on a floor, drawn only when something changed. */
import { Color, DirectionalLight, HemisphereLight, Scene, Vector2, WebGLRenderer } from "three";
import { h } from "../ui/h";
import { Signal } from "../ui/signal";
import type { Theme } from "../ui/theme";
import { Actor, type ActorOptions, type CharacterStyle } from "./actor";
import { CameraRig, type ViewPreset } from "./camera-rig";
import { PlaybackClock } from "./clock";
import { watchContext } from "./context";
import { boundsOf } from "./bounds";
import { Discs } from "./discs";
import { Floor } from "./floor";
import type { MotionSource } from "./motion-source";
import { Overlay } from "./overlay";
import { applyPalette, paletteOf } from "./palette";
import { Quality } from "./quality";
import { Scenery } from "./scenery";
import { TubeList } from "./tube-list";
import { COARSE, FINE, TubeMesh } from "./tube-mesh";
import { sharedUniforms } from "./uniforms";
import type { Vec } from "./vec";
import "./stage.css";

/** More device pixels than this cost time and are not seen. */
const MAX_PIXEL_RATIO = 2;
/** From this many characters on each gets fewer triangles and no discs. */
const CROWD = 8;

export class Stage {
  readonly clock = new PlaybackClock();
  readonly style = new Signal<CharacterStyle>("solid");
  readonly following = new Signal(false);
  /** True while playback waits for frames. */
  readonly waiting = new Signal(false);
  readonly element = h("div.stage", {
    tabIndex: 0,
    role: "img",
    "aria-label": "3D view. Drag or use Alt with the arrow keys to turn, scroll or + and - to zoom.",
  });
  readonly rig: CameraRig;
  readonly canvas: HTMLCanvasElement;
  /** The character that the camera follows and whose frames are stepped; the first one unless set. */
  lead: Actor | null = null;
  /** Followed and framed are all of them, in their middle: two that are compared. */
  together = false;

  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly uniforms = sharedUniforms();
  private readonly floor = new Floor(this.uniforms);
  private readonly solid = new TubeMesh(this.uniforms, false);
  private readonly ghosts = new TubeMesh(this.uniforms, true);
  private readonly discs = new Discs();
  private readonly solidList = new TubeList(64);
  private readonly ghostList = new TubeList(64);
  private readonly overlay = new Overlay();
  private readonly actors = new Set<Actor>();
  private readonly viewport = new Vector2(1, 1);
  /** Lines, discs, obstacles and words in the room. */
  readonly scenery = new Scenery(this.scene, this.overlay, this.viewport, () => this.invalidate());
  private readonly frameListeners = new Set<() => void>();
  private readonly unlisten: (() => void)[] = [];
  private theme: Theme = "light";
  private scheduled = 0;
  private lastTick = 0;
  private lost = false;
  private readonly quality = new Quality();
  /** While a film is made nothing is softened: who plays it later has time. */
  filming = false;
  /** Part of the full resolution that the canvas has now. */
  private sharpness = 1;
  private readonly resizer: ResizeObserver;

  constructor(host: HTMLElement, theme: Signal<Theme>) {
    this.renderer = new WebGLRenderer({
      antialias: true,
      powerPreference: "high-performance",
      preserveDrawingBuffer: false,
    });
    this.canvas = this.renderer.domElement;
    this.element.append(this.canvas, this.overlay.element);
    host.append(this.element);
    this.rig = new CameraRig(this.canvas, () => this.invalidate());
    // A shadow would set a ghost on the floor, as if it were there.
    this.ghosts.shadowsVisible = false;
    this.scene.add(this.floor.group, this.solid.group, this.ghosts.group, this.discs.mesh);
    this.resizer = new ResizeObserver(() => this.resize());
    this.resizer.observe(this.element);
    watchContext(this.element, this.canvas, { lost: () => (this.lost = true), restored: () => this.restored() });
    this.unlisten.push(
      this.clock.listen(() => this.invalidate()),
      theme.follow((value) => this.setTheme(value)),
      this.style.listen(() => this.setTheme(this.theme)),
      this.following.listen(() => this.invalidate()),
    );
  }

  /** Puts a character on the stage; the clock is as long as the longest motion. */
  add(source: MotionSource, options: ActorOptions = {}): Actor {
    const actor = new Actor(source, options);
    this.actors.add(actor);
    this.lead ??= actor;
    source.onData(() => this.invalidate());
    this.showMesh(actor);
    this.measureClock();
    return actor;
  }

  /** Changes a character's look. */
  change(actor: Actor, options: Partial<ActorOptions>): void {
    const before = actor.options.mesh;
    actor.options = { ...actor.options, ...options };
    if (before !== actor.options.mesh) {
      before?.dispose();
      this.showMesh(actor);
    }
    this.measureClock();
  }

  remove(actor: Actor): void {
    this.actors.delete(actor);
    actor.source.dispose();
    actor.options.mesh?.dispose();
    this.overlay.remove(`actor-${this.idOf(actor)}`);
    if (this.lead === actor) this.lead = this.actors.values().next().value ?? null;
    this.measureClock();
  }

  clear(): void {
    for (const actor of [...this.actors]) this.remove(actor);
    this.scenery.clear();
  }

  /** Shows all characters where they are now and all lines on the floor; while following, the one that is followed. */
  frameAll(preset?: ViewPreset): void {
    for (const actor of this.actors) actor.update(this.clock.time);
    // A camera that follows somebody would leave the lines again with the next frame.
    const box =
      this.following.value && this.lead
        ? boundsOf(this.together ? this.actors : [this.lead], [])
        : boundsOf(this.actors, this.scenery.lines);
    if (!box) return;
    // Somebody who crouches now may stand up; the camera stays at the height of a standing person.
    if (this.following.value && this.lead) box.high[1] = Math.max(box.high[1], 2 * this.lead.eyeLine);
    this.rig.frame(box.low, box.high, preset);
    this.invalidate();
  }

  /** Shows everybody as they are at a time, from a direction, whoever is followed. */
  frameAt(seconds: number, direction: Vec): void {
    for (const actor of this.actors) actor.update(seconds);
    const box = boundsOf(this.actors, []);
    if (!box) return;
    if (this.lead) box.high[1] = Math.max(box.high[1], 2 * this.lead.eyeLine);
    this.rig.frame(box.low, box.high, direction);
    this.invalidate();
  }

  /** Called after every drawn frame. */
  onFrame(listener: () => void): () => void {
    this.frameListeners.add(listener);
    return () => this.frameListeners.delete(listener);
  }

  /** Asks for a new picture; cheap to call often. */
  invalidate(): void {
    if (this.scheduled === 0 && !this.lost) this.scheduled = requestAnimationFrame((now) => this.tick(now));
  }

  /** Draws at once, for pictures of the canvas. */
  drawNow(): void {
    this.render(0);
  }

  dispose(): void {
    cancelAnimationFrame(this.scheduled);
    this.clear();
    this.unlisten.forEach((stop) => stop());
    this.resizer.disconnect();
    this.rig.dispose();
    for (const part of [this.floor, this.solid, this.ghosts, this.discs]) part.dispose();
    this.renderer.dispose();
    this.element.remove();
  }

  private tick(now: number): void {
    this.scheduled = 0;
    const dt = this.clock.playing && this.lastTick > 0 ? (now - this.lastTick) / 1000 : 0;
    this.lastTick = this.clock.playing ? now : 0;
    // Time stands still while frames are missing: nothing is skipped on a slow line.
    if (dt > 0 && !this.waiting.value) this.clock.advance(dt);
    if (dt > 0) this.quality.note(dt);
    this.setSharpness(this.clock.playing && !this.filming ? this.quality.scale : 1);
    this.render(dt);
    if (this.clock.playing) this.invalidate();
  }

  private render(dt: number): void {
    const palette = paletteOf(this.theme, this.style.value === "points");
    this.solidList.clear();
    this.ghostList.clear();
    this.discs.clear();
    const crowd = this.actors.size >= CROWD;
    let missing = false;
    for (const actor of this.actors) {
      if (!actor.update(this.clock.time)) missing = true;
      actor.draw(actor.isGhost ? this.ghostList : this.solidList, this.discs, this.style.value, palette, !crowd);
      this.labelActor(actor);
    }
    this.scenery.draw(this.discs);
    this.waiting.value = missing && this.actors.size > 0;
    for (const mesh of [this.solid, this.ghosts]) mesh.setDetail(crowd ? COARSE : FINE);
    this.solid.update(this.solidList);
    this.ghosts.update(this.ghostList);
    this.discs.commit();
    if (this.following.value && this.lead?.ready) this.followLead(dt);
    this.uniforms.focus.value.copy(this.rig.target);
    const distance = this.rig.camera.position.distanceTo(this.rig.target);
    this.uniforms.fadeStart.value = Math.max(4, distance * 1.1);
    this.uniforms.fadeEnd.value = Math.max(14, distance * 4);
    this.renderer.render(this.scene, this.rig.camera);
    this.overlay.place(this.rig.camera, this.element.clientWidth, this.element.clientHeight);
    this.frameListeners.forEach((listener) => listener());
  }

  /** Half-life of about a tenth of a second while playing; at once on a jump or when motion is unwanted. */
  private followLead(dt: number): void {
    const [x, , z] = this.lead!.root;
    const at: Vec = this.together ? this.middle() : [x, this.lead!.eyeLine, z];
    const far = Math.hypot(at[0] - this.rig.target.x, at[2] - this.rig.target.z) > 3;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.rig.followTo(at, dt === 0 || far || still ? 1 : 1 - Math.exp(-dt * 7));
  }

  /** Of all who are there, at the height one looks at them. */
  private middle(): Vec {
    const all = [...this.actors].filter((actor) => actor.ready && actor.visible && !actor.options.hidden);
    const mean = (axis: 0 | 2) => all.reduce((sum, actor) => sum + actor.root[axis], 0) / Math.max(1, all.length);
    return [mean(0), Math.max(0, ...all.map((actor) => actor.eyeLine)), mean(2)];
  }

  private labelActor(actor: Actor): void {
    const key = `actor-${this.idOf(actor)}`;
    if (!actor.options.label || !actor.ready || !actor.visible) return this.overlay.remove(key);
    const [x, y, z] = actor.root;
    this.overlay.set(key, actor.options.label, [x, y + 0.84, z], {
      above: true,
      ...(actor.options.colour ? { colour: actor.options.colour } : {}),
    });
  }

  private readonly ids = new WeakMap<Actor, number>();
  private nextId = 1;
  private idOf(actor: Actor): number {
    let id = this.ids.get(actor);
    if (id === undefined) this.ids.set(actor, (id = this.nextId++));
    return id;
  }

  private readonly sky = new HemisphereLight();
  private readonly key = new DirectionalLight();

  /** A mesh is lit as all else is, whose light is in its shaders: there a surface gives back all it gets, here a part in π. */
  private showMesh(actor: Actor): void {
    const { mesh } = actor.options;
    if (!mesh) return;
    mesh.castShadow(this.uniforms);
    this.sky.intensity = this.key.intensity = Math.PI;
    this.key.position.copy(this.uniforms.keyDirection.value);
    this.scene.add(mesh.group, this.sky, this.key);
    this.setTheme(this.theme);
  }

  private measureClock(): void {
    const ends = [...this.actors].map((actor) => actor.endsAt);
    this.clock.setMotion(ends.length > 0 ? Math.max(...ends) : 0, this.lead?.source.header.rate_hz ?? 30);
    this.invalidate();
  }

  private setTheme(theme: Theme): void {
    this.theme = theme;
    const palette = paletteOf(theme, this.style.value === "points");
    applyPalette(palette, this.uniforms);
    this.scene.background = new Color(palette.back);
    this.sky.color.set(palette.sky);
    this.sky.groundColor.set(palette.ground);
    this.key.color.set(palette.key);
    for (const { options } of this.actors)
      options.mesh?.setTheme(this.uniforms.floorColour.value, this.uniforms.shadowColour.value);
    this.floor.setTextColour(palette.text);
    this.solid.shadowsVisible = this.style.value !== "points";
    this.element.classList.toggle("darkroom", this.style.value === "points");
    this.invalidate();
  }

  /** Takes the size that the page gives it; by itself whenever that changes. */
  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_PIXEL_RATIO) * this.sharpness);
    this.renderer.setSize(width, height);
    this.viewport.set(width, height);
    this.rig.resize(width, height);
    // Drawn at once: waiting for the next frame would flash an empty canvas.
    if (!this.lost) this.render(0);
  }

  private setSharpness(scale: number): void {
    if (scale === this.sharpness) return;
    this.sharpness = scale;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_PIXEL_RATIO) * scale);
  }

  private restored(): void {
    this.lost = false;
    this.resize();
    this.invalidate();
  }
}
