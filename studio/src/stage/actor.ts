/** A character on the stage: a motion, a look, a place in time. */
import { pushBody, type BodyPaint } from "./body";
import type { Discs } from "./discs";
import {
  bonesOf,
  lightJoints,
  middleOf,
  pushAnySolid,
  pushDots,
  pushLights,
  pushStick,
  type Bones,
  type StickPaint,
} from "./figures";
import type { MeshFigure } from "./mesh-figure";
import type { MotionSource } from "./motion-source";
import { rgb, type Palette } from "./palette";
import { emptyPose, type Pose } from "./pose";
import { measure, measureAny, type Proportions } from "./proportions";
import { findRoles, type HumanRoles } from "./roles";
import type { Rgb, TubeList } from "./tube-list";
import { pointAt, type Vec } from "./vec";

export type CharacterStyle = "solid" | "stick" | "points";

export interface ActorOptions {
  /** A colour of its own; without one the character has the theme's. */
  colour?: string;
  /** Under 1: a ghost. */
  opacity?: number;
  /** Without one: the stage's. */
  style?: CharacterStyle;
  /** Words over the head. */
  label?: string;
  /** Seconds of the stage's clock at which this motion starts. */
  startsAt?: number;
  /** Not there before its motion starts, nor after it ends. */
  comesAndGoes?: boolean;
  /** A colour per joint, drawn as a stick figure: who has which role. */
  joints?: readonly string[];
  /** Its own mesh in place of the solid figure, at the same time and place. */
  mesh?: MeshFigure;
  /** Joints that can be taken and dragged. */
  handles?: readonly number[];
  /** One of them on its way. */
  pulled?: { joint: number; to: Vec };
  /** Not drawn: another stands in for it. */
  hidden?: boolean;
  /** No body: points in these colours, markers or sensors. */
  dots?: readonly string[];
  /** Draw discs under planted feet; on unless it is a ghost. */
  contacts?: boolean;
  /** Contact bits at a time of this motion, instead of the ones that came with it: an editor shows its own. */
  plantedAt?: (seconds: number) => number;
  place?: Place;
}

/** Where a motion is on the floor: drawn `scale` times as large and turned by `heading_rad` about the origin first. */
export interface Place {
  x: number;
  z: number;
  heading_rad: number;
  scale?: number;
}

export class Actor {
  readonly pose: Pose;
  /** Whether it is there at the time it was last asked for. */
  visible = true;
  /** False while the frames under the cursor are on their way. */
  ready = false;
  /** Seconds of its own motion. */
  private time = 0;
  private readonly roles: HumanRoles | null;
  private readonly bones: Bones;
  private readonly lights: readonly number[];
  private size: Proportions | null = null;
  private anySize = 1;

  constructor(
    readonly source: MotionSource,
    public options: ActorOptions,
  ) {
    const { joints, parents } = source.header;
    this.pose = emptyPose(joints.length);
    this.roles = options.dots ? null : findRoles(joints, parents);
    this.bones = bonesOf(joints, parents);
    this.lights = lightJoints(this.roles, joints.length);
  }

  get endsAt(): number {
    return (this.options.startsAt ?? 0) + this.source.seconds;
  }

  /** Height at which a camera looks at it: about the navel of a standing person. */
  get eyeLine(): number {
    return 0.85 * (this.size?.scale ?? this.anySize);
  }

  get isGhost(): boolean {
    return (this.options.opacity ?? 1) < 1;
  }

  /** Root on the floor plan, with the height of the hips. */
  get root(): Vec {
    if (this.options.dots) return this.lastMiddle();
    return pointAt(this.pose.points, Math.max(0, this.source.header.parents.indexOf(-1)));
  }

  private middle: Vec = [0, 0, 0];

  /** Of markers; where none is seen it stays where it was. */
  private lastMiddle(): Vec {
    const now = middleOf(this.pose);
    if (!Number.isNaN(now[0])) this.middle = now;
    return this.middle;
  }

  /** Takes the pose of the stage's time; false when its frames are missing (the last pose stays). */
  update(time: number): boolean {
    this.visible = !this.options.comesAndGoes || ((this.options.startsAt ?? 0) <= time && time <= this.endsAt);
    const own = Math.min(Math.max(0, time - (this.options.startsAt ?? 0)), this.source.seconds);
    this.source.want(own);
    this.time = own;
    const here = this.source.sample(own, this.pose);
    if (here) {
      if (this.options.plantedAt) this.pose.contacts = this.options.plantedAt(own);
      if (this.options.place) movePose(this.pose, this.options.place);
      if (!this.ready) this.measure();
    }
    this.ready ||= here;
    return here;
  }

  draw(list: TubeList, discs: Discs, style: CharacterStyle, palette: Palette, withDiscs: boolean): void {
    this.poseMesh(style);
    if (!this.ready || !this.visible || this.options.hidden) return;
    const opacity = this.options.opacity ?? 1;
    if (this.options.dots) return pushDots(list, this.pose, this.tintsOf(this.options.dots), opacity);
    const tints = this.options.joints ? this.tintsOf(this.options.joints) : null;
    const look = tints ? "stick" : (this.options.style ?? style);
    const own = this.options.colour ? rgb(this.options.colour) : null;
    const k = this.size?.scale ?? this.anySize;
    if (look === "points") pushLights(list, this.lights, k, this.pose, own ?? [1, 1, 1], opacity);
    else if (look === "stick")
      pushStick(list, this.bones, this.roles, k, this.pose, stickPaint(palette, own, opacity), tints);
    else if (!this.options.mesh) {
      if (this.roles && this.size) pushBody(list, this.roles, this.size, this.pose, bodyPaint(palette, own, opacity));
      else pushAnySolid(list, this.bones, k, this.pose, own ?? rgb(palette.body), opacity);
    }
    this.drawHandles(list, k, rgb(palette.contact));
    if (withDiscs && (this.options.contacts ?? !this.isGhost)) this.drawContacts(discs, k, own ?? rgb(palette.contact));
  }

  /** The mesh goes where the pose is. */
  private poseMesh(style: CharacterStyle): void {
    const { mesh, place, joints } = this.options;
    if (!mesh) return;
    const look = this.options.style ?? style;
    mesh.group.visible = this.ready && this.visible && !this.options.hidden && (look === "solid" || !!joints);
    if (!mesh.group.visible) return;
    mesh.setTime(this.time);
    mesh.setGlass(!!joints);
    const scale = place?.scale ?? 1;
    mesh.group.position.set(place?.x ?? 0, -this.source.header.floor_m * scale, place?.z ?? 0);
    mesh.group.scale.setScalar(scale);
    mesh.group.rotation.y = place?.heading_rad ?? 0;
  }

  private drawHandles(list: TubeList, k: number, colour: Rgb): void {
    const { handles, pulled } = this.options;
    for (const joint of handles ?? []) list.ball(pointAt(this.pose.points, joint), 0.05 * k, colour, 1, 0.5);
    if (!pulled) return;
    const bar = 0.008 * k;
    list.limb(pointAt(this.pose.points, pulled.joint), pulled.to, [bar, bar, bar, bar], [0.3, 0.2, 0.93], colour);
    list.ball(pulled.to, 0.06 * k, colour, 1, 0.5);
  }

  private tints: { of: readonly string[]; made: readonly Rgb[] } | null = null;

  /** Colours are read once: there are dozens, in every frame. */
  private tintsOf(dots: readonly string[]): readonly Rgb[] {
    if (this.tints?.of !== dots) this.tints = { of: dots, made: dots.map(rgb) };
    return this.tints.made;
  }

  private drawContacts(discs: Discs, k: number, colour: Rgb): void {
    this.source.header.contacts.forEach((contact, bit) => {
      if ((this.pose.contacts & (1 << bit)) === 0) return;
      const at = pointAt(this.pose.points, contact.joint);
      discs.push(at[0], at[2], 0.085 * k, colour, 0.95, bit * 0.0002);
    });
  }

  private measure(): void {
    this.size = this.roles ? measure(this.roles, this.pose) : null;
    this.anySize = measureAny(this.pose);
  }
}

function movePose(pose: Pose, { x, z, heading_rad, scale = 1 }: Place): void {
  const c = scale * Math.cos(heading_rad);
  const s = scale * Math.sin(heading_rad);
  const { points } = pose;
  for (let k = 0; k < points.length; k += 3) {
    const px = points[k]!;
    const pz = points[k + 2]!;
    points[k] = c * px + s * pz + x;
    points[k + 1]! *= scale;
    points[k + 2] = -s * px + c * pz + z;
  }
}

const tone = (colour: Rgb, k: number): Rgb => [colour[0] * k, colour[1] * k, colour[2] * k];
const blend = (a: Rgb, b: Rgb, t: number): Rgb => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];

function bodyPaint(palette: Palette, own: Rgb | null, opacity: number): BodyPaint {
  const skin = rgb(palette.body);
  if (own)
    return { skin: blend(own, [1, 1, 1], 0.35), cloth: own, legs: tone(own, 0.72), shoes: tone(own, 0.4), opacity };
  return { skin, cloth: rgb(palette.cloth), legs: rgb(palette.legs), shoes: rgb(palette.shoes), opacity };
}

function stickPaint(palette: Palette, own: Rgb | null, opacity: number): StickPaint {
  if (own) return { middle: own, left: blend(own, [1, 1, 1], 0.3), right: tone(own, 0.7), opacity };
  return { middle: rgb(palette.body), left: rgb(palette.left), right: rgb(palette.right), opacity };
}
