#!/usr/bin/env bash
# Times a release build from nothing and the suite on it: elapsed and CPU time. Takes as long as both do.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CCACHE_DISABLE=1
TIMEFORMAT='%0lR elapsed, user %0lU, system %0lS'

cmake --preset release -B "$folder" --log-level=WARNING >/dev/null
echo -n "clean release build: "
time cmake --build "$folder" -- --quiet
echo -n "suite: "
time ctest --test-dir "$folder" --parallel 2 --quiet
