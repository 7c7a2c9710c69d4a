/** All files of one drop that were not added, in one card: each with its reason, and only what can help to press. */
import { ApiError, messageOf } from "../api/error";
import type { BadFile, ReadFormat } from "../api/types";
import { button, iconButton, select } from "../ui/controls";
import { sentences } from "../ui/format";
import { h, replaceChildren } from "../ui/h";
import { icon } from "../ui/icons";
import { FORMATS } from "./formats";

/** What could help: sending it again, its skeleton, its format. Nothing does where the file itself is wrong. */
export type Cure = "again" | "skeleton" | "format" | null;

export interface Trouble {
  name: string;
  message: string;
  hint: string | null;
  cure: Cure;
  /** What to send again, where something helps. */
  files: readonly File[];
}

/** Away, too slow, too busy, at fault itself: another time it may work. */
const PASSING: ReadonlySet<string> = new Set(["unreachable", "too-slow", "busy", "internal"]);

export function cureOf(code: string, message: string): Cure {
  if (PASSING.has(code)) return "again";
  if (/no ASF/.test(message)) return "skeleton";
  return /: no format we read$/.test(message) ? "format" : null;
}

/** A file that the server does not want, among those it was sent with. */
export function troubleOf({ file, error }: BadFile, sent: readonly File[]): Trouble {
  const cure = cureOf(error.code, error.message);
  const own = sent.filter((f) => keptAs(f.name) === keptAs(file));
  const beside = cure === "format" ? [] : sent.filter(isBeside);
  return {
    name: file,
    message: error.message,
    hint: error.hint,
    cure,
    files: own.length > 0 ? [...own, ...beside] : sent,
  };
}

/** Files that did not get to the server, or all of which it did not want. */
export function troublesOf(error: unknown, sent: readonly File[]): Trouble[] {
  const known = error instanceof ApiError ? error : null;
  const message = known ? known.message : messageOf(error);
  const cure = known ? cureOf(known.code, message) : null;
  const motions = sent.filter((file) => !isBeside(file));
  const beside = sent.filter(isBeside);
  return (motions.length > 0 ? motions : sent).map((file) => ({
    name: file.name,
    message,
    hint: known?.hint ?? null,
    cure,
    files: isBeside(file) ? sent : [file, ...beside],
  }));
}

/** A skeleton or a buffer: no motion of its own. */
export function isBeside(file: File): boolean {
  return /\.(asf|bin)$/i.test(file.name);
}

/** The server keeps files under names in plain letters: two names that it takes for one. */
function keptAs(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}-]+/gu, "_");
}

/** One file's line: its name first, once. */
export function line(trouble: Trouble): string {
  const words = sentences(trouble.message, trouble.cure === "format" ? null : trouble.hint);
  return words.startsWith(trouble.name) ? words : `${trouble.name}: ${words}`;
}

export interface CardActions {
  /** Sends files anew; `format` is what they are said to be. */
  send(files: readonly File[], format?: ReadFormat): void;
  chooseSkeleton(take: (files: readonly File[]) => void): void;
}

/** The card of one drop; it is on the page while there is something to tell. */
export class BadFiles {
  readonly element = h("div.upload.notice.bad", { role: "alert" });
  private troubles: Trouble[] = [];

  constructor(
    private readonly host: HTMLElement,
    private readonly actions: CardActions,
  ) {}

  add(troubles: readonly Trouble[]): void {
    if (troubles.length === 0) return;
    this.troubles.push(...troubles);
    this.show();
    if (!this.element.isConnected) this.host.append(this.element);
  }

  private show(): void {
    const { troubles } = this;
    if (troubles.length === 0) return this.element.remove();
    const of = (cure: Cure) => troubles.filter((trouble) => trouble.cure === cure);
    const [again, skeleton, format] = [of("again"), of("skeleton"), of("format")];
    let chosen: ReadFormat = "bvh";
    const some = (part: readonly Trouble[]) => part.length < troubles.length;
    const label = (text: string, part: readonly Trouble[]) => (some(part) ? `${text} (${part.length})` : text);
    replaceChildren(
      this.element,
      icon("warning"),
      h(
        "div.upload-error",
        null,
        h(
          "strong",
          null,
          troubles.length === 1 ? `${troubles[0]!.name} was not added` : `${troubles.length} files were not added`,
        ),
        h(
          "ul",
          // A list that scrolls is reached by the keyboard.
          { tabIndex: 0, "aria-label": "Files that were not added" },
          troubles.map((trouble) => h("li", null, line(trouble))),
        ),
        again.length > 0 &&
          h(
            "div.row",
            null,
            button({ label: label("Try again", again), kind: "quiet", onClick: () => this.resend(again) }),
          ),
        skeleton.length > 0 &&
          h(
            "div.row",
            null,
            button({
              label: "Choose its skeleton (ASF)…",
              kind: "primary",
              onClick: () => this.actions.chooseSkeleton((more) => this.resend(skeleton, more)),
            }),
          ),
        format.length > 0 &&
          h(
            "div.row.read-as",
            null,
            select("They are", FORMATS, chosen, (value) => (chosen = value)).element,
            button({ label: label("Read as this", format), onClick: () => this.resend(format, [], chosen) }),
          ),
      ),
      iconButton("close", "Dismiss", () => this.element.remove()),
    );
  }

  private resend(part: readonly Trouble[], more: readonly File[] = [], format?: ReadFormat): void {
    this.troubles = this.troubles.filter((trouble) => !part.includes(trouble));
    this.show();
    const files = [...new Set([...part.flatMap((trouble) => trouble.files), ...more])];
    this.actions.send(files, ...(format ? [format] : []));
  }
}
