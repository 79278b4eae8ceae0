import type { ProgramTable } from '../spec.js';

/** Programs that say something about the system or about text, and touch no file that is named. */
export const systemPrograms: ProgramTable = {
  echo: { isClosed: true, isLoose: true, operands: ['...value'] },
  printf: { isClosed: true, isLoose: true, operands: ['...value'] },
  true: { isClosed: true, isLoose: true, operands: ['...value'] },
  false: { like: 'true' },
  ':': { like: 'true' },
  yes: { isClosed: true, isLoose: true, operands: ['...value'] },
  pwd: { flags: '-L -P --logical --physical' },
  seq: { flags: '-w --equal-width -#', values: '-f -s -t --format --separator', operands: ['...value'] },
  jot: { flags: '-c -n -r', values: '-b -w -s -p', operands: ['...value'] },
  expr: { isClosed: true, isLoose: true, operands: ['...value'] },
  factor: { flags: '-h --exponents', operands: ['...value'] },
  numfmt: {
    flags: '--debug --header? --zero-terminated -z',
    values:
      '-d --delimiter --field --format --from --from-unit --grouping --invalid --padding --round --suffix --to --to-unit',
    operands: ['...value'],
  },
  sleep: { operands: ['...value'] },
  whoami: {},
  logname: {},
  tty: { flags: '-s --silent --quiet' },
  id: {
    flags: '-a -g -G -n -r -u -z -Z -p -P --context --group --groups --name --real --user --zero',
    operands: ['...value'],
  },
  groups: { operands: ['...value'] },
  users: { operands: ['...read'] },
  who: {
    flags:
      '-a -b -d -H -l -m -p -q -r -s -t -T -u -w --all --boot --count --dead --heading --login --lookup --mesg --process --runlevel --short --time --users',
    operands: ['...read'],
  },
  w: {
    flags: '-h -u -s -f -i -o -p --no-header --no-current --short --from --ip-addr --old-style --pids',
    operands: ['...value'],
  },
  last: {
    flags: '-a -d -F -i -R -w -x -#',
    values: '-n -p -s -t',
    options: { '-f --file': 'read' },
    operands: ['...value'],
  },
  lastlog: { values: '-b -t -u' },
  uptime: { flags: '-p -s -h -V -c --pretty --since --container' },
  uname: {
    flags:
      '-a -s -n -r -v -m -p -i -o -K -U --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system',
  },
  arch: {},
  nproc: { flags: '--all', values: '--ignore' },
  hostid: {},
  getconf: { flags: '-a', values: '-v', operands: ['...value'] },
  locale: {
    flags: '-a -m -c -k -v --all-locales --charmaps --category-name --keyword-name --verbose',
    operands: ['...value'],
  },
  hostname: {
    flags:
      '-a -A -b -d -f -i -I -s -y --alias --all-fqdns --all-ip-addresses --boot --domain --fqdn --long --ip-address --short --yp --nis',
    options: { '-F --file': 'read+sys.admin:hostname' },
    operands: ['sys.admin:hostname'],
  },
  domainname: { like: 'hostname' },
  dnsdomainname: { flags: '-s -f -i' },
  date: {
    flags: '-u -R -j -n --utc --universal --rfc-email --resolution --debug -I? --iso-8601?',
    values: '-d --date --rfc-3339 -v',
    options: { '-f --file': 'read', '-r --reference': 'exists', '-s --set': 'sys.admin:clock' },
    operands: ['...code:date'],
  },
  cal: {
    flags:
      '-1 -3 -j -m -M -s -y -Y -w -h -b -C -N -S --monday --sunday --julian --year --three --one --twelve',
    values: '-A -B -d -n -H -c',
    operands: ['...value'],
  },
  ncal: { like: 'cal' },
  hwclock: {
    flags: '-r -l -u -v --show --get --localtime --utc --verbose',
    isLoose: true,
    does: ['sys.admin:clock unless -r --show --get'],
  },
  ps: {
    isLoose: true,
    isClosed: true,
    operands: ['...code:ps'],
    options: { '-E': '?value' },
  },
  pgrep: {
    flags:
      '-a -c -f -i -l -n -o -v -w -x -L -0 --count --full --ignore-case --inverse --lightweight --list-name --list-full --newest --oldest --exact --logpidfile --env?',
    values:
      '-d -F -g -G -P -r -s -t -u -U -A --delimiter --euid --group --ns --nslist --parent --pgroup --pidfile --runstates --session --terminal --uid --signal --older',
    operands: ['...value'],
  },
  pidof: {
    flags: '-c -q -s -w -x -z --single-shot --check-root --quiet --with-workers',
    values: '-o -S --omit-pid --separator',
    operands: ['...value'],
  },
  pstree: {
    flags:
      '-a -A -c -C? -g -G -h -k -l -n -p -r -s -S -t -T -u -U -Z --arguments --ascii --compact-not --show-pgids --highlight-all --long --numeric-sort --show-pids --show-parents',
    values: '-H -N --color',
    operands: ['...value'],
  },
  top: { flags: '-b -c -e? -i -S -s -H -1', values: '-d -n -o -p -u -U -w -l -E', operands: [] },
  htop: {
    flags: '-C -t -M --no-color --tree',
    values: '-d -p -s -u --delay --pid --sort-key --user',
    operands: [],
  },
  free: {
    flags:
      '-b -k -m -g -h -l -t -v -w -L --bytes --kibi --mebi --gibi --tera --human --lohi --total --wide --si --kilo --mega --giga --line',
    values: '-c -s --count --seconds',
  },
  vmstat: {
    flags:
      '-a -d -D -f -m -n -s -t -w -y --active --forks --slabs --one-header --stats --disk --timestamp --wide',
    values: '-p -S',
    operands: ['...value'],
  },
  iostat: {
    flags: '-c -d -h -k -m -N -s -t -x -y -z --human',
    values: '-g -j -o -p',
    operands: ['...value'],
  },
  mpstat: { flags: '-A -n -u -V', values: '-I -P -N -o', operands: ['...value'] },
  lscpu: {
    flags:
      '-a -b -B -c -e? -J -p? -x -y -r --all --online --offline --json --parse? --extended? --hex --physical',
    values: '-s --sysroot --output-all',
  },
  lsblk: {
    flags:
      '-a -A -b -d -D -f -i -J -l -m -n -N -O -p -P -r -s -S -t -T? -v -y -z --all --bytes --nodeps --fs --json --list --noheadings --output-all --paths --pairs --raw --topology --scsi --tree?',
    values: '-e -E -I -M -o -w -x --exclude --include --output --sort',
    operands: ['...value'],
  },
  lspci: { flags: '-b -D -k -m -n -P -q -t -v -x -vv -nn', values: '-d -s', options: { '-i -p -F': 'read' } },
  lsusb: { flags: '-t -v', values: '-d -s', options: { '-D': 'read' } },
  lsmod: {},
  lsns: {
    flags: '-J -l -n -r -u -W -T? --json --list --noheadings --raw',
    values: '-o -t -p --output --type --task',
    operands: ['...value'],
  },
  lsof: {
    flags: '-a -b -C -h -K? -l -M -n -N -O -P -R -t -U -v -V -w -X -i? -F? -r? -s? -T? -L? -o? -x?',
    values: '-c -g -p -u -d -S -A -e -E',
    options: { '+d +D': 'list/**', '-D -k -m': 'read' },
    operands: ['...list'],
  },
  dmesg: {
    flags:
      '-d -e -f? -h -H -k -L? -P -r -S -t -T -u -w -W -x -J -c -C -D -E --clear --read-clear --console-off --console-on --ctime --human --kernel --raw --reltime --notime --userspace --follow --decode --nopager',
    values: '-l --level --facility --since --until --time-format -s',
    options: { '-F --file': 'read', '-n --console-level': 'sys.admin:kernel-log' },
    does: ['sys.admin:kernel-log if -c -C -D -E --clear --read-clear --console-off --console-on'],
  },
  printenv: { flags: '-0 --null', operands: ['...env.read'], does: ['env.read if none'] },
  tput: { flags: '-S -V -x', values: '-T', operands: ['...value'] },
  clear: { flags: '-x -V', values: '-T' },
  reset: { flags: '-c -I -q -Q -r -s -V -w', values: '-e -i -k -m', operands: ['...value'] },
  tset: { like: 'reset' },
  stty: { flags: '-a -g -F? --all --save', operands: ['...value'] },
  infocmp: { isClosed: true, flags: '-1 -C -r -x -L -I', operands: ['...value'] },
  dircolors: {
    flags: '-b -c -p --sh --csh --bourne-shell --c-shell --print-database --print-ls-colors',
    operands: ['read'],
  },
  cowsay: {
    flags: '-b -d -g -n -p -s -t -w -y -l',
    values: '-e -T -W',
    options: { '-f': 'load:perl' },
    operands: ['...value'],
  },
  figlet: {
    isClosed: true,
    flags: '-c -l -r -k -W',
    values: '-w',
    options: { '-f -d': 'read' },
    operands: ['...value'],
  },
  neofetch: { isLoose: true, does: ['code:sh ?'] },
  uuidgen: { flags: '-r -t -m -s -x --random --time --md5 --sha1', values: '-n -N --namespace --name' },
  mcookie: { values: '-m', options: { '-f --file': 'read' } },
  getent: {
    flags: '-i',
    values: '-s --service',
    commands: {
      'hosts|ahosts|ahostsv4|ahostsv6': { operands: ['...connect:dns/53'] },
      'passwd|group|shadow|gshadow|services|protocols|networks|rpc|aliases|ethers|netgroup|initgroups': {
        operands: ['...value'],
        does: ['read /etc/passwd'],
      },
      '*': { operands: ['...value'], does: ['read /etc/passwd', 'connect ?'] },
    },
  },
  finger: { flags: '-l -m -p -s', operands: ['...code:finger'] },
  umask: { flags: '-S -p', operands: ['...value'] },
  times: {},
  jobs: { flags: '-l -n -p -r -s', operands: ['...value'] },
  wait: { flags: '-f -n', values: '-p', operands: ['...value'] },
  type: { flags: '-a -f -p -P -t', operands: ['...value'] },
  hash: { flags: '-d -l -r -t', values: '-p', operands: ['...value'] },
  history: {
    flags: '-a -c -n -p -r -s -w -#',
    values: '-d',
    operands: ['read if -r -n', 'write if -w -a', '...value unless -r -n -w -a'],
  },
  pbpaste: { values: '-pboard -Prefer', isDashed: true },
  pbcopy: { values: '-pboard', isDashed: true },
  xclip: {
    flags: '-i -o -f -r -in -out -rmlastnl',
    values: '-selection -sel -t -target -d -display -l -loops',
    isDashed: true,
    operands: ['...read'],
  },
  xsel: {
    flags: '-a -b -c -i -k -o -p -s -x --append --clear --input --output --primary --secondary --clipboard',
    values: '-t --selectionTimeout',
  },
  'wl-copy': {
    flags: '-f -n -o -p -c --foreground --paste-once --primary --clear --trim-newline',
    values: '-t -s --type',
    operands: ['...value'],
  },
  'wl-paste': {
    flags: '-n -l -p --no-newline --list-types --primary',
    values: '-t --type',
    options: { '-w --watch': 'command' },
  },
};
