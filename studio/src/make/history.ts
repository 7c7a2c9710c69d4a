/** Undo and redo over immutable states. Changes with one key that follow one another count as one (a drag). */
export class History<T> {
  private past: T[] = [];
  private future: T[] = [];
  private lastKey: string | null = null;

  constructor(
    private current: T,
    private readonly most = 200,
  ) {}

  get state(): T {
    return this.current;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** A new state; with the key of the change before, it takes that one's place. */
  push(state: T, key: string | null = null): void {
    if (state === this.current) return;
    if (key === null || key !== this.lastKey) {
      this.past.push(this.current);
      if (this.past.length > this.most) this.past.shift();
    }
    this.current = state;
    this.future = [];
    this.lastKey = key;
  }

  /** The next change starts an entry of its own, whatever its key. */
  seal(): void {
    this.lastKey = null;
  }

  undo(): boolean {
    const before = this.past.pop();
    if (before === undefined) return false;
    this.future.push(this.current);
    this.current = before;
    this.lastKey = null;
    return true;
  }

  redo(): boolean {
    const after = this.future.pop();
    if (after === undefined) return false;
    this.past.push(this.current);
    this.current = after;
    this.lastKey = null;
    return true;
  }
}
