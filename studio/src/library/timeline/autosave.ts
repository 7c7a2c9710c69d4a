/** Saves a while after the last edit, one request at a time, and notices when somebody else saved in between. */
import { ApiError, messageOf } from "../../api/error";

export type SaveState =
  | { kind: "saved" }
  | { kind: "waiting" }
  | { kind: "saving" }
  | { kind: "failed"; message: string }
  | { kind: "conflict" };

export interface AutosaveOptions<T> {
  /** Writes the value on top of `revision`; gives the new revision. */
  save: (value: T, revision: number) => Promise<{ revision: number }>;
  onState: (state: SaveState) => void;
  delay_ms?: number;
}

export class Autosave<T> {
  state: SaveState = { kind: "saved" };
  private pending: { value: T } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: Promise<void> | null = null;

  constructor(
    private readonly options: AutosaveOptions<T>,
    public revision: number,
  ) {}

  /** True when nothing would be lost by loading from the server. */
  get clean(): boolean {
    return this.pending === null && this.running === null;
  }

  change(value: T): void {
    this.pending = { value };
    // A conflict waits for a person's decision; later edits are kept until then.
    if (this.state.kind === "conflict") return;
    this.set({ kind: "waiting" });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), this.options.delay_ms ?? 600);
  }

  /** Saves now what is waiting; resolves when nothing is on its way any more. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    if (this.running) await this.running;
    if (!this.pending || this.state.kind === "conflict") return;
    this.running = this.send(this.pending.value);
    await this.running;
  }

  /** After a conflict: write ours over theirs. */
  async keepMine(theirRevision: number): Promise<void> {
    this.revision = theirRevision;
    this.state = { kind: "waiting" };
    await this.flush();
  }

  /** After a conflict: ours is given up; the caller shows theirs. */
  takeTheirs(theirRevision: number): void {
    this.revision = theirRevision;
    this.pending = null;
    this.set({ kind: "saved" });
  }

  private async send(value: T): Promise<void> {
    const sent = this.pending;
    this.set({ kind: "saving" });
    try {
      this.revision = (await this.options.save(value, this.revision)).revision;
      // An edit made during the request is still to be saved.
      if (this.pending === sent) this.pending = null;
      this.running = null;
      if (this.pending) this.change(this.pending.value);
      else this.set({ kind: "saved" });
    } catch (error) {
      this.running = null;
      if (error instanceof ApiError && error.status === 409) this.set({ kind: "conflict" });
      else this.set({ kind: "failed", message: messageOf(error) });
    }
  }

  private set(state: SaveState): void {
    this.state = state;
    this.options.onState(state);
  }
}
