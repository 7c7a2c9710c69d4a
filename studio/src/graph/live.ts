/**
 * Asks again and again while a slider moves: one question is under way at a time, and when its answer is there the
 * newest numbers go next. The server drops superseded questions too; this keeps the wire free of them.
 */

export interface Numbered {
  readonly seq: number;
}

/** Sends one question; answers come back through `LiveQuery.answered`. Returns false while there is no connection. */
export type Send<Q> = (seq: number, question: Q) => boolean;

export class LiveQuery<Q, A extends Numbered> {
  private seq = 0;
  private underWay: number | null = null;
  private waiting: Q | null = null;
  private sentAt = 0;

  constructor(
    private readonly send: Send<Q>,
    private readonly onAnswer: (answer: A, roundTripMs: number) => void,
    private readonly now: () => number = () => performance.now(),
    /** A question without an answer for this long is given up: a connection may have been lost. */
    private readonly patienceMs = 3000,
  ) {}

  get busy(): boolean {
    return this.underWay !== null;
  }

  ask(question: Q): void {
    const stale = this.underWay !== null && this.now() - this.sentAt > this.patienceMs;
    if (this.underWay !== null && !stale) {
      this.waiting = question;
      return;
    }
    this.seq += 1;
    this.waiting = null;
    this.underWay = this.send(this.seq, question) ? this.seq : null;
    if (this.underWay === null) this.waiting = question;
    else this.sentAt = this.now();
  }

  answered(answer: A): void {
    if (answer.seq !== this.underWay) return;
    this.underWay = null;
    this.onAnswer(answer, this.now() - this.sentAt);
    if (this.waiting !== null) this.ask(this.waiting);
  }

  /** The connection is back: what was under way is lost, so the newest question goes again. */
  reconnected(newest: Q | null): void {
    this.underWay = null;
    const question = this.waiting ?? newest;
    if (question !== null) this.ask(question);
  }
}
