#!/bin/sh
# Regenerates docs/results/wide.md. Needs GAITWAY_DATA, the folder of real clips.
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
walks=$(mktemp)
trap 'rm -f "$walks"' EXIT
cargo bench -p gaitway-synth --bench wide -- --out "$PWD/docs/results/wide.md"
cargo bench -p gaitway-synth --bench wide_walks -- --out "$walks" "$@"
{ echo; cat "$walks"; } >> docs/results/wide.md
