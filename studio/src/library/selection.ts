/** Which clips are selected: several at once, by click, by key, all. */
import { Signal } from "../ui/signal";

export class Selection {
  readonly ids = new Signal<ReadonlySet<string>>(new Set());
  private anchor: string | null = null;

  has(id: string): boolean {
    return this.ids.value.has(id);
  }

  clear(): void {
    if (this.ids.value.size > 0) this.ids.value = new Set();
    this.anchor = null;
  }

  /** Where a range begins that is asked for next. */
  startAt(id: string): void {
    this.anchor = id;
  }

  toggle(id: string): void {
    const next = new Set(this.ids.value);
    if (!next.delete(id)) next.add(id);
    this.anchor = id;
    this.ids.value = next;
  }

  /** From where the last one was chosen to this one, in the order they are listed. */
  extendTo(id: string, order: readonly string[]): void {
    const from = this.anchor === null ? -1 : order.indexOf(this.anchor);
    const to = order.indexOf(id);
    if (to < 0) return;
    const [a, b] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
    this.ids.value = new Set([...this.ids.value, ...order.slice(a, b + 1)]);
    if (from < 0) this.anchor = id;
  }

  all(order: readonly string[]): void {
    this.ids.value = new Set(order);
  }

  /** Clips that are gone are not selected any more. */
  keep(known: ReadonlySet<string>): void {
    const next = [...this.ids.value].filter((id) => known.has(id));
    if (next.length < this.ids.value.size) this.ids.value = new Set(next);
  }
}
