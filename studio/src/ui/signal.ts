/** A value that tells when it changes. */
export class Signal<T> {
  private readonly listeners = new Set<(value: T) => void>();
  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set value(next: T) {
    if (Object.is(next, this.current)) return;
    this.current = next;
    [...this.listeners].forEach((listener) => listener(next));
  }

  /** Sets without telling: another signal that is set right after tells the same listeners. */
  preset(next: T): void {
    this.current = next;
  }

  /** Calls `listener` on every later change; the returned function stops that. */
  listen(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** As `listen`, and once at once. */
  follow(listener: (value: T) => void): () => void {
    listener(this.current);
    return this.listen(listener);
  }
}

/** Collects the functions that stop things, for a view's `dispose`. */
export class Disposer {
  private readonly stops: (() => void)[] = [];
  add(...stops: (() => void)[]): void {
    this.stops.push(...stops);
  }
  dispose(): void {
    for (const stop of this.stops.splice(0).reverse()) stop();
  }
}
