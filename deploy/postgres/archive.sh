#!/bin/bash
# archive_command of both servers: archive.sh %p %f. Writes a finished log segment into the archive, whole or not at all.
set -euo pipefail

archive=${WAL_ARCHIVE:-/var/lib/postgresql/wal}
# It is called again for a segment whose success it could not report.
if cmp --silent "$1" "$archive/$2"; then exit 0; fi
if [ -e "$archive/$2" ]; then
  echo "the archive has another file called $2" >&2
  exit 1
fi
# A segment that archive_timeout ended early is mostly zeros; as holes they take no space.
cp --sparse=always "$1" "$archive/$2.part"
sync "$archive/$2.part"
mv "$archive/$2.part" "$archive/$2"
sync "$archive"
