import { type Confinement, words } from './bubblewrap.js';

/**
 * Builds the file system of a command: a copy of all mounts, read only except some, with its own `/dev` and
 * `/proc`. Then it enters another user namespace, which locks the mounts and drops kernel capabilities. It has no `rm` and no
 * `rmdir`: Claude Code asks about a line whose script has, also where its hook permits it.
 */
const script = `
set -eu
uid=$1 gid=$2 has_network=$3 hides_run=$4 has_own_tmp=$5 mounts=$6 hidden=$7
shift 7
path=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin
stage=/sys
raise_loopback() {
  ip link set dev lo up || ifconfig lo up || perl -e '
    socket(my $socket, 2, 2, 0) && ioctl($socket, 0x8914, pack("a16 s x22", "lo", 0x41)) or exit 1'
}
lock() {
  local -A inside=()
  local points=() kept=() id parent point options index
  while read -r id parent _ _ point options _; do
    point=$(printf '%b' "$point")
    if [ "$point" = "$1" ]; then
      inside=(["$id"]=1) points=("$point") kept=("$options")
    elif [ -n "\${inside[$parent]-}" ]; then
      inside[$id]=1 points+=("$point") kept+=("$options")
    fi
  done < /proc/self/mountinfo
  [ \${#points[@]} -gt 0 ]
  for index in "\${!points[@]}"; do
    options=remount,bind,ro,nosuid
    case ,\${kept[index]}, in *,nodev,*) options=$options,nodev ;; esac
    case ,\${kept[index]}, in *,noexec,*) options=$options,noexec ;; esac
    mount -o "$options" -- "\${points[index]}"
  done
}
if [ "$has_network" = no ]; then raise_loopback 2> /dev/null || true; fi
mount --rbind / $stage
lock $stage
mount -t tmpfs -o mode=755,nosuid tmpfs $stage/dev
for node in null zero full random urandom; do
  : > $stage/dev/$node
  mount --bind /dev/$node $stage/dev/$node
done
ln -s /proc/self/fd $stage/dev/fd
ln -s fd/0 $stage/dev/stdin
ln -s fd/1 $stage/dev/stdout
ln -s fd/2 $stage/dev/stderr
mkdir $stage/dev/shm
mount -t proc -o nosuid,nodev,noexec proc $stage/proc
for name in acpi bus fs irq mtrr scsi sys sysrq-trigger; do
  [ -e $stage/proc/$name ] || continue
  mount --bind $stage/proc/$name $stage/proc/$name
  mount -o remount,bind,ro,nosuid,nodev,noexec $stage/proc/$name
done
if [ "$hides_run" = yes ]; then mount -t tmpfs -o mode=755,nosuid,nodev tmpfs $stage/run; fi
if [ "$has_own_tmp" = yes ]; then mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs $stage/tmp; fi
for ((index = 0; index < mounts; index += 1)); do
  mode=$1 place=$2
  shift 2
  case $mode in
    rw) mount --rbind -- "$place" "$stage$place" ;;
    fixed) mount --rbind -- "$stage$place" "$stage$place" ;;
    ro)
      mount --rbind -- "$stage$place" "$stage$place"
      lock "$stage$place"
      ;;
  esac
done
if [ "$hidden" -gt 0 ]; then
  : > $stage/dev/.hidden
  chmod 000 $stage/dev/.hidden
fi
for ((index = 0; index < hidden; index += 1)); do
  kind=$1 place=$2
  shift 2
  case $kind in
    folder) mount -t tmpfs -o ro,mode=000,nosuid,nodev tmpfs "$stage$place" ;;
    file)
      mount --bind -- $stage/dev/.hidden "$stage$place"
      mount -o remount,bind,ro,nosuid,nodev,noexec -- "$stage$place"
      ;;
  esac
done
if [ "$hidden" -gt 0 ]; then unlink $stage/dev/.hidden; fi
pivot_root $stage $stage/dev/shm
cd /
umount -l /dev/shm
mount -o remount,bind,ro,nosuid /dev
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs /dev/shm
unshare=$(type -P unshare) setpriv=$(type -P setpriv)
rights=(--no-new-privs)
if [ "$uid" = 0 ]; then rights+=(--bounding-set=-all --inh-caps=-all); fi
PATH=$path
exec "$unshare" --user --mount --map-user="$uid" --map-group="$gid" -- "$setpriv" "\${rights[@]}" -- "$@"
`;

/** The arguments of `unshare`, of util-linux 2.38 or later. */
export function namespacesArguments(
  { mounts, has_network, hides_run, has_own_tmp, hidden, inside }: Confinement,
  user: { readonly uid: number; readonly gid: number },
): readonly string[] {
  const own = [
    `${user.uid}`,
    `${user.gid}`,
    has_network ? 'yes' : 'no',
    hides_run ? 'yes' : 'no',
    has_own_tmp ? 'yes' : 'no',
    `${mounts.length}`,
    `${hidden.length}`,
  ];
  return [
    ...words('--user --map-root-user --mount --pid --fork --kill-child --ipc --uts'),
    ...words(has_network ? '' : '--net'),
    '--',
    inside.program,
    ...words('--noprofile --norc -c --'),
    script,
    inside.program,
    ...own,
    ...mounts.flatMap(({ path, mode }) => [mode, path]),
    ...hidden.flatMap(({ path, kind }) => [kind, path]),
    inside.program,
    ...inside.args,
  ];
}
