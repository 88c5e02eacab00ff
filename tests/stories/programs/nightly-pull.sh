#!/bin/sh
# Every night: the inventory as files in Git, so that a commit shows what people have changed.
set -eu
for fleet in "$@"; do
  inventory pull --quiet --selector "fleet=$fleet" --directory fleets
done
git add fleets
git diff --cached --quiet || git commit --quiet --message 'The inventory of last night'
