#!/bin/sh
# Starts a machine that joined the network, and ends with it: start.sh NAME FOLDER CGROUP. Its first process is in FOLDER/NAME/init.
set -eu
mkdir -p "$2/$1"
for tree in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
  if [ -e "$tree/cgroup.procs" ]; then
    mkdir -p "$tree/$3/$1"
    echo 0 >"$tree/$3/$1/cgroup.procs"
  fi
done
ip netns exec "$1" unshare --mount --uts --ipc --pid --cgroup --fork --kill-child --propagation private \
  sh "$(dirname "$0")/boot.sh" "$1" "$2" &
init=
while [ -z "$init" ]; do
  sleep 0.05
  init=$(tr -d ' ' <"/proc/$!/task/$!/children")
done
echo "$init" >"$2/$1/init"
wait
