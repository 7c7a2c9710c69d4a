#!/usr/bin/env bash
# Writes docs/results/graph.md from the real clips in GAITWAY_DATA.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo bench --package gaitway-graph --bench graph -- --out "$PWD/docs/results/graph.md"
