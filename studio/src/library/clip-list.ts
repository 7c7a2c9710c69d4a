/** The clips: search, filter by label, thumbnails. Cards off screen are not laid out (content-visibility). */
import type { App } from "../app";
import type { Body, Clip } from "../api/types";
import { button, select } from "../ui/controls";
import { count, duration } from "../ui/format";
import { h, replaceChildren } from "../ui/h";
import { icon } from "../ui/icons";
import { labelStyle } from "../ui/label-colours";
import { Disposer } from "../ui/signal";
import { buildFrom } from "./build-from";
import { clipCard, sameCard, type ClipCard } from "./clip-card";
import { byBody, filterClips, labelCounts, UNLABELLED, type ClipFilter, type ClipOrder } from "./clip-filter";
import { labelMany } from "./label-many";
import { putOnBody } from "./put-on-body";
import { Selection } from "./selection";
import { selectionBar } from "./selection-bar";

const ORDERS = [
  { value: "name", label: "By name" },
  { value: "longest", label: "Longest first" },
  { value: "shortest", label: "Shortest first" },
  { value: "warnings", label: "Warnings first" },
] as const satisfies readonly { value: ClipOrder; label: string }[];

export class ClipList {
  readonly element: HTMLElement;
  private filter: ClipFilter = { text: "", labels: new Set(), order: "name" };
  private current: string | null = null;
  private readonly list = h("ul.clip-cards", { "aria-label": "Clips" });
  private readonly chips = h("div.filter-chips", { role: "group", "aria-label": "Show only clips with a label" });
  private readonly total = h("p.clip-total.muted", { role: "status" });
  private readonly cards = new Map<string, ClipCard>();
  private readonly selection = new Selection();
  private readonly stops = new Disposer();
  private readonly seen = new IntersectionObserver(
    (entries) => entries.forEach((entry) => entry.isIntersecting && this.loadThumbnail(entry.target as HTMLElement)),
    { rootMargin: "300px" },
  );

  constructor(
    private readonly app: App,
    private readonly onPick: (id: string) => void,
  ) {
    const search = h("input", {
      type: "search",
      placeholder: "Search clips",
      "aria-label": "Search clips",
      oninput: () => this.setFilter({ text: search.value }),
    });
    const order = select("Order", ORDERS, this.filter.order, (value) => this.setFilter({ order: value }));
    order.element.classList.add("inline");
    this.element = h(
      "div.clip-list",
      null,
      h("div.clip-search", null, h("div.search-box", null, icon("search"), search), order.element),
      this.chips,
      h(
        "div.list-tools",
        null,
        this.total,
        h("span.spacer"),
        button({
          label: "Labels…",
          kind: "quiet",
          title: "Labels by file name, from a table, or from speed and turning",
          onClick: () => void labelMany(this.app, null),
        }),
        button({
          label: "Select all",
          kind: "quiet",
          title: "Select every clip that is listed (Ctrl A in the list)",
          onClick: () => this.selection.all(this.listed()),
        }),
      ),
      selectionBar(app, this.selection),
      this.list,
    );
    this.list.addEventListener("keydown", (event) => this.arrows(event));
    this.stops.add(
      this.selection.ids.listen(() => this.showSelected()),
      app.bodies.listen(() => this.show()),
      app.clips.follow(() => this.show()),
      app.project.listen(() => this.show()),
      app.theme.listen(() => this.repaint()),
    );
  }

  dispose(): void {
    this.stops.dispose();
    this.seen.disconnect();
  }

  setCurrent(id: string | null, reveal: boolean): void {
    this.current = id;
    // One stop for Tab, arrows within: hundreds of clips must not stand between the search and the player.
    const buttons = this.list.querySelectorAll<HTMLButtonElement>(".clip-card");
    const stop = (id && this.cards.get(id)?.button) || buttons[0];
    for (const [key, card] of this.cards) {
      if (key === id) card.button.setAttribute("aria-current", "true");
      else card.button.removeAttribute("aria-current");
      card.button.tabIndex = card.button === stop ? 0 : -1;
    }
    const card = reveal && id ? this.cards.get(id) : undefined;
    if (card) this.reveal(card.element);
  }

  /** By hand: scrollIntoView would also move the place from which Tab goes on. */
  private reveal(element: HTMLElement): void {
    const [box, list] = [element.getBoundingClientRect(), this.list.getBoundingClientRect()];
    if (box.top < list.top) this.list.scrollTop += box.top - list.top;
    else if (box.bottom > list.bottom) this.list.scrollTop += box.bottom - list.bottom;
  }

  private setFilter(part: Partial<ClipFilter>): void {
    this.filter = { ...this.filter, ...part };
    this.show();
    this.list.scrollTop = 0;
  }

  private show(): void {
    const clips = this.app.clips.value;
    if (!clips) return;
    const shown = filterClips(clips, this.filter);
    this.showChips(clips);
    const seconds = shown.reduce((sum, clip) => sum + clip.seconds, 0);
    this.total.textContent = `${shown.length === clips.length ? count(clips.length, "clip") : `${shown.length} of ${count(clips.length, "clip")}`} · ${duration(seconds)}`;
    const made = this.app.project.value?.graph?.interpolated_clips ?? 0;
    if (made > 0) this.total.textContent += ` · and ${made.toLocaleString("en")} interpolated`;
    const keep = new Set(shown.map((clip) => clip.id));
    this.selection.keep(new Set(clips.map((clip) => clip.id)));
    for (const id of [...this.cards.keys()]) if (!keep.has(id)) this.cards.delete(id);
    const focused = document.activeElement;
    const { bodies } = this.app;
    // One body that has its graph needs no heading.
    const heads = bodies.value.length > 1 || !this.app.project.value?.graph;
    this.list.replaceChildren(
      ...byBody(shown, bodies.value).flatMap(({ body, clips: own }) => [
        ...(heads && body ? [this.heading(body)] : []),
        ...own.map((clip) => this.card(clip)),
      ]),
    );
    // Replacing children takes the focus from a card that stays.
    if (focused instanceof HTMLElement && this.list.contains(focused)) focused.focus({ preventScroll: true });
    if (shown.length === 0 && clips.length > 0)
      this.list.append(h("li.empty", null, h("p", null, "No clip fits the search.")));
    this.setCurrent(this.current, false);
    this.showSelected();
  }

  /** Clips of one body, with its picture: a graph has one. */
  private heading(body: Body): HTMLElement {
    const project = this.app.project.value;
    const basis = new Set(project?.graph ? project.basis : []);
    const built = body.clips.some((id) => basis.has(id));
    const [first] = body.clips;
    const all = this.app.bodies.value;
    const name = all.length > 1 ? `Body ${all.findIndex((b) => b.id === body.id) + 1} of ${all.length}` : "One body";
    const facts = `${count(body.clips.length, "clip")} · ${duration(body.seconds)} · ${count(body.joints, "joint")}`;
    return h(
      "li.body-head",
      null,
      first !== undefined &&
        h("img", {
          alt: "",
          decoding: "async",
          dataset: { clip: first },
          src: this.app.api.thumbnailUrl(first, this.app.theme.value, 1),
        }),
      h(
        "div",
        null,
        h("h3", { title: `Skeleton ${body.id}` }, built ? `${name}, in the graph` : name),
        h("span.muted.numbers", null, facts),
        h(
          "div.row",
          null,
          button({
            label: "Build from this group",
            kind: built ? "plain" : "primary",
            onClick: () => void buildFrom(this.app, body.clips, { kind: "build", body: body.id }),
          }),
          all.length > 1 &&
            button({
              label: "Put all on it…",
              kind: "quiet",
              title: "Clips of the other bodies are put on this one, so that one graph can hold them",
              onClick: () => void putOnBody(this.app, null, `body ${body.id}`),
            }),
          button({ label: "Select", kind: "quiet", onClick: () => this.selection.all(body.clips) }),
        ),
      ),
    );
  }

  /** Ids in the order they are listed. */
  private listed(): string[] {
    return [...this.list.querySelectorAll<HTMLElement>(".clip-card")].map((card) => card.dataset["clip"] ?? "");
  }

  private showSelected(): void {
    const any = this.selection.ids.value.size > 0;
    this.list.classList.toggle("selecting", any);
    for (const [id, card] of this.cards) {
      card.check.checked = this.selection.has(id);
      card.element.classList.toggle("selected", card.check.checked);
    }
  }

  /** A plain click opens; with Ctrl it selects one more, with Shift all up to it. */
  private pick(event: MouseEvent, id: string): void {
    if (event.shiftKey) this.selection.extendTo(id, this.listed());
    else if (event.ctrlKey || event.metaKey) this.selection.toggle(id);
    else {
      this.selection.clear();
      this.selection.startAt(id);
      this.onPick(id);
    }
  }

  private showChips(clips: readonly Clip[]): void {
    replaceChildren(
      this.chips,
      labelCounts(clips).map(({ label, clips: n }) => {
        const on = this.filter.labels.has(label);
        return h(
          "button.chip.filter",
          {
            type: "button",
            "aria-pressed": String(on),
            class: label === UNLABELLED ? "" : "label-colour",
            style: label === UNLABELLED ? {} : labelStyle(label),
            onclick: () => {
              const next = new Set(this.filter.labels);
              if (on) next.delete(label);
              else next.add(label);
              this.setFilter({ labels: next });
            },
          },
          label === UNLABELLED ? "no label" : label,
          h("span.chip-count", null, String(n)),
        );
      }),
    );
  }

  /** Cards are kept while their clip is the same: thumbnails do not flicker on every event. */
  private card(clip: Clip): HTMLElement {
    const known = this.cards.get(clip.id);
    if (known && sameCard(known.clip, clip)) return known.element;
    const made = clipCard(clip, {
      onPick: (event, id) => this.pick(event, id),
      onCheck: (id, upTo) => (upTo ? this.selection.extendTo(id, this.listed()) : this.selection.toggle(id)),
    });
    this.cards.set(clip.id, made);
    this.seen.observe(made.picture);
    return made.element;
  }

  private loadThumbnail(picture: HTMLElement): void {
    this.seen.unobserve(picture);
    const id = picture.dataset["clip"];
    if (!id || picture.childElementCount > 0) return;
    const image = h("img", { alt: "", decoding: "async", src: this.thumbnail(id) });
    image.addEventListener("error", () => image.replaceWith(icon("body")));
    picture.append(image);
  }

  /** Strips are drawn on the ground of the theme. */
  private repaint(): void {
    for (const image of this.list.querySelectorAll<HTMLImageElement>(".body-head img")) {
      const id = image.dataset["clip"];
      if (id) image.src = this.app.api.thumbnailUrl(id, this.app.theme.value, 1);
    }
    for (const image of this.list.querySelectorAll<HTMLImageElement>(".thumb img")) {
      const id = image.parentElement?.dataset["clip"];
      if (id) image.src = this.thumbnail(id);
    }
  }

  /** A clip that is read otherwise has another picture, and so another address. */
  private thumbnail(id: string): string {
    const clip = this.cards.get(id)?.clip;
    const of = clip?.reading ? `${clip.frames}-${JSON.stringify(clip.reading).length}` : undefined;
    return this.app.api.thumbnailUrl(id, this.app.theme.value, undefined, of);
  }

  /** Arrows go from card to card, with Shift they select on the way; Ctrl Space selects one more, Ctrl A all, Escape none. */
  private arrows(event: KeyboardEvent): void {
    const at = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(".clip-card") : null;
    const id = at?.dataset["clip"];
    const ctrl = event.ctrlKey || event.metaKey;
    const taken = () => (event.preventDefault(), event.stopPropagation());
    if (ctrl && event.key.toLowerCase() === "a") return (this.selection.all(this.listed()), taken());
    if (ctrl && event.key === " " && id) return (this.selection.toggle(id), taken());
    if (event.key === "Escape" && this.selection.ids.value.size > 0) return (this.selection.clear(), taken());
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    const buttons = [...this.list.querySelectorAll<HTMLButtonElement>(".clip-card")];
    const index = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = buttons[index + step];
    if (!next) return;
    taken();
    if (event.shiftKey && id) {
      if (this.selection.ids.value.size === 0) this.selection.toggle(id);
      this.selection.extendTo(next.dataset["clip"] ?? "", this.listed());
    }
    next.focus();
  }
}
