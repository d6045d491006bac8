#!/bin/bash
# Takes a base backup, verifies it, and removes backups and log segments that are no longer needed. With --every SECONDS it goes
# on for ever. BACKUP_FROM says where from, as libpq names it (by default the server on this machine), BACKUP_KEEP how many are kept.
set -euo pipefail

archive=${WAL_ARCHIVE:-/var/lib/postgresql/wal}
backups=${BACKUP_DIRECTORY:-/var/lib/postgresql/backups}

# As the owner of the archive, which root in a container makes beforehand.
if [ "$(id -u)" = 0 ]; then
  chown postgres "$backups"
  exec setpriv --reuid=postgres --regid=postgres --init-groups bash "$0" "$@"
fi
chmod 0700 "$backups"

backup() {
  local name
  name=$(date --utc +%Y-%m-%dT%H%M%SZ)
  rm --recursive --force "$backups"/*.part
  pg_basebackup --dbname="${BACKUP_FROM:-}" --pgdata="$backups/$name.part" --checkpoint=fast --wal-method=stream
  pg_verifybackup --quiet "$backups/$name.part"
  mv "$backups/$name.part" "$backups/$name"
  # By name, which is by time.
  ls --directory "$backups"/*Z | head --lines=-"${BACKUP_KEEP:-7}" | xargs --no-run-if-empty rm --recursive
  remove_old_segments
  echo "backup $name is complete"
}

# What is older than the oldest backup restores nothing.
remove_old_segments() {
  local oldest first
  oldest=$(ls --directory "$backups"/*Z | head --lines=1)
  first=$(sed --quiet 's/^START WAL LOCATION: .* (file \([0-9A-F]*\))$/\1/p' "$oldest/backup_label")
  pg_archivecleanup "$archive" "$first"
}

if [ "${1:-}" != --every ]; then
  backup
  exit
fi
while true; do
  # A process of its own, because `set -e` does not hold in a condition. After a failure the next attempt is an hour later.
  if bash "$0"; then sleep "$2"; else sleep 3600; fi
done
