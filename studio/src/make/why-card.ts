/** Why a motion is not as asked, or why there is none: the report's own words, and buttons that do something about it. */
import { button } from "../ui/controls";
import { h, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { pageWords } from "../ui/page-words";
import type { Desk } from "./desk";
import { placeRemedies, reasonsOf, remediesFor, type Reason, type Remedy } from "./remedies";
import { numberAt } from "./report";
import type { Synthesizer } from "./synthesizer";
import { paceHint } from "./time-wishes";

/** Of the motion on stage; nothing where it is as asked, or is not what the sketch asks for any more. */
export function whyCard(desk: Desk, synth: Synthesizer, seek: (t: number) => void): Child {
  const result = desk.result.value;
  const member = result?.members[desk.member.value];
  if (!result || !member || desk.stale.value) return null;
  const reasons = reasonsOf(member.report);
  if (reasons.length === 0) return null;
  const start = member.start_s ?? 0;
  const tried = numberAt(member.report, "expansions");
  const row = (reason: Reason) =>
    h(
      "li",
      null,
      h("span", null, pageWords(reason.words)),
      reason.at_s !== null &&
        button({
          label: `Show ${(reason.at_s + start).toFixed(1)} s`,
          kind: "quiet",
          onClick: () => seek((reason.at_s ?? 0) + start),
        }),
    );
  return h(
    "section.why",
    { "aria-label": "What is not as asked" },
    h("h3", null, icon("warning"), "Not as asked"),
    h("ul", null, reasons.map(row)),
    reasons.some((r) => r.what === "time") && h("p.muted", null, paceHint(member.report)),
    remedies(desk, synth, reasons, tried),
  );
}

/** Of a search that brought nothing. */
export function failureCard(desk: Desk, synth: Synthesizer): Child {
  const failure = desk.failure.value;
  if (!failure) return null;
  const { value: sketch } = desk.sketch;
  const { value: params } = desk.params;
  if (failure.kind === "place") return offered(synth, placeRemedies(failure.message, sketch, params));
  // Wandering and connecting ask for no path: nothing of a sketch can help them.
  if (failure.kind !== "path") return null;
  const reason: Reason = { words: failure.message, stretches: [], label: null, at_s: null, what: "other" };
  return offered(synth, remediesFor([reason], sketch, params, null));
}

function remedies(desk: Desk, synth: Synthesizer, reasons: readonly Reason[], tried: number | null): Child {
  return offered(synth, remediesFor(reasons, desk.sketch.value, desk.params.value, tried));
}

function offered(synth: Synthesizer, list: readonly Remedy[]): Child {
  if (list.length === 0) return null;
  return h(
    "div.row.remedies",
    { role: "group", "aria-label": "What may help" },
    list.map((r) =>
      button({ label: r.label, title: r.title, disabled: synth.pressed, onClick: () => void synth.mend(r) }),
    ),
  );
}
