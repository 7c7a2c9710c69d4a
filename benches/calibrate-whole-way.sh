#!/bin/sh
# From markers to motion that nobody captured, as a table: run by benches/calibrate.sh with the program. Needs python3.
set -eu
gaitway="${1:?the program}"
: "${GAITWAY_DATA:?names the folder of real clips}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quiet() { "$gaitway" --quiet "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }
quality() { "$gaitway" quality "$1" --json 2> /dev/null || true; }
quiet build "$GAITWAY_DATA/cmu-three-formats/01_01.c3d" -o "$work/a.gway"
quiet walk "$work/a.gway" --seconds 20 -o "$work/walk.bvh"
quality "$work/walk.bvh" > "$work/1.json"
# All clips of CMU 16: virtual markers of each, a body from all of them together, a graph, and paths on it.
mkdir "$work/trials"
for clip in "$GAITWAY_DATA"/cmu-bvh/16/*.bvh; do
  quiet calibrate "$clip" --virtual markers --data-out "$work/trials/$(basename "$clip" .bvh).trc"
done
quiet build "$work/trials" -o "$work/b.gway"
# The same clips as they are.
quiet build "$GAITWAY_DATA/cmu-bvh/16" -o "$work/c.gway"
for curve in line s circle; do
  quiet path "$work/b.gway" "$curve" -o "$work/b.bvh" --report "$work/b-$curve-path.json"
  quality "$work/b.bvh" > "$work/b-$curve.json"
  quiet path "$work/c.gway" "$curve" -o "$work/c.bvh" --report "$work/c-$curve-path.json"
  quality "$work/c.bvh" > "$work/c-$curve.json"
done
python3 - "$work" <<'PY'
import json, pathlib, sys
work = pathlib.Path(sys.argv[1])
read = lambda name: json.loads((work / name).read_text())
print("""
## The whole way

| from markers to | seconds | from the path, cm RMS | skate of planted feet, mean cm/s | in the floor, most cm | over it, mean cm | legs stretched by % | limbs change by mm |
| --- | --- | --- | --- | --- | --- | --- | --- |""")
def row(what, q, path=None):
    off = "–" if path is None else f"{100 * path['path_error_m']['rms']:.1f}"
    stretch = q["stretch"]["max_percent"]
    print(f"| {what} | {q['seconds']:.1f} | {off} | {q['skate_cm_s']['mean']:.2f} | {q['penetration_cm']['feet']:.2f} | {q['float_cm']['mean']:.2f} | {stretch:.1f} | {q['limb_drift_mm']:.3f} |")
row("a walk of 20 s, CMU 01_01 (real markers)", read("1.json")[0])
for curve in ("line", "s", "circle"):
    row(f"`{curve}`, CMU 16 (virtual markers on all clips, a body from all of them)", read(f"b-{curve}.json")[0], read(f"b-{curve}-path.json"))
    row(f"`{curve}`, CMU 16 as its clips are, beside it", read(f"c-{curve}.json")[0], read(f"c-{curve}-path.json"))
PY
