/** Hands and feet that can be taken and dragged, in the room: the others follow when one lets go. */
import { Plane, Raycaster, Vector2, Vector3 } from "three";
import type { Actor, Stage } from "../stage";
import { pointAt, type Vec } from "../stage/vec";

/** Pixels around a handle that take it. */
const NEAR_PX = 18;

export interface Handle {
  role: string;
  /** Of the actor's points. */
  joint: number;
}

export class HandDrag {
  private actor: Actor | null = null;
  private handles: readonly Handle[] = [];
  private held: { handle: Handle; pointer: number; plane: Plane; at: Vector3 } | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly onDrop: (role: string, at_s: number, place: [number, number, number]) => void,
  ) {
    const { element } = stage;
    // Before the camera's own: a hand that is taken does not turn the room.
    element.addEventListener("pointerdown", (event) => this.take(event), { capture: true });
    element.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    element.addEventListener("pointerup", (event) => this.drop(event, true), { capture: true });
    element.addEventListener("pointercancel", (event) => this.drop(event, false), { capture: true });
  }

  /** Which joints of whom; nobody's where null. */
  set(actor: Actor | null, handles: readonly Handle[]): void {
    this.actor = actor;
    this.handles = handles;
    this.held = null;
    if (actor) actor.options = { ...actor.options, handles: handles.map((one) => one.joint) };
    this.stage.invalidate();
  }

  private pointer(event: PointerEvent): Vector2 {
    const box = this.stage.canvas.getBoundingClientRect();
    return new Vector2(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
  }

  private place(handle: Handle): Vector3 {
    return new Vector3(...pointAt(this.actor!.pose.points, handle.joint));
  }

  /** The handle under the pointer. */
  private under(event: PointerEvent): Handle | null {
    if (!this.actor?.ready) return null;
    const box = this.stage.canvas.getBoundingClientRect();
    const { camera } = this.stage.rig;
    let best: { handle: Handle; px: number } | null = null;
    for (const handle of this.handles) {
      const at = this.place(handle).project(camera);
      if (at.z > 1) continue;
      const px = Math.hypot(
        ((at.x + 1) / 2) * box.width + box.left - event.clientX,
        ((1 - at.y) / 2) * box.height + box.top - event.clientY,
      );
      if (px < NEAR_PX && (!best || px < best.px)) best = { handle, px };
    }
    return best?.handle ?? null;
  }

  private take(event: PointerEvent): void {
    if (event.button !== 0) return;
    const handle = this.under(event);
    if (!handle) return;
    event.stopPropagation();
    event.preventDefault();
    this.stage.clock.pause();
    const at = this.place(handle);
    const facing = this.stage.rig.camera.getWorldDirection(new Vector3());
    this.held = {
      handle,
      pointer: event.pointerId,
      plane: new Plane().setFromNormalAndCoplanarPoint(facing, at),
      at: at.clone(),
    };
    this.stage.element.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    const { held } = this;
    if (!held) {
      this.stage.canvas.style.cursor = this.under(event) ? "move" : "";
      return;
    }
    if (event.pointerId !== held.pointer || !this.actor) return;
    event.stopPropagation();
    const ray = new Raycaster();
    ray.setFromCamera(this.pointer(event), this.stage.rig.camera);
    if (!ray.ray.intersectPlane(held.plane, held.at)) return;
    const pulled: Vec = [held.at.x, held.at.y, held.at.z];
    this.actor.options = { ...this.actor.options, pulled: { joint: held.handle.joint, to: pulled } };
    this.stage.invalidate();
  }

  private drop(event: PointerEvent, done: boolean): void {
    const { held, actor } = this;
    if (!held || !actor || event.pointerId !== held.pointer) return;
    event.stopPropagation();
    this.held = null;
    const { pulled, ...rest } = actor.options;
    actor.options = rest;
    this.stage.invalidate();
    if (!done || !pulled) return;
    const { place } = actor.options;
    const { floor_m } = actor.source.header;
    this.onDrop(held.handle.role, this.stage.clock.time, [
      held.at.x - (place?.x ?? 0),
      held.at.y + floor_m,
      held.at.z - (place?.z ?? 0),
    ]);
  }
}
