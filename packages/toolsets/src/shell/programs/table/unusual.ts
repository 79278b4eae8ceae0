import type { ProgramSpec, ProgramTable } from '../spec.js';

/** Connects to the hosts that it is told. */
const connects: ProgramSpec = { isLoose: true, operands: ['...connect'] };
/** Connects to a service of its own. */
const calls: ProgramSpec = { isLoose: true, operands: ['...value'], does: ['connect ?'] };
/** Sends files through a service of its own. */
const sends: ProgramSpec = { isLoose: true, operands: ['value', '...read/**'], does: ['connect ?'] };
/** Waits for others to connect. */
const serves: ProgramSpec = { isLoose: true, does: ['net.listen'] };
/** An agent: it runs what a model says. */
const agent: ProgramSpec = { isLoose: true, does: ['connect ?', 'code:sh ?', 'write/** .'] };
/** Writes files beside those that it reads. */
const generates: ProgramSpec = {
  isLoose: true,
  options: { '-o --output': 'write' },
  operands: ['...read'],
  does: ['write/** . unless -o --output'],
};
/** Runs a program that is made for another machine. */
const emulates: ProgramSpec = { isLoose: true, isPosix: true, isDashed: true, operands: ['run', 'rest'] };

/** Services, agents, generators and machines that few lines name, and that do more than they look like. */
export const unusualPrograms: ProgramTable = {
  'gnutls-cli': { ...connects, values: '-p --port' },
  ncftpput: { isLoose: true, values: '-u -p -P', operands: ['connect:ftp/21', 'value', '...read'] },
  ncftpget: {
    isLoose: true,
    values: '-u -p -P',
    operands: ['connect:ftp/21', '...value'],
    does: ['write/** .'],
  },
  iperf: {
    isLoose: true,
    flags: '-s --server -u -R -V -J',
    values: '-p -t -i -P -b',
    options: { '-c --client': 'connect', '--logfile': 'write' },
    does: ['net.listen:5201 if -s --server'],
  },
  iperf3: { like: 'iperf' },
  nping: connects,
  ntpdate: { ...connects, does: ['sys.admin:clock'] },
  snmpget: { isLoose: true, values: '-c -v -u -l -a -A -x -X', operands: ['connect', '...value'] },
  snmpwalk: { like: 'snmpget' },
  snmpset: { like: 'snmpget' },
  ldapsearch: {
    isLoose: true,
    options: { '-H -h': 'connect', '-f -y': 'read' },
    does: ['connect ? unless -H -h'],
  },
  ldapmodify: { like: 'ldapsearch' },
  showmount: { ...connects, does: ['connect ?'] },
  rpcinfo: { ...connects, does: ['connect ?'] },
  wscat: { isLoose: true, options: { '-c --connect': 'connect', '-l --listen': 'net.listen' } },
  GET: { ...connects, options: { '-H -C -p': 'value' } },
  HEAD: { like: 'GET' },
  POST: { like: 'GET' },
  'lwp-request': { like: 'GET' },
  'lwp-download': { isLoose: true, operands: ['connect', 'write'], does: ['write/** . unless many'] },
  etcdctl: { isLoose: true, options: { '--endpoints': 'connect' }, does: ['connect ? unless --endpoints'] },
  consul: calls,
  nomad: { ...calls, options: { '-address': 'connect' }, isDashed: true },
  'systemd-resolve': { ...connects, does: ['connect ?'] },
  tailscale: { isLoose: true, does: ['connect ?', 'sys.admin:network'] },
  tor: { isLoose: true, options: { '-f': 'load' }, does: ['connect ?', 'net.listen:9050'] },
  opkg: { isLoose: true, does: ['connect ?', 'sys.admin:packages', 'code:sh ?'] },
  freshclam: { isLoose: true, does: ['connect ?', 'write/** /var/lib/clamav'] },
  lt: { ...calls, values: '-p --port -s --subdomain -h --host' },
  localtunnel: { like: 'lt' },
  croc: sends,
  wormhole: sends,
  'magic-wormhole': sends,
  ffsend: sends,
  transfer: sends,
  eb: calls,
  xinetd: { ...serves, options: { '-f': 'load' } },
  inetd: serves,
  dnsmasq: { ...serves, options: { '-C --conf-file': 'load' } },
  vsftpd: serves,
  'json-server': serves,
  'live-server': serves,
  claude: agent,
  codex: agent,
  gemini: agent,
  aider: agent,
  opencode: agent,
  'cursor-agent': agent,
  goose: agent,
  ollama: calls,
  prove: {
    isLoose: true,
    options: { '-I': 'load', '-e --exec': 'code:command', '-P': 'value' },
    operands: ['...load:perl'],
    does: ['code:perl ?'],
  },
  mono: { isLoose: true, isPosix: true, operands: ['load', 'rest'], does: ['code:dotnet ?'] },
  wine: { isLoose: true, isPosix: true, operands: ['load', 'rest'], does: ['code:windows ?'] },
  wasmtime: {
    isLoose: true,
    isPosix: true,
    options: { '--dir': 'read/**+write/**' },
    commands: {
      'run|serve|compile': {
        isLoose: true,
        isPosix: true,
        operands: ['load:wasm', 'rest'],
        does: ['code:wasm ?'],
      },
      '*': { isLoose: true, does: ['code:wasm ?', 'load ?'] },
    },
  },
  wasmer: { like: 'wasmtime' },
  'qemu-x86_64': emulates,
  'qemu-aarch64': emulates,
  'qemu-arm': emulates,
  'qemu-i386': emulates,
  cobc: { ...generates, isDashed: true, does: ['write/** .', 'code:cobol ?'] },
  plantuml: { ...generates, does: ['write/** .', 'connect ?'] },
  swig: generates,
  flex: { ...generates, does: ['write lex.yy.c unless -o --output'] },
  lex: { like: 'flex' },
  bison: { ...generates, options: { '-o --output --defines': 'write' } },
  yacc: { ...generates, options: { '-o': 'write', '-b': 'value' }, does: ['write/** .'] },
  gcov: generates,
  cscope: {
    isLoose: true,
    options: { '-f': 'write', '-i': 'read' },
    does: ['read/** .', 'write cscope.out'],
  },
  uudecode: {
    isLoose: true,
    options: { '-o': 'write' },
    operands: ['...read'],
    does: ['write/** . unless -o'],
  },
  uuencode: { isLoose: true, operands: ['read', 'value'] },
  zipnote: { isLoose: true, flags: '-w -q', operands: ['read', '...value'], does: ['write/** . if -w'] },
  wipe: { isLoose: true, operands: ['...write/**+delete/**'] },
  srm: { like: 'wipe' },
  scrub: { isLoose: true, operands: ['...write'] },
  pg: { isLoose: true, operands: ['...read'] },
  pidstat: { isLoose: true, values: '-p -C -G -T -U', options: { '-e': 'command' }, operands: ['...value'] },
  trust: { isLoose: true, operands: ['...value'], does: ['sys.admin:certificates'] },
};
