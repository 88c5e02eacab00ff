#!/usr/bin/env bash
# Installs the generator and the builder of the Python client, in a folder of its own.
set -euo pipefail
cd "$(dirname "$0")"
command -v python3 >/dev/null || { echo "python3 is missing: install Python 3.11 or newer, with venv" >&2; exit 1; }
venv=../../node_modules/.cache/python-client
python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check -r requirements.txt
