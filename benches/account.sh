#!/bin/sh
# Regenerates docs/results/account.md: every promise of the account, done. Needs GAITWAY_DATA, the folder of real clips; names of people
# after the command take those alone.
set -eu
cd "$(dirname "$0")/.."
: "${GAITWAY_DATA:?names the folder of real clips}"
cargo build --release -p gaitway-cli
python3 benches/account.py target/release/gaitway "$GAITWAY_DATA" --out docs/results/account.md "$@"
