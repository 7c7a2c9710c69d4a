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
      ["N", "new interval at the cursor"],
      ["Ctrl Z", "undo"],
      ["Ctrl Shift Z", "redo"],
    ],
  },
];

let open = false;

export function showShortcuts(): void {
  if (open) return;
  open = true;
  const rows: Child[] = SECTIONS.flatMap(({ title, keys }): Child[] => [
    h("h3", null, title),
    ...keys.flatMap(([combination, what]): Child[] => [
      h("span", null, combination.split(" ").flatMap((key): Child[] => [h("kbd", null, key), " "])),
      h("span", null, what),
    ]),
  ]);
  void openDialog({ title: "Keys", body: h("div.shortcuts", null, rows), actions: [] }).then(() => (open = false));
}
