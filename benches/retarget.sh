#!/bin/sh
# Regenerates docs/results/retarget.md: clips on other bodies, people in one graph, edits, and a peer that copies angles, all in one run through the
# real program. Needs GAITWAY_DATA, the folder of real clips, and pip. `--quick` takes a few clips of each.
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
cargo build --release -p gaitway-cli
test -x target/bench-venv/bin/python || python3 -m venv target/bench-venv
target/bench-venv/bin/pip install --quiet -r benches/peers/requirements-retarget.txt
target/bench-venv/bin/python benches/retarget.py target/release/gaitway "$GAITWAY_DATA" --out docs/results/retarget.md "$@"
