#!/bin/sh
# Moves the inventory of the PMM server that PMM_URL names. A repetition imports only the differences.
set -eu
inventory import --from-pmm --dry-run
inventory import --from-pmm
