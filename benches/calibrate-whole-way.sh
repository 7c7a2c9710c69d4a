#!/bin/sh
# From markers to motion that nobody captured, as a table: run by benches/calibrate.sh with the program.
set -eu
gaitway="${1:?the program}"
: "${GAITWAY_DATA:?names the folder of real clips}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quiet() { "$gaitway" --quiet "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }; }
# Sliding of planted feet in cm/s, their height over the floor and under it, as `quality --json` has them.
row() {
  "$gaitway" quality "$2" --json > "$work/q.json" 2> /dev/null || true
  python3 - "$1" "$work/q.json" <<'PY'
import json, sys
q = json.load(open(sys.argv[2]))[0]
bars = {b["name"]: b for b in q["bars"]} if "bars" in q else {}
cells = [f'{b["value"]:.2f} ({b["bar"]})' for b in bars.values() if b.get("value") is not None]
print("| " + sys.argv[1] + " | " + " | ".join(cells) + " |")
PY
}
c3d="$GAITWAY_DATA/cmu-three-formats/01_01.c3d"
quiet build "$c3d" -o "$work/a.gway"
quiet walk "$work/a.gway" --seconds 20 -o "$work/walk.bvh"
row "walk" "$work/walk.bvh"
