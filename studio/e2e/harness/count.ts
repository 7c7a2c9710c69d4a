/** What a person does for a task, counted: every press of the mouse, every stroke, key, word and drop, and the seconds from the first on. */
import { expect } from "vitest";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { stroke, takeInHand } from "./acts";

export interface Tally {
  readonly clicks: number;
  readonly drags: number;
  /** Keys pressed by themselves; those of words are not among them. */
  readonly keys: number;
  /** Words and numbers typed. */
  readonly words: number;
  readonly drops: number;
  readonly seconds: number;
}

export class Count {
  readonly acts: string[] = [];
  private clicks = 0;
  private drags = 0;
  private keys = 0;
  private words = 0;
  private letters = 0;
  private drops = 0;
  /** Choices in a list that the browser opens itself: two clicks each, which the page does not hear. */
  private choices = 0;
  private begun: number | null = null;
  private ended: number | null = null;
  /** What the pages of this browser heard of mouse and keyboard. */
  private readonly heard = { presses: 0, keys: 0 };

  private constructor(private page: Page) {}

  /** To be made before the page is opened: the page itself counts along. */
  static async on(context: BrowserContext, page: Page): Promise<Count> {
    const count = new Count(page);
    await context.exposeFunction("countedPress", () => void (count.heard.presses += 1));
    await context.exposeFunction("countedKey", () => void (count.heard.keys += 1));
    await context.addInitScript(() => {
      const told = window as unknown as { countedPress(): void; countedKey(): void };
      // Not while capturing: a press that lands on something else than it was meant for is taken back before it gets here.
      addEventListener("pointerdown", (event) => event.isTrusted && told.countedPress());
      addEventListener("keydown", (event) => event.isTrusted && told.countedKey(), true);
    });
    return count;
  }

  /** The clock runs from the first act: what is on the page then is given. */
  private act(what: string): void {
    if (this.begun === null) {
      this.begun = performance.now();
      this.heard.presses = this.heard.keys = 0;
    }
    this.acts.push(what);
  }

  async click(element: Locator, what: string, keys: ("Control" | "Shift")[] = []): Promise<void> {
    // What a person waits for is part of the time, not of the act.
    await element.waitFor();
    this.act(keys.length > 0 ? `${keys.join(" ")} and click ${what}` : `click ${what}`);
    this.clicks += 1;
    this.keys += keys.length;
    await element.click({ modifiers: keys });
  }

  /** At a place of an element, as shares of its box. */
  async clickAt(element: Locator, place: readonly [number, number], what: string): Promise<void> {
    this.act(`click ${what}`);
    this.clicks += 1;
    await stroke(this.page, element, [place]);
  }

  async drag(element: Locator, places: readonly (readonly [number, number])[], what: string): Promise<void> {
    this.act(`drag ${what}`);
    this.drags += 1;
    await stroke(this.page, element, places);
  }

  async key(name: string): Promise<void> {
    this.act(`press ${name}`);
    this.keys += 1;
    this.letters += name.split("+").length;
    await this.page.keyboard.press(name);
  }

  /** Into whatever has the focus. */
  async type(text: string): Promise<void> {
    this.act(`type “${text}”`);
    this.words += text.split(/\s+/).length;
    this.letters += text.length;
    await this.page.keyboard.type(text);
  }

  /** A field is clicked, what it holds is selected and written over. */
  async write(field: Locator, text: string, what: string): Promise<void> {
    await this.click(field, what);
    await this.key("Control+a");
    await this.type(text);
  }

  /** From a list that opens: one click opens it, one chooses. */
  async choose(list: Locator, option: { label: string } | { value: string }, what: string): Promise<void> {
    this.act(`choose ${what}`);
    this.clicks += 2;
    this.choices += 1;
    await list.selectOption(option);
  }

  async drop(files: readonly string[]): Promise<void> {
    const letGo = await takeInHand(this.page, files);
    this.act(`drop ${files.length} files`);
    this.drops += 1;
    await letGo();
  }

  /** The end state is there. */
  done(): void {
    this.ended ??= performance.now();
  }

  /** What was counted; fails where the page heard of something that was not. */
  async tally(): Promise<Tally> {
    if (this.begun === null || this.ended === null) throw new Error("the task was not begun, or not ended");
    // Bindings are called behind the acts: one round trip, and all have arrived.
    await this.page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => done())));
    const { presses, keys } = this.heard;
    const pressed = this.clicks - 2 * this.choices + this.drags;
    expect({ presses, keys }, "what the page heard, and what was counted").toEqual({
      presses: pressed,
      keys: this.letters + this.modifiers(),
    });
    const { clicks, drags, drops, words } = this;
    return { clicks, drags, keys: this.keys, words, drops, seconds: (this.ended - this.begun) / 1000 };
  }

  private modifiers(): number {
    return this.acts.filter((act) => /^(Control|Shift)( Shift)? and click/.test(act)).length;
  }
}

/** A tally in words: nothing is said of what was not needed. */
export function tallyWords({ clicks, drags, keys, words, drops, seconds }: Tally): string {
  const part = (n: number, one: string) => (n === 0 ? [] : [`${n} ${n === 1 ? one : `${one}s`}`]);
  return [
    ...part(drops, "drop"),
    ...part(clicks, "click"),
    ...part(drags, "drag"),
    ...part(words, "word"),
    ...part(keys, "key"),
    `${seconds.toFixed(1)} s`,
  ].join(", ");
}
