/** What lies and stands on the floor beside the characters: lines, discs, obstacles, and words in the room. */
import { type Group, type Scene, type Vector2 } from "three";
import type { Obstacle, Point } from "../api/types";
import type { Discs } from "./discs";
import { disposeGroup, obstacleGroup } from "./obstacles";
import type { Overlay } from "./overlay";
import { rgb } from "./palette";
import { Ribbon, type PathStyle } from "./ribbon";

export interface MarkerStyle {
  colour: string;
  /** Metres. */
  radius?: number;
  label?: string;
}

export class Scenery {
  private readonly paths = new Map<string, Ribbon>();
  private readonly markers = new Map<string, { at: Point; style: MarkerStyle }>();
  private obstacles: Group | null = null;

  constructor(
    private readonly scene: Scene,
    private readonly overlay: Overlay,
    private readonly viewport: Vector2,
    private readonly onChange: () => void,
  ) {}

  /** The lines, for whoever wants to have them in sight. */
  get lines(): Iterable<Ribbon> {
    return this.paths.values();
  }

  /** A line on the floor; the same key replaces it. */
  setPath(key: string, points: readonly Point[], style: PathStyle): void {
    this.removePath(key);
    if (points.length < 2) return;
    const ribbon = new Ribbon(points, style, this.viewport);
    this.paths.set(key, ribbon);
    this.scene.add(ribbon.mesh);
    this.onChange();
  }

  removePath(key: string): void {
    const ribbon = this.paths.get(key);
    if (!ribbon) return;
    this.scene.remove(ribbon.mesh);
    ribbon.dispose();
    this.paths.delete(key);
    this.onChange();
  }

  /** A disc on the floor, with words when it has any. */
  setMarker(key: string, at: Point, style: MarkerStyle): void {
    this.markers.set(key, { at, style });
    if (style.label)
      this.overlay.set(`marker-${key}`, style.label, [at[0], 0.08, at[1]], { colour: style.colour, above: true });
    else this.overlay.remove(`marker-${key}`);
    this.onChange();
  }

  removeMarker(key: string): void {
    this.markers.delete(key);
    this.overlay.remove(`marker-${key}`);
    this.onChange();
  }

  setObstacles(list: readonly Obstacle[], colour = "#c0453c"): void {
    if (this.obstacles) {
      this.scene.remove(this.obstacles);
      disposeGroup(this.obstacles);
      this.obstacles = null;
    }
    if (list.length > 0) this.scene.add((this.obstacles = obstacleGroup(list, colour)));
    this.onChange();
  }

  clear(): void {
    for (const key of [...this.paths.keys()]) this.removePath(key);
    for (const key of [...this.markers.keys()]) this.removeMarker(key);
    this.setObstacles([]);
  }

  /** Markers among the discs under feet: one draw call for all. */
  draw(discs: Discs): void {
    for (const { at, style } of this.markers.values())
      discs.push(at[0], at[1], style.radius ?? 0.09, rgb(style.colour), 1, 0.002);
  }
}
