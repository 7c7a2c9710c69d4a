/** A film of the 3D view. */
import { record, saveBlob, type Stage } from "../stage";
import { toast, toastError } from "../ui/toast";

/** From the first frame to the last, once; nothing is saved of a film that is stopped. */
export async function filmed(
  stage: Stage,
  name: string,
  onPart: (part: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = stage;
  const looped = clock.loop;
  clock.setLoop(false);
  clock.seek(0);
  stage.filming = true;
  stage.drawNow();
  const recording = record(stage);
  const stopAtEnd = clock.listen(() => {
    onPart(clock.duration > 0 ? clock.time / clock.duration : 0);
    if (!clock.playing && clock.time >= clock.duration - 1e-3) recording.stop();
  });
  signal.addEventListener("abort", () => (clock.pause(), recording.stop()));
  clock.play();
  try {
    const film = await recording.done;
    if (signal.aborted) return void toast("The film was stopped; nothing is saved.");
    saveBlob(film, `${name}.webm`);
    toast("The film is saved.", { kind: "done" });
  } catch (error) {
    if (!signal.aborted) toastError(error, "The film was not made");
  } finally {
    stopAtEnd();
    stage.filming = false;
    clock.setLoop(looped);
  }
}
