#!/usr/bin/env bash
# Installs the generators that tests/generated-clients needs, each in the version that is stated here, in a folder of its own.
set -euo pipefail
cd "$(dirname "$0")"
cache=$PWD/../../node_modules/.cache/generated-clients

need() {
  command -v "$1" >/dev/null && return
  echo "$1 is missing: install $2" >&2
  exit 1
}
need go "Go 1.25 or newer"

mkdir -p "$cache/typescript"
cp typescript/package.json typescript/package-lock.json "$cache/typescript/"
npm ci --prefix "$cache/typescript" --no-audit --no-fund

../../tools/install-python.sh python

# By go.mod, with the sums of go.sum.
(cd go && go mod download)
