#!/usr/bin/env bash
# Installs what the build and the tests need and this machine lacks, by Debian's package names. Extra names may be given.
set -euo pipefail

packages=(g++ cmake ninja-build python3 libfmt-dev nlohmann-json3-dev libcli11-dev libgtest-dev libbenchmark-dev "$@")

if ! command -v dpkg-query >/dev/null; then
  echo "Not a Debian system: please make sure that these (or their equivalents) are installed: ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  exit 0
fi

sudo=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "Please install as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  sudo=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
if ! { "${sudo[@]}" apt-get -qq update && "${sudo[@]}" apt-get -qq install -y --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
