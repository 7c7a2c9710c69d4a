import { h, type Child } from "./ui/h";
import { openDialog } from "./ui/dialog";

const SECTIONS: readonly { title: string; keys: readonly (readonly [keys: string, what: string])[] }[] = [
  {
    title: "Player",
    keys: [
      ["Space", "play or pause"],
      ["← →", "one frame back or on"],
      ["Shift ← →", "ten frames back or on"],
      ["Home End", "to the start or the end"],
      ["[ ]", "slower, faster"],
      ["L", "loop"],
      ["F", "follow the character"],
      ["1 2 3", "solid body, stick figure, point lights"],
      ["0", "show everything"],
      ["Alt ← → ↑ ↓", "turn the camera"],
      ["+ -", "nearer, farther"],
    ],
  },
  {
    title: "Clips",
    keys: [
      ["↑ ↓", "another clip"],
      ["Shift ↑ ↓", "select on the way"],
      ["Ctrl Space", "select one more, or one less"],
      ["Ctrl A", "select all that are listed"],
      ["Esc", "select none"],
    ],
  },
  {
    title: "Timeline",
    keys: [
      ["Tab", "to the next interval"],
      ["← →", "move the interval by a frame"],
      ["Alt ← →", "move its start"],
      ["Shift ← →", "move its end"],
      ["Enter", "rename"],
      ["Delete", "remove"],
      ["P", "play it in a loop; Esc ends that"],
      ["N", "new interval at the cursor"],
      ["Ctrl Z", "undo"],
      ["Ctrl Shift Z", "redo"],
    ],
  },
  {
    title: "Graph",
    keys: [
      ["← → ↑ ↓", "another cell of the table, another dot of the map"],
      ["+ -", "change the cell; zoom the map or the drawing"],
      ["N P", "next or previous transition of the drawing"],
    ],
  },
  {
    title: "Floor plan",
    keys: [
      ["V D P", "select, draw freehand, set points"],
      ["S A", "paint a style, put an action"],
      ["M T", "paint a speed, say when to be at a place"],
      ["C B G H E", "round obstacle, box, corners, start, a place to go to"],
      ["P ← → ↑ ↓ Enter", "place points; Enter again when done"],
      ["[ ]", "another point"],
      ["← → ↑ ↓", "move what is selected"],
      ["Ctrl Enter", "synthesize"],
    ],
  },
  {
    title: "Timeline of a result",
    keys: [
      ["Shift ← →", "select a part"],
      ["N P", "next or previous transition"],
      ["W", "worst transition"],
      ["I", "inspect the transition at this time"],
      ["+ - 0", "zoom, show all"],
    ],
  },
];

let open = false;

export function showShortcuts(): void {
  if (open) return;
  open = true;
  const columns: Child[] = SECTIONS.map(({ title, keys }) =>
    h(
      "div.shortcuts",
      null,
      h("h3", null, title),
      keys.flatMap(([combination, what]): Child[] => [
        h(
          "span",
          null,
          combination.split(" ").flatMap((key): Child[] => [h("kbd", null, key), " "]),
        ),
        h("span", null, what),
      ]),
    ),
  );
  void openDialog({ title: "Keys", body: h("div.shortcut-columns", null, columns), actions: [], wide: true }).then(
    () => (open = false),
  );
}
