#!/usr/bin/env bash
# Installs PostgreSQL as a package of Debian. The benchmark uses its programs only, with a cluster of its own.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
# The list of packages changes while it is read, now and then.
apt-get update -qq || { sleep 10 && apt-get update -qq; }
apt-get install -y -qq --no-install-recommends postgresql
