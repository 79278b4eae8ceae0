import type { ProgramSpec, ProgramTable } from '../spec.js';

/** Its options touch nothing, and what follows them is run. */
const runsRest: ProgramSpec = { isPosix: true, operands: ['command'] };

/** Programs that run another one. */
export const wrapperPrograms: ProgramTable = {
  sudo: {
    flags:
      '-A -b -B -e -E -H -i -k -K -l -n -N -P -s -S -v -V --askpass --background --bell --edit --set-home --login --remove-timestamp --reset-timestamp --list --non-interactive --no-update --preserve-groups --preserve-env? --shell --stdin --validate',
    values:
      '-C -g -h -p -r -t -T -u -U --close-from --group --host --prompt --role --type --command-timeout --user --other-user',
    options: { '-D --chdir': 'folder', '-R --chroot': 'opaque:the root folder is another one' },
    isPosix: true,
    operands: ['*assignment', '...write if -e --edit', 'command unless -e --edit'],
    does: ['priv.escalate', 'input:sh if none if -s -i --shell --login'],
  },
  sudoedit: { isLoose: true, operands: ['...write'], does: ['priv.escalate'] },
  visudo: { isLoose: true, options: { '-f --file': 'write' }, does: ['priv.escalate', 'sys.admin:sudoers'] },
  doas: {
    flags: '-L -n -s',
    values: '-u -a',
    options: { '-C': 'read' },
    isPosix: true,
    operands: ['command'],
    does: ['priv.escalate', 'input:sh if -s'],
  },
  pkexec: {
    flags: '--disable-internal-agent --keep-cwd',
    values: '--user',
    isPosix: true,
    operands: ['command'],
    does: ['priv.escalate'],
  },
  run0: {
    isLoose: true,
    isPosix: true,
    values: '-u --user -g --group --property -p --unit --nice',
    options: { '-D --chdir': 'folder' },
    operands: ['command'],
    does: ['priv.escalate'],
  },
  gksudo: { like: 'pkexec', isLoose: true },
  kdesudo: { like: 'gksudo' },
  su: {
    flags: '- -l -m -p -P -f -h -T --login --preserve-environment --pty --fast --no-pty',
    values: '-g -G -w --group --supp-group --whitelist-environment',
    options: { '-c --command --session-command': 'code:sh', '-s --shell': 'run' },
    operands: ['...value'],
    does: ['priv.escalate', 'input:sh unless -c --command --session-command'],
  },
  runuser: {
    like: 'su',
    values: '-u --user',
    isPosix: true,
    operands: ['command if -u --user', '...value unless -u --user'],
  },
  sg: { flags: '-', operands: ['value', 'code:sh'], options: { '-c': 'code:sh' }, does: ['priv.escalate'] },
  newgrp: { flags: '-', operands: ['value'], does: ['priv.escalate', 'input:sh'] },
  login: { isLoose: true, does: ['priv.escalate'] },
  machinectl: { isLoose: true, does: ['priv.escalate', 'sys.admin:machines'] },
  capsh: {
    isLoose: true,
    isPosix: true,
    does: ['priv.escalate', 'opaque:what it runs is among its arguments'],
  },
  setpriv: {
    isLoose: true,
    isPosix: true,
    values:
      '--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig --selinux-label --apparmor-profile',
    operands: ['command'],
    does: ['priv.escalate'],
  },
  env: {
    flags:
      '-0 -i -v --null --ignore-environment --debug --list-signal-handling --block-signal? --default-signal? --ignore-signal? -',
    options: {
      '-u --unset -a --argv0': 'value',
      '-C --chdir': 'folder',
      '-S --split-string': 'split:env',
      '-P': 'value',
    },
    isPosix: true,
    operands: ['*assignment', 'command'],
    does: ['env.read if none unless -S --split-string'],
  },
  xargs: {
    flags:
      '-0 -o -p -r -t -x --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits -e? -l? --eof? --max-lines?',
    values: '-d -E -L -n -P -s -R -S --delimiter --max-args --max-procs --max-chars --process-slot-var',
    options: { '-a --arg-file': 'read', '-I -J': 'placeholder', '-i --replace': '?placeholder' },
    isPosix: true,
    operands: ['command:open'],
  },
  parallel: {
    isLoose: true,
    isPosix: true,
    flags:
      '-0 -k -m -t -u -v -X -q --bar --dry-run --eta --group --keep-order --line-buffer --lb --linebuffer --no-notice --null --pipe --pipepart --plus --progress --quote --shuf --tag --ungroup --verbose --xargs --will-cite --citation --bibtex --gnu',
    values:
      '-C -d -D -E -j -L -l -N -n -P -s --arg-sep --arg-file-sep --block --colsep --delay --delimiter --env --halt --jobs --load --max-args --max-chars --max-procs --max-replace-args --memfree --nice --recend --recstart --retries --rpl --seqreplace --sshdelay --tagstring --timeout --termseq --basenamereplace',
    options: {
      '-a --arg-file': 'read',
      '-I': 'placeholder',
      '-i --replace': '?placeholder',
      '-S --sshlogin': 'connect',
      '--slf --sshloginfile': 'read',
      '--results --joblog --tmpdir --files': 'write/**',
      '--wd --workdir': 'folder',
      '--shebang --shebang-wrap': 'opaque:its file says what is run',
      '--transferfile --return --basefile --bf': 'read+write',
      '--profile -J': 'load',
      '--ssh': 'code:command',
    },
    operands: ['shell:open'],
    does: ['input:sh if none'],
  },
  rush: { like: 'parallel' },
  timeout: {
    flags: '-f -p -v --foreground --preserve-status --verbose',
    values: '-k -s --kill-after --signal',
    isPosix: true,
    operands: ['value', 'command'],
  },
  gtimeout: { like: 'timeout' },
  nohup: runsRest,
  nice: { ...runsRest, flags: '-#', values: '-n --adjustment' },
  ionice: {
    ...runsRest,
    flags: '-t --ignore',
    values: '-c -n -p -P -u --class --classdata --pid --pgid --uid',
  },
  chrt: {
    ...runsRest,
    flags: '-a -b -d -f -i -m -o -p -r -R -v -e',
    values: '-T -P -D',
    operands: ['value', 'command'],
  },
  taskset: {
    ...runsRest,
    flags: '-a -p -c --all-tasks --pid --cpu-list',
    operands: ['value', 'command unless -p --pid'],
  },
  numactl: {
    ...runsRest,
    isLoose: true,
    values: '-i -N -m -C -p -P --interleave --cpunodebind --membind --physcpubind --preferred',
  },
  cpulimit: { ...runsRest, isLoose: true, values: '-l -p -e --limit', flags: '-i -z' },
  prlimit: { ...runsRest, isLoose: true, flags: '--noheadings --raw' },
  time: {
    ...runsRest,
    flags: '-a -p -q -v -l -h -V --append --portability --quiet --verbose',
    values: '-f --format',
    options: { '-o --output': 'write' },
  },
  setsid: { ...runsRest, flags: '-c -f -w -h -V --ctty --fork --wait' },
  ...architectures(),
  stdbuf: { ...runsRest, values: '-i -o -e --input --output --error' },
  unbuffer: { ...runsRest, flags: '-p' },
  catchsegv: runsRest,
  fakeroot: {
    ...runsRest,
    flags: '-u -h -v --unknown-is-real',
    values: '-b',
    options: { '-l --lib --faked': 'load', '-s': 'write', '-i': 'read' },
    does: ['input:sh if none'],
  },
  eatmydata: runsRest,
  proot: {
    ...runsRest,
    isLoose: true,
    options: { '-r --rootfs -R': 'opaque:the root folder is another one', '-b --bind -w --cwd': 'value' },
  },
  chroot: {
    flags: '--skip-chdir',
    values: '--groups --userspec -u -g',
    isPosix: true,
    operands: ['read/**', 'rest'],
    does: ['priv.escalate', 'opaque:what is run is below another root folder'],
  },
  'systemd-nspawn': {
    isLoose: true,
    does: ['priv.escalate', 'opaque:what is run is below another root folder'],
  },
  unshare: {
    ...runsRest,
    isLoose: true,
    flags:
      '-m -u -i -n -p -U -C -T -f -r -c --mount --uts --ipc --net --pid --user --cgroup --time --fork --map-root-user --map-current-user --mount-proc --kill-child --keep-caps',
    values: '--map-user --map-group --propagation --setgroups -S -G --setuid --setgid',
    options: { '-w --wd': 'folder', '-R --root': 'opaque:the root folder is another one' },
    does: ['priv.escalate', 'input:sh if none'],
  },
  nsenter: {
    ...runsRest,
    isLoose: true,
    flags: '-a -m -u -i -n -p -U -C -T -r -w -F --all --mount --uts --ipc --net --pid --user',
    values: '-t --target -S -G',
    does: ['priv.escalate', 'input:sh if none'],
  },
  bwrap: {
    isLoose: true,
    isPosix: true,
    operands: ['rest'],
    does: ['opaque:what is run sees other folders'],
  },
  firejail: { ...runsRest, isLoose: true },
  'flock -c': { operands: ['code:sh'] },
  'flock --command': { operands: ['code:sh'] },
  'flock *': runsRest,
  flock: {
    flags: '-e -F -n -o -s -u -x --close --exclusive --nb --nonblock --no-fork --shared --unlock --verbose',
    values: '-E -w --conflict-exit-code --timeout --wait',
    options: { '-c --command': 'code:sh' },
    isPosix: true,
    operands: ['write', 'entry:flock'],
  },
};

/** `setarch` with the name of one, and the names by themselves. */
function architectures(): ProgramTable {
  const names =
    'linux32 linux64 i386 i486 i586 i686 athlon x86_64 uname26 aarch64 arm armv7l armv8l ppc ppc32 ppc64 ppc64le s390 s390x mips mips64 sparc sparc64 alpha ia64 parisc riscv64 sh';
  const spec: ProgramSpec = { ...runsRest, isLoose: true, flags: '-R -B -F -I -L -S -T -X -Z -3 -v' };
  const named = names.split(' ').map((name) => [`setarch ${name}`, spec] as const);
  const own = 'linux32 linux64 i386 i486 i586 i686 x86_64 uname26'.split(' ');
  return {
    setarch: { ...spec, operands: ['entry:setarch'] },
    'setarch *': spec,
    ...Object.fromEntries(named),
    ...Object.fromEntries(own.map((name) => [name, spec])),
  };
}
