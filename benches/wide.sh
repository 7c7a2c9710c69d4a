#!/bin/sh
# Regenerates docs/results/wide.md. Needs GAITWAY_DATA, the folder of real clips.
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
page=docs/results/wide.md
cargo bench -p gaitway-synth --bench wide -- --out "$PWD/$page" "$@"
