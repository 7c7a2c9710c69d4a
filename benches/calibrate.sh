#!/bin/sh
# Regenerates docs/results/calibrate.md. Needs GAITWAY_DATA, the folder of real clips.
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
cargo bench -p gaitway-calibrate --bench calibrate -- --out "$PWD/docs/results/calibrate.md" "$@"
