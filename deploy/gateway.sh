#!/bin/sh
# Runs a command of the gateway as its user and with its environment: gateway doctor. Install it as /usr/local/bin/gateway.
set -eu
cd /opt/gateway
set -a
NODE_ENV=production GATEWAY_DATA_DIR=/var/lib/gateway GATEWAY_CONFIG=/etc/gateway/gateway.json
. /etc/gateway/environment
exec setpriv --reuid=gateway --regid=gateway --init-groups node_modules/.bin/node src/cli/cli.ts "$@"
