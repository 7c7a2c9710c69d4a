#!/bin/sh
# Regenerates docs/results/connectivity.md: measures of plain and well-connected graphs on four sets of real clips, and the distance at which joins
# begin to be seen. Takes some 20 minutes on two cores, and its times where nothing else runs.
# Needs GAITWAY_DATA, the folder of real clips. More arguments go to the script (--home FOLDER keeps graphs between runs, --times takes times alone).
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
cargo build --release -p gaitway-cli
python3 -B benches/connectivity target/release/gaitway "$GAITWAY_DATA" --out docs/results/connectivity.md --picture docs/pictures/connectivity-reach.png "$@"
