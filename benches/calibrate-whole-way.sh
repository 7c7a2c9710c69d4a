#!/bin/sh
# From markers to motion that nobody captured, as a table: run by benches/calibrate.sh with the program. Needs python3.
set -eu
gaitway="${1:?the program}"
: "${GAITWAY_DATA:?names the folder of real clips}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quiet() { "$gaitway" --quiet "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }
quiet build "$GAITWAY_DATA/cmu-three-formats/01_01.c3d" -o "$work/a.gway"
quiet walk "$work/a.gway" --seconds 20 -o "$work/walk.bvh"
"$gaitway" quality "$work/walk.bvh" --json > "$work/q.json" 2> /dev/null || true
python3 - "$work/q.json" <<'PY'
import json, sys
q = json.load(open(sys.argv[1]))[0]
print("""
## The whole way

| from markers to | seconds | skate of planted feet, mean cm/s | in the floor, most cm | over it, mean cm | limbs change by mm |
| --- | --- | --- | --- | --- | --- |""")
print(f"| a walk of 20 s, CMU 01_01 | {q['seconds']:.1f} | {q['skate_cm_s']['mean']:.2f} | {q['penetration_cm']['feet']:.2f} | {q['float_cm']['mean']:.2f} | {q['limb_drift_mm']:.3f} |")
PY
