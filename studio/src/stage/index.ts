export { Stage } from "./stage";
export { Actor } from "./actor";
export { PlaybackClock } from "./clock";
export { streamMotion, wholeMotion, type MotionSource } from "./motion-source";
export { transport, playerKey } from "./transport";
export { scrubBar } from "./scrub";
export { record, canRecord, saveBlob } from "./record";
export { ACTOR_COLOURS } from "./palette";
export { rootWay, speedCurve } from "./curves";
