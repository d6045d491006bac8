#!/bin/bash
# Starts one of two PostgreSQL servers that replicate each other. The first start of a standby copies the primary.
set -euo pipefail

archive=/var/lib/postgresql/wal
if [ "$(id -u)" = 0 ]; then
  chown postgres "$archive"
  chmod 0700 "$archive"
fi

if [ -n "${REPLICATE_FROM:-}" ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chmod 0700 "$PGDATA"
  as_postgres=()
  if [ "$(id -u)" = 0 ]; then
    chown postgres "$PGDATA"
    as_postgres=(gosu postgres)
  fi
  "${as_postgres[@]}" pg_basebackup --pgdata="$PGDATA" --wal-method=stream --checkpoint=fast --write-recovery-conf \
    --dbname="host=$REPLICATE_FROM port=${REPLICATE_FROM_PORT:-5432} user=replicator password=$REPLICATION_PASSWORD"
fi

# Both names are listed, so that whichever is the primary waits for the other one.
exec docker-entrypoint.sh postgres \
  -c cluster_name="$NODE_NAME" \
  -c synchronous_commit=on \
  -c wal_keep_size=1GB \
  -c max_connections=200 \
  -c archive_mode=on \
  -c archive_command='bash /usr/local/bin/archive.sh %p %f' \
  -c archive_timeout=60 \
  "$@"
