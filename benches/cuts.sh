#!/usr/bin/env bash
# Writes docs/results/cuts.md from the real clips in GAITWAY_DATA.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo bench --package gaitway-synth --bench cuts -- --out "$PWD/docs/results/cuts.md"
