#!/bin/bash
# Runs once, when the first server is made: the gateway's role, the role of the standby, and synchronous replication.
set -euo pipefail

psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
  --set=gateway="$DATABASE_PASSWORD" --set=replication="$REPLICATION_PASSWORD" <<'SQL'
CREATE ROLE gateway LOGIN PASSWORD :'gateway';
-- To see whether a standby is there.
GRANT pg_monitor TO gateway;
ALTER DATABASE gateway OWNER TO gateway;
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replication';
-- From the next start on: until then no standby can confirm anything. A standby copies this setting.
ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (db_a, db_b)';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
