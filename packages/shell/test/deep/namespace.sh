#!/bin/bash
# Runs a Node program in a file system of its own: the machine's programs read-only, everything else private and
# empty or a copy. To be started by `unshare` with mount, pid, network, ipc and uts namespaces (and a user namespace
# where the user is not root). Nothing outside the namespaces is written.
#
# namespace.sh REPOSITORY CASES NODE PROGRAM ARGUMENTS…
set -eu
repository=$1 cases=$2 node=$3 program=$4
shift 4
mount --make-rprivate /
# Open, because the new root may cover them.
exec 7<"$repository" 9<"$node"
if [ -d "$cases" ]; then exec 8<"$cases"; fi
root=/tmp
mount -t tmpfs -o mode=755,size=1g tmpfs "$root"
cd "$root"
mkdir -p usr etc dev proc home tmp var/tmp root run opt/repository/main opt/repository/shared/cases old

bound() { # FROM TO
  mount --no-canonicalize --bind "$1" "$2"
  mount -o remount,bind,ro,nosuid,nodev "$2"
}
bound /usr usr
for name in bin sbin lib lib32 lib64 libx32; do
  if [ -L "/$name" ]; then cp -P "/$name" "$name"
  elif [ -d "/$name" ]; then mkdir "$name" && bound "/$name" "$name"; fi
done
# The only copy of what the machine says about itself. Keys and passwords are not copied.
cp -a --no-preserve=ownership /etc/. etc/ 2>/dev/null || true
rm -rf etc/shadow* etc/gshadow* etc/ssh/*key* etc/ssl/private etc/krb5.keytab etc/machine-id etc/sudoers* etc/*.conf.d/secret*
bound /proc/self/fd/7 opt/repository/main
if [ -d "$cases" ]; then bound /proc/self/fd/8 opt/repository/shared/cases; fi
sed -i '/:1000:/d' etc/passwd etc/group
echo 'dev:x:1000:1000:Dev:/home/dev:/bin/bash' >>etc/passwd
echo 'dev:x:1000:' >>etc/group
echo 'root:$6$none:19000:0:99999:7:::' >etc/shadow
printf '127.0.0.1 localhost\n10.9.8.1 example.com www.example.com\n10.9.8.2 evil.example\n' >etc/hosts
echo 'nameserver 127.0.0.1' >etc/resolv.conf
touch opt/node
bound /proc/self/fd/9 opt/node

for device in 'null 1 3' 'zero 1 5' 'full 1 7' 'random 1 8' 'urandom 1 9' 'tty 5 0'; do
  set -- $device "$@"
  if ! mknod -m 666 "dev/$1" c "$2" "$3" 2>/dev/null; then
    touch "dev/$1"
    mount --bind "/dev/$1" "dev/$1"
    mount -o remount,bind,ro "dev/$1"
  fi
  shift 3
done
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
mkdir dev/shm
mount -t proc proc proc
pivot_root . old
umount -l /old
rmdir /old

# Node and the command lines do not run as the machine's root. They own what is private.
user=0
if [ "$(cat /proc/self/uid_map | tr -s ' ')" = ' 0 0 4294967295' ]; then user=1000; fi
if [ "$user" -ne 0 ]; then chown -R "$user:$user" /etc /home /tmp /var/tmp /root /run; fi
mount --rbind /dev /dev
mount -o remount,bind,ro /dev
mount -t tmpfs -o mode=1777,size=64m tmpfs /dev/shm
for area in /etc /home /tmp /root /run /var/tmp; do mount --bind "$area" "$area"; done
mount -o remount,bind,ro /
# As much as a command line may use. Processes are counted for the user.
ulimit -c 0
ulimit -f 40960
ulimit -t 1800
ulimit -u 400
exec 7<&- 8<&- 9<&-
cd /
# This shell stays the first process: it takes the ends of processes that lines leave behind, which would fill the limit.
status=0
if [ "$user" -ne 0 ]; then
  setpriv --reuid "$user" --regid "$user" --clear-groups --inh-caps=-all --bounding-set=-all \
    /opt/node "/opt/repository/main/$program" "$@" || status=$?
else
  /opt/node "/opt/repository/main/$program" "$@" || status=$?
fi
exit "$status"
