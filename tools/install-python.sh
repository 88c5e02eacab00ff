#!/usr/bin/env bash
# Installs what the requirements.txt of a folder of clients/ states, in an environment of its own: tools/install-python.sh python
set -euo pipefail
cd "$(dirname "$0")/.."
command -v python3 >/dev/null || { echo "python3 is missing: install Python 3.11 or newer, with venv" >&2; exit 1; }
venv=node_modules/.cache/$1-client
python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check -r "clients/$1/requirements.txt"
