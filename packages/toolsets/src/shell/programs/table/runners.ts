import type { ProgramSpec, ProgramTable } from '../spec.js';

/** What follows its options is run. */
const runsRest: ProgramSpec = { isLoose: true, isPosix: true, operands: ['command'] };
/** The same after a subcommand; others fetch what is run later. */
const versions: ProgramSpec = {
  isLoose: true,
  commands: {
    exec: runsRest,
    'versions|version|current|list|where|which|whence|prefix|root|commands|help': { isLoose: true },
    '*': managesVersions(),
  },
};
const among = 'opaque:what it runs is among its arguments';
/** Runs what follows with secrets that it fetches. */
const withSecrets = (names: string): ProgramSpec => ({
  isLoose: true,
  commands: { [names]: { ...runsRest, does: ['secret.read', 'connect ?'] }, '*': { isLoose: true } },
  does: ['secret.read', 'connect ?'],
});
/** A terminal with a window, in which a program runs. */
const terminal: ProgramSpec = { ...runsRest, options: { '-e -x': 'shell' }, isDashed: true };

/** Programs that run another one, and that are not on every machine. */
export const runnerPrograms: ProgramTable = {
  'dbus-launch': { ...runsRest, flags: '--exit-with-session --exit-with-x11 --sh-syntax' },
  'systemd-inhibit': { ...runsRest, flags: '--list', values: '--who --why --what --mode' },
  'systemd-cat': { ...runsRest, values: '-t -p --identifier --priority' },
  caffeinate: { ...runsRest, flags: '-d -i -m -s -u', values: '-t -w' },
  cgexec: { ...runsRest, flags: '--sticky', values: '-g' },
  chpst: {
    ...runsRest,
    flags: '-v -P -0 -1 -2',
    values: '-u -U -b -e -/ -n -l -L -m -d -o -p -f -c -r -t -C',
  },
  softlimit: { ...runsRest, values: '-a -c -d -f -l -m -o -p -r -s -t' },
  setlock: { ...runsRest, flags: '-n -N -x -X', operands: ['write', 'command'] },
  envdir: { ...runsRest, operands: ['read/**', 'command'], does: ['env.set'] },
  's6-envdir': { like: 'envdir' },
  envuidgid: { ...runsRest, operands: ['value', 'command'] },
  's6-softlimit': { like: 'softlimit' },
  setuidgid: { ...runsRest, operands: ['value', 'command'], does: ['priv.escalate'] },
  's6-setuidgid': { like: 'setuidgid' },
  gosu: { like: 'setuidgid' },
  'su-exec': { like: 'setuidgid' },
  'with-contenv': runsRest,
  execlineb: {
    isPosix: true,
    flags: '-p -P -e -q -w -W -n',
    values: '-s -S',
    options: { '-c': 'code:execline' },
    operands: ['load:execline', 'rest'],
  },
  'aa-exec': { ...runsRest, values: '-p -n -d --profile --namespace', flags: '-i -v --immediate --verbose' },
  runcon: { ...runsRest, values: '-t -u -r -l --type --user --role --range', operands: ['entry:runcon'] },
  'runcon *': { operands: ['value', 'command'] },
  sandbox: { ...runsRest, values: '-t -l -H -T -W -i' },
  bear: {
    ...runsRest,
    options: { '-o --output': 'write', '--config': 'read' },
    does: ['write compile_commands.json'],
  },
  'scan-build': {
    ...runsRest,
    isDashed: true,
    options: { '-o': 'write/**', '-load-plugin': 'load' },
    does: ['write/** /tmp'],
  },
  ccache: {
    ...runsRest,
    options: {
      '-o --set-config -k --get-config -F -M --max-size': 'value',
      '-d': 'folder',
      '--config-path': 'load',
    },
  },
  distcc: { ...runsRest, does: ['connect ?'] },
  sccache: runsRest,
  icecc: { like: 'distcc' },
  ifne: { ...runsRest, flags: '-n' },
  chronic: { ...runsRest, flags: '-v -e' },
  errno: { flags: '-l -s -S', operands: ['...value'] },
  vipe: { isLoose: true, does: ['code:command ?'] },
  tsp: { ...runsRest, values: '-S -N -D -L' },
  viddy: { ...runsRest, values: '-n -s --interval --shell', operands: ['shell'] },
  asdf: versions,
  mise: {
    isLoose: true,
    commands: {
      'exec|x': {
        isLoose: true,
        values: '-C --cd -j',
        options: { '-c --command': 'code:sh' },
        operands: ['...value'],
        does: [among, 'connect ?'],
      },
      'current|ls|list|where|which|version|help': { isLoose: true },
      '*': managesVersions(),
    },
  },
  rbenv: versions,
  pyenv: versions,
  nodenv: versions,
  goenv: versions,
  jenv: versions,
  guix: {
    isLoose: true,
    commands: {
      'shell|environment': {
        isLoose: true,
        options: { '-f --file -m --manifest -l --load': 'load', '-e --expression': 'code:scheme' },
        operands: ['...value'],
        does: ['connect ?', among],
      },
      '*': { isLoose: true, does: ['connect ?', 'code:scheme ?'] },
    },
  },
  doppler: withSecrets('run'),
  infisical: withSecrets('run'),
  chamber: { isLoose: true, does: ['secret.read', 'connect ?', among] },
  'aws-vault': {
    isLoose: true,
    commands: {
      exec: { isLoose: true, operands: ['value', 'command'], does: ['secret.read', 'connect ?'] },
      '*': { isLoose: true, does: ['secret.read', 'connect ?'] },
    },
  },
  sops: {
    isLoose: true,
    commands: {
      'exec-env|exec-file': {
        isLoose: true,
        values: '--user',
        operands: ['read', 'code:sh'],
        does: ['secret.read', 'connect ?'],
      },
      '*': {
        isLoose: true,
        operands: ['...read+write'],
        does: ['secret.read', 'connect ?', 'code:command ?'],
      },
    },
  },
  dotenvx: {
    isLoose: true,
    commands: {
      run: { ...runsRest, options: { '-f --env-file': 'read' }, values: '-e --env' },
      '*': { isLoose: true },
    },
  },
  tsocks: runsRest,
  xterm: terminal,
  uxterm: terminal,
  urxvt: terminal,
  rxvt: terminal,
  st: terminal,
  kitty: {
    ...runsRest,
    values: '-T -o --title --class --override -d --directory',
    options: { '-c --config': 'load' },
  },
  foot: { ...runsRest, values: '-t -T -a -f -D', options: { '-c --config': 'load' } },
  alacritty: {
    isLoose: true,
    options: { '-e --command': 'command', '--config-file': 'load', '--working-directory': 'folder' },
    operands: ['...value'],
  },
  konsole: { isLoose: true, options: { '-e': 'command', '--workdir': 'folder' }, operands: ['...value'] },
  'gnome-terminal': { ...runsRest, options: { '-e --command': 'code:command', '-x --execute': 'command' } },
  'xfce4-terminal': { like: 'gnome-terminal' },
  terminator: { like: 'gnome-terminal' },
  'x-terminal-emulator': terminal,
  wezterm: { isLoose: true, commands: { start: runsRest, '*': { isLoose: true, does: ['code:sh ?'] } } },
  watchexec: {
    isLoose: true,
    isPosix: true,
    flags: '-r -c -p -q -v --restart --clear --postpone --quiet --verbose --no-vcs-ignore',
    values:
      '-e -w -f -i -d -s -o --exts --watch --filter --ignore --debounce --signal --delay-run --shell --workdir',
    options: { '--emit-events-to -E': 'value' },
    operands: ['shell'],
  },
  onchange: { isLoose: true, values: '-d -j -e -f', flags: '-i -k -a', does: [among] },
  chokidar: { isLoose: true, options: { '-c --command': 'code:sh' }, operands: ['...list'] },
  'chokidar-cli': { like: 'chokidar' },
  reflex: { ...runsRest, values: '-r -R -g -G -d', options: { '-c --config': 'load' }, flags: '-s -v' },
  pdsh: {
    isLoose: true,
    isPosix: true,
    values: '-f -l -t -u -x -R',
    options: { '-w': 'connect' },
    operands: ['rest'],
    does: ['connect ?'],
  },
  pssh: {
    isLoose: true,
    isPosix: true,
    values: '-l -p -t',
    options: { '-H --host': 'connect', '-h --hosts': 'read' },
    operands: ['rest'],
    does: ['connect ?'],
  },
  'parallel-ssh': { like: 'pssh' },
  clusterssh: { isLoose: true, operands: ['...connect'] },
  cssh: { like: 'clusterssh' },
  sem: { like: 'parallel', flags: '--fg --wait --bg', values: '--id --semaphore-name --semaphore-timeout' },
};

/** Fetches what it then runs, and keeps it in the home. */
function managesVersions(): ProgramSpec {
  return { isLoose: true, does: ['connect ?', 'code:sh ?', 'write/** ~'] };
}
