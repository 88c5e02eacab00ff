#!/bin/sh
# Enrols this host once, and installs timers that report every minute and rotate the key every week.
# Arguments: the name and the address of the host, the file with the enrolment token. ROOT: the root folder; default: /.
set -eu
name=$1 address=$2 token=$3
settings=${ROOT:-}/etc/inventory units=${ROOT:-}/etc/systemd/system
umask 077
mkdir -p "$settings" "$units"
[ -s "$settings/key" ] || inventory enrol "$name" --address "$address" --token-file "$token" --out "$settings/key" --quiet
printf 'INVENTORY_URL=%s\nINVENTORY_CA=%s\n' "$INVENTORY_URL" "$INVENTORY_CA" > "$settings/environment"

# The output is two units; a comment before each names its file.
inventory report --systemd | awk -v root="${ROOT:-}" '/^# \//{ file = root $2 } { print > file }'

cat > "$units/inventory-rotate.service" <<UNIT
[Unit]
Description=Rotate the key of the monitoring inventory

[Service]
Type=oneshot
EnvironmentFile=/etc/inventory/environment
ExecStart=/usr/bin/env inventory key rotate --key-file /etc/inventory/key --quiet
UNIT
cat > "$units/inventory-rotate.timer" <<UNIT
[Unit]
Description=Rotate the key of the monitoring inventory every week

[Timer]
OnCalendar=weekly
RandomizedDelaySec=1h
Persistent=yes

[Install]
WantedBy=timers.target
UNIT
# systemctl enable --now inventory-report.timer inventory-rotate.timer
