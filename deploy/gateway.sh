#!/bin/sh
# Runs a command of the gateway as its user and with its environment: gateway doctor. Install it as /usr/local/bin/gateway.
set -eu
cd /opt/gateway
environment=/etc/gateway/environment
# systemd reads that file by other rules than a shell: what the two would read differently is refused.
value="[][A-Za-z0-9_@%+=:,./?#!*^{}-]*|'[^']*'|\"[^\"\$\`\\\\]*\""
differing=$(LC_ALL=C grep -anvE "^[[:blank:]]*(#.*[^\\\\]|#|[A-Za-z_][A-Za-z0-9_]*=($value))?[[:blank:]]*\$" "$environment" | cut -d: -f1)
if [ -n "$differing" ]; then
  echo "$environment, line" $differing: put the value, on one line, into single quotes: NAME="'value'" >&2
  exit 1
fi
set -a
NODE_ENV=production GATEWAY_DATA_DIR=/var/lib/gateway GATEWAY_CONFIG=/etc/gateway/gateway.json
. "$environment"
exec setpriv --reuid=gateway --regid=gateway --init-groups node_modules/.bin/node src/cli/cli.ts "$@"
