/** The body in a recording: part by part, how sure it is, what would make it better, what can be said about it, and the button. */
import type { App } from "../app";
import type { FindBody, FoundBody, Recording } from "../api/types";
import { button, numberField, segmented, select } from "../ui/controls";
import { count } from "../ui/format";
import { h, replaceChildren, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { pageWords } from "../ui/page-words";
import { fitWords, partRows, treeDoubt, type PartRow } from "./found-model";

export interface FoundEvents {
  /** Look for it anew. */
  onFind(how: FindBody): void;
  onMake(how: FindBody): Promise<void>;
}

/** Joints fit this well as far as skin allows, millimetres: a full bar. */
const FULL_BAR_MM = 15;

export class FoundPanel {
  readonly element = h("section.found-panel", { "aria-label": "The body in it" });
  private readonly state = h("p.found-state", { role: "status" });
  private readonly tools = h("div.found-tools");
  private readonly table = h("div.found-table", { tabIndex: 0, role: "region", "aria-label": "Parts and joints" });
  private recording: Recording | null = null;
  private how: FindBody = {};
  private without = new Set<string>();
  private readonly makeButton = button({
    label: "Make a clip",
    kind: "primary",
    icon: "body",
    title: "The skeleton and its motion join the library, like any other clip",
    disabled: true,
    onClick: () => void this.make(),
  });

  constructor(
    private readonly app: App,
    private readonly events: FoundEvents,
  ) {
    this.element.append(this.tools, this.state, this.table);
  }

  begin(recording: Recording): void {
    this.recording = recording;
    this.how = {};
    this.without = new Set();
    this.showTools();
    replaceChildren(this.state);
    replaceChildren(this.table);
  }

  busy(): void {
    this.makeButton.disabled = true;
    replaceChildren(this.state, "Looking for the body in it…");
    this.state.classList.remove("bad");
  }

  fail(words: string): void {
    this.makeButton.disabled = true;
    this.state.classList.add("bad");
    replaceChildren(this.state, icon("warning"), words);
    replaceChildren(this.table, this.leftOut());
  }

  show(found: FoundBody): void {
    this.makeButton.disabled = false;
    this.state.classList.remove("bad");
    replaceChildren(this.state, fitWords(found, this.recording?.kind ?? "markers"));
    const doubt = treeDoubt(found);
    const notes = [...(doubt ? [doubt] : []), ...found.warnings.map((warning) => pageWords(warning.message))];
    replaceChildren(
      this.table,
      h(
        "table",
        null,
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            ["Part", "Hangs on", "Length", "Residual", "Joint", this.isMarkers ? "Markers" : "Sensor"].map((head) =>
              h("th", { scope: "col" }, head),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          partRows(found).map((row) => this.row(row)),
        ),
      ),
      this.leftOut(),
      notes.length > 0 &&
        h(
          "details.found-notes",
          { open: doubt !== null },
          h("summary", null, count(notes.length, "note")),
          h(
            "ul",
            null,
            notes.map((note) => h("li", null, note)),
          ),
        ),
      h("p.found-command.muted", null, "The same on the command line: ", h("code", null, found.command)),
    );
  }

  private get isMarkers(): boolean {
    return this.recording?.kind === "markers";
  }

  private row(row: PartRow): HTMLElement {
    const { joint } = row;
    return h(
      "tr",
      null,
      h("th", { scope: "row" }, h("span.dot", { style: { background: row.colour } }), row.name),
      h("td", null, row.parent ?? "–"),
      h("td.numbers", null, row.length_m === null ? "–" : `${(100 * row.length_m).toFixed(1)} cm`),
      h("td.numbers", null, joint ? this.bar(joint.residual_mm, joint.confidence) : "–"),
      h(
        "td",
        null,
        joint
          ? [
              h(
                "span.chip",
                { class: joint.confidence === "good" ? "good" : joint.confidence === "poor" ? "warn" : "" },
                joint.confidence,
              ),
              ` ${joint.kind}`,
              joint.advice && h("span.advice", null, joint.advice),
            ]
          : "root",
      ),
      h(
        "td.found-markers",
        null,
        this.isMarkers ? row.seen_by.map((name) => this.marker(name)) : row.seen_by.join(", "),
      ),
    );
  }

  private bar(residual_mm: number, confidence: string): Child {
    const part = Math.min(1, residual_mm / FULL_BAR_MM);
    return [
      h("span.residual", { class: confidence }, h("span", { style: { width: `${100 * part}%` } })),
      `${residual_mm.toFixed(1)} mm`,
    ];
  }

  /** A marker that is pressed is left out. */
  private marker(name: string): HTMLElement {
    return h(
      "button.chip.marker",
      {
        type: "button",
        title: `Leave ${name} out`,
        "aria-label": `Leave ${name} out`,
        onclick: () => this.leave(name, true),
      },
      name,
    );
  }

  private leave(name: string, out: boolean): void {
    if (out) this.without.add(name);
    else this.without.delete(name);
    this.look({ without: this.without.size > 0 ? [...this.without].join(",") : null });
  }

  private leftOut(): Child {
    if (this.without.size === 0) return null;
    return h(
      "p.found-left",
      null,
      "Left out as you said: ",
      [...this.without].map((name) =>
        h(
          "button.chip.marker",
          { type: "button", "aria-label": `Take ${name} again`, onclick: () => this.leave(name, false) },
          name,
          icon("close"),
        ),
      ),
    );
  }

  private look(part: Partial<FindBody>): void {
    const how = { ...this.how, ...part };
    // What is not said is left out of the question.
    this.how = Object.fromEntries(
      Object.entries(how).filter(([, value]) => value !== null && value !== false && value !== ""),
    );
    this.events.onFind(this.how);
  }

  private async make(): Promise<void> {
    this.makeButton.disabled = true;
    try {
      await this.events.onMake(this.how);
    } finally {
      this.makeButton.disabled = false;
    }
  }

  private showTools(): void {
    if (!this.isMarkers) return replaceChildren(this.tools, h("span.spacer"), this.makeButton);
    const clips = this.app.clips.value ?? [];
    // One clip speaks for each body: those of a graph must have one.
    const bodies = this.app.bodies.value.flatMap((body) => {
      const first = clips.find((clip) => body.clips.includes(clip.id));
      return first ? [{ value: first.id, label: `that of ${first.name}` }] : [];
    });
    replaceChildren(
      this.tools,
      segmented(
        "Group markers",
        [
          { value: "names", label: "By name", title: "Markers of the common sets say where they sit" },
          {
            value: "motion",
            label: "By motion",
            title: "By how little their distances change, whatever they are called",
          },
        ],
        "names",
        (value) => this.look({ by_motion: value === "motion" }),
      ).element,
      numberField({
        label: "Parts",
        value: null,
        min: 2,
        max: 40,
        step: 1,
        placeholder: "found",
        onChange: (value) => this.look({ bodies: value }),
      }).element,
      select("Body", [{ value: "", label: "found in it" }, ...bodies], "", (value) => this.look({ on: value })).element,
      h("span.spacer"),
      this.makeButton,
    );
  }
}
