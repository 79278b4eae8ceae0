import type { Hidden } from './hidden.js';
import type { Inside } from './inside.js';
import type { Mount } from './mounts.js';

export interface Confinement {
  readonly mounts: readonly Mount[];
  readonly has_network: boolean;
  /** Whether sockets of services are hidden: a read-only mount does not prevent their use. */
  readonly hides_run: boolean;
  /** Whether `/tmp` is empty, writable and removed afterwards. */
  readonly has_own_tmp: boolean;
  /** Hidden places, whatever else is mounted. */
  readonly hidden: readonly Hidden[];
  readonly inside: Inside;
}

export function bubblewrapArguments({
  mounts,
  has_network,
  hides_run,
  has_own_tmp,
  hidden,
  inside,
}: Confinement): readonly string[] {
  const binds = mounts.flatMap(({ path, mode }) => [mode === 'ro' ? '--ro-bind' : '--bind', path, path]);
  return [
    ...words('--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try'),
    ...words(has_network ? '' : '--unshare-net'),
    ...words('--die-with-parent --cap-drop ALL --ro-bind / / --dev /dev --proc /proc'),
    ...words(hides_run ? '--tmpfs /run' : ''),
    ...words(has_own_tmp ? '--perms 1777 --tmpfs /tmp' : ''),
    ...binds,
    ...hidden.flatMap(({ path, kind }) =>
      kind === 'folder' ? ['--perms', '0000', '--tmpfs', path] : ['--ro-bind', '/dev/null', path],
    ),
    '--',
    inside.program,
    ...inside.args,
  ];
}

/** Arguments with blanks between. */
export function words(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}
