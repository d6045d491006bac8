#!/bin/sh
# Boots systemd in an overlay of this system's root: boot.sh NAME FOLDER. The overlay outlives the machine, like a disk.
set -eu
folder=$2/$1
mkdir -p "$folder/upper" "$folder/work" "$folder/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$folder/root"
cd "$folder/root"
mount -t tmpfs -o mode=0755 tmpfs run
mount -t tmpfs tmpfs tmp
mount -t proc proc proc
# The kernel's settings are those of the whole machine.
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
# Nodes of its own: systemd changes the rights of some.
mount -t tmpfs -o mode=0755 tmpfs dev
mknod -m 0666 dev/null c 1 3
mknod -m 0666 dev/zero c 1 5
mknod -m 0666 dev/full c 1 7
mknod -m 0666 dev/random c 1 8
mknod -m 0666 dev/urandom c 1 9
mknod -m 0666 dev/tty c 5 0
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
if [ -d /sys/fs/cgroup/unified ]; then
  mount -t tmpfs -o mode=0755 tmpfs sys/fs/cgroup
  mkdir sys/fs/cgroup/systemd sys/fs/cgroup/unified
  mount -t cgroup2 cgroup2 sys/fs/cgroup/unified
  mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
else
  mount -t cgroup2 cgroup2 sys/fs/cgroup
fi
# A machine on which packages were just installed, and which reaches no mirror.
rm -rf var/lib/apt/lists/* etc/apt/sources.list.d/* var/lib/postgresql/15/main/postmaster.pid
: >etc/apt/sources.list
ln -sf /dev/null etc/systemd/system/console-getty.service
echo "$1" >etc/hostname
exec setpriv --bounding-set=-sys_time,-sys_module,-sys_rawio,-syslog chroot . \
  env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --show-status=no
