#!/bin/sh
# A pipeline for a pull request. It has a key of a Viewer. Ends with 2 if the inventory would change.
set -eu
inventory lint --file fleets --quiet
inventory plan --file fleets --output markdown --out plan.json > comment.md
