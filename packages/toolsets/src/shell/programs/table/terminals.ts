import type { ProgramSpec, ProgramTable } from '../spec.js';

/** Its options touch nothing, and what follows them is run. */
const runsRest: ProgramSpec = { isPosix: true, operands: ['command'] };

/** Programs that keep a terminal for others, record it, or look at what they do. */
export const terminalPrograms: ProgramTable = {
  watch: {
    flags:
      '-b -c -C -d? -e -g -p -t -w -x -r --beep --color --no-color --differences? --errexit --chgexit --precise --no-title --no-wrap --exec --equexit --follow',
    values: '-n -q --interval --shotsdir -s',
    isPosix: true,
    operands: ['shell unless -x --exec', 'command if -x --exec'],
  },
  script: {
    flags: '-a -e -f -q --append --return --flush --force --quiet -k -p -r',
    values: '-E -m -o --echo --logging-format --output-limit',
    options: {
      '-c --command': 'code:sh',
      '-B -I -O -T -t --log-io --log-in --log-out --log-timing --timing': 'write',
    },
    operands: ['write=typescript', '...value'],
    does: ['input:sh unless -c --command'],
  },
  scriptreplay: { isLoose: true, operands: ['...read'] },
  strace: {
    ...runsRest,
    flags:
      '-A -c -C -d -D -DD -DDD -f -ff -F -h -i -k -n -N -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -z -Z --follow-forks',
    values: '-a -b -e -I -O -p -P -s -S -u -U -X',
    options: { '-o --output': 'code:pipe-or-file', '-E --env': 'assignment' },
    does: ['proc.signal if -p'],
  },
  ltrace: { like: 'strace', isLoose: true, values: '-l --library' },
  perf: {
    isLoose: true,
    isPosix: true,
    commands: {
      'stat|record|trace|mem|c2c|sched': {
        isLoose: true,
        isPosix: true,
        values: '-e -p -t -C -F -c --event',
        options: { '-o --output': 'write' },
        operands: ['command'],
        does: ['write perf.data'],
      },
      '*': { isLoose: true, options: { '-i --input': 'read' }, does: ['code:perf ?'] },
    },
  },
  valgrind: { ...runsRest, isLoose: true, options: { '--log-file': 'write', '--suppressions': 'read' } },
  rr: { isLoose: true, isPosix: true, operands: ['value', 'command'] },
  hyperfine: {
    isLoose: true,
    options: {
      '-p --prepare -c --cleanup -s --setup --conclude -C': 'code:sh',
      '-S --shell': 'run',
      '--export-json --export-csv --export-markdown --export-asciidoc --export-orgmode': 'write',
      '-w --warmup -r --runs -m --min-runs -M --max-runs -L --parameter-list -P --parameter-scan -n --command-name -u --time-unit --style --output --input':
        'value',
    },
    operands: ['...code:sh'],
  },
  direnv: {
    isLoose: true,
    commands: {
      exec: { isPosix: true, operands: ['load', 'command'] },
      '*': { isLoose: true, does: ['load .envrc'] },
    },
  },
  busybox: { isPosix: true, flags: '--list --list-full --install?', operands: ['command'] },
  toybox: { like: 'busybox' },
  coreutils: {
    isLoose: true,
    isPosix: true,
    options: { '--coreutils-prog-shebang --coreutils-prog': 'opaque:which program is run is its option' },
    operands: ['command'],
  },
  exec: { flags: '-c -l', values: '-a', isPosix: true, operands: ['command'] },
  command: { flags: '-p', isPosix: true, options: { '-v -V': 'value, rest' }, operands: ['command'] },
  builtin: runsRest,
  nocorrect: runsRest,
  noglob: runsRest,
  torify: runsRest,
  torsocks: { ...runsRest, isLoose: true },
  proxychains: { ...runsRest, flags: '-q', options: { '-f': 'load' }, does: ['connect ?'] },
  proxychains4: { like: 'proxychains' },
  daemonize: {
    ...runsRest,
    flags: '-a -v',
    values: '-E',
    options: { '-c': 'folder', '-e -o -p -l': 'write', '-u': 'priv.escalate' },
  },
  'start-stop-daemon': {
    isLoose: true,
    flags:
      '-S --start -K --stop -T --status -b --background -m --make-pidfile -q --quiet -v --verbose -t --test -o --oknodo -C --no-close --remove-pidfile --notify-await',
    values:
      '-s --signal -R --retry -g --group -k --umask -N --nicelevel -P --procsched -I --iosched -u --user',
    options: {
      '-x --exec -a --startas': 'run',
      '-d --chdir': 'folder',
      '-p --pidfile': 'write',
      '-c --chuid': 'priv.escalate',
      '-n --name': 'proc.signal',
    },
    operands: ['...value'],
  },
  'run-parts': {
    isLoose: true,
    options: { '-a --arg --regex --lsbsysinit': 'value' },
    operands: ['load'],
    does: ['code:sh ?'],
  },
  screen: {
    isLoose: true,
    isPosix: true,
    values: '-e -h -p -r -R -s -t -T -x -S -dmS -mdS -dS',
    options: { '-c': 'load', '-Logfile': 'write', '-X': 'opaque:its commands are not read, rest' },
    flags: '-d -D -m -q -U -a -A -i -l -ls -list -L -wipe -dm -Dm',
    isDashed: true,
    operands: ['command'],
  },
  tmux: {
    isLoose: true,
    flags: '-V',
    values: '-L -S -T',
    options: { '-f': 'load', '-c': 'code:sh' },
    commands: {
      'new-session|new|neww|new-window|split-window|splitw|respawn-pane|respawnp|respawn-window|respawnw|display-popup|popup':
        {
          isLoose: true,
          isPosix: true,
          values: '-e -F -f -n -s -t -x -y -l -w -h -b -B -S -T',
          options: { '-c': 'value' },
          flags: '-A -D -d -E -P -X -v -k -Z -a',
          operands: ['code:sh', 'rest'],
        },
      'run-shell|run': { isLoose: true, values: '-d -t', options: { '-c': 'folder' }, operands: ['code:sh'] },
      'if-shell|if': {
        isLoose: true,
        values: '-t',
        operands: ['code:sh', 'opaque:its commands are not read', 'opaque:its commands are not read'],
      },
      'pipe-pane|pipep': { isLoose: true, values: '-t', operands: ['code:sh'] },
      'source-file|source': { isLoose: true, operands: ['...load'] },
      'send-keys|send': { isLoose: true, does: ['opaque:keys are sent to another program'] },
      'save-buffer|saveb': { isLoose: true, values: '-b', operands: ['write'] },
      'load-buffer|loadb': { isLoose: true, values: '-b -t', operands: ['read'] },
      'list-sessions|ls|list-windows|lsw|list-panes|lsp|list-clients|lsc|list-buffers|lsb|show-options|show|info|display-message|display|capture-pane|capturep|has-session|has|kill-session|kill-server|kill-window|kill-pane|attach|attach-session|a|detach|detach-client|rename-session|select-window|select-pane|resize-pane':
        { isLoose: true, operands: ['...value'] },
      '*': { isLoose: true, does: ['opaque:its commands are not read'] },
    },
    does: ['input:sh if none unless -V'],
  },
  zellij: {
    isLoose: true,
    commands: {
      'run|r': {
        isLoose: true,
        isPosix: true,
        values: '-d -n --direction --name --cwd',
        operands: ['command'],
      },
      '*': { isLoose: true, does: ['code:sh ?'] },
    },
  },
  dtach: { isLoose: true, isPosix: true, operands: ['command'], options: { '-n -c -A -a': 'write' } },
  'dbus-run-session': { ...runsRest, isLoose: true },
  'dbus-send': { isLoose: true, does: ['sys.admin:bus'] },
  busctl: { isLoose: true, does: ['sys.admin:bus'] },
  gdbus: { isLoose: true, does: ['sys.admin:bus'] },
  rlwrap: { ...runsRest, isLoose: true },
  'xvfb-run': { ...runsRest, isLoose: true, values: '-n -s -e -f -p --server-args --server-num' },
};
