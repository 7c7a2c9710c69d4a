#!/bin/sh
# Regenerates docs/results/connectivity.md: measures of graphs on four sets of real clips, and the distance at which joins begin to be seen.
# Needs GAITWAY_DATA, the folder of real clips.
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
cargo build --release -p gaitway-cli
python3 benches/connectivity.py target/release/gaitway "$GAITWAY_DATA" --out docs/results/connectivity.md --picture docs/pictures/connectivity-reach.png
