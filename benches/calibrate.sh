#!/bin/sh
# Regenerates docs/results/calibrate.md. Needs GAITWAY_DATA, the folder of real clips.
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
page="$PWD/docs/results/calibrate.md"
cargo bench -p gaitway-calibrate --bench calibrate -- --out "$page" "$@"
cargo build --release --quiet -p gaitway-cli
benches/calibrate-whole-way.sh target/release/gaitway >> "$page"
