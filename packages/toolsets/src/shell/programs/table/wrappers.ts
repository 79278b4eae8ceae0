import type { ProgramTable } from '../spec.js';

/** Programs that run another one. */
export const wrapperPrograms: ProgramTable = {
  sudo: {
    flags:
      '-A -b -B -e -E -H -i -k -K -l -n -N -P -s -S -v -V --askpass --background --bell --edit --set-home --help --login --remove-timestamp --reset-timestamp --list --non-interactive --no-update --preserve-groups --preserve-env? --shell --stdin --validate --version',
    values:
      '-C -g -h -p -r -t -T -u -U --close-from --group --host --prompt --role --type --command-timeout --user --other-user',
    options: { '-D --chdir': 'folder', '-R --chroot': 'opaque:the root folder is another one' },
    isPosix: true,
    operands: ['*assignment', '...write if -e --edit', 'command unless -e --edit'],
    does: ['priv.escalate', 'input:sh if none unless -l -v -V -k -K -e --list --validate --version --edit'],
  },
  env: {
    flags:
      '-0 -i -v --null --ignore-environment --debug --help --version --list-signal-handling --block-signal? --default-signal? --ignore-signal? -',
    options: {
      '-u --unset': 'value',
      '-C --chdir': 'folder',
      '-S --split-string': 'code:sh',
      '-P': 'value',
    },
    isPosix: true,
    operands: ['*assignment', 'command'],
    does: ['env.read if none'],
  },
  xargs: {
    flags:
      '-0 -o -p -r -t -x --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits -e? -l? --eof? --max-lines? --help --version',
    values: '-d -E -L -n -P -s -R -S --delimiter --max-args --max-procs --max-chars --process-slot-var',
    options: { '-a --arg-file': 'read', '-I -J': 'placeholder', '-i --replace': '?placeholder' },
    isPosix: true,
    operands: ['command:open'],
  },
  timeout: {
    flags: '-f -p -v --foreground --preserve-status --verbose --help --version',
    values: '-k -s --kill-after --signal',
    isPosix: true,
    operands: ['value', 'command'],
  },
  nohup: { flags: '--help --version', isPosix: true, operands: ['command'] },
  nice: { flags: '-# --help --version', values: '-n --adjustment', isPosix: true, operands: ['command'] },
  time: {
    flags: '-a -p -q -v -l -h --append --portability --quiet --verbose --help --version -V',
    values: '-f --format',
    options: { '-o --output': 'write' },
    isPosix: true,
    operands: ['command'],
  },
  setsid: {
    flags: '-c -f -w --ctty --fork --wait -h --help -V --version',
    isPosix: true,
    operands: ['command'],
  },
  stdbuf: {
    flags: '--help --version',
    values: '-i -o -e --input --output --error',
    isPosix: true,
    operands: ['command'],
  },
};
