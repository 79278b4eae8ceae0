import { basename } from 'node:path';
import { type Event, isFile } from './events.js';
import { wasThere } from './fixture.js';
import { Links } from './links.js';

/** Events that a description need not name, with reasons. Every other event must be named or covered. */
interface Excuse {
  readonly why: string;
  readonly kinds: readonly Event['kind'][];
  readonly path: RegExp;
  /**
   * The names of the programs that the excuse is for; `bash` means the shell itself. If absent, it is for
   * every program.
   */
  readonly programs?: RegExp;
  /** How the file is opened; libraries use flags of their own. */
  readonly call?: RegExp;
  /** The arguments of a program that is started, with blanks between them. */
  readonly argv?: RegExp;
  /** The port of a connection. */
  readonly port?: number;
  /** Whether the excuse also holds for a file that the line names. */
  readonly isNamed?: true;
}

const libraries = '/(?:usr/)?(?:local/)?lib(?:32|64|x32|exec)?';

const namesOfMachine =
  /^\/etc\/(?:nsswitch\.conf|passwd|group|hosts|host\.conf|resolv\.conf|gai\.conf|services|protocols|networks|login\.defs)$/;

const excuses: readonly Excuse[] = [
  {
    why: 'devices without content, the terminal, and descriptors that are open already',
    kinds: ['read', 'write', 'meta'],
    path: /^\/dev\/(?:null|zero|full|random|urandom|tty|fd\/\d+|std(?:in|out|err))$/,
    isNamed: true,
  },
  {
    why: 'the loader',
    kinds: ['read'],
    path: new RegExp(`^(?:/etc/ld\\.so\\.(?:cache|conf)|${libraries}/.*\\.so(?:\\.[\\d.]+)?)$`),
  },
  {
    why: 'locales, conversions, messages, time zones and terminals',
    kinds: ['read', 'list'],
    path: /^(?:\/usr\/lib\/locale|\/usr\/share\/(?:locale|i18n|zoneinfo|terminfo)|\/etc\/(?:localtime|locale\.alias|terminfo)|\/(?:usr\/)?lib\/(?:terminfo|x86_64-linux-gnu\/gconv))(?:\/|$)/,
  },
  {
    why: 'names of users, groups, hosts and services, as libraries look them up',
    kinds: ['read'],
    path: namesOfMachine,
    // These programs open every file this way, including the files that the line names.
    programs: /^(?!(?:git|rg|fd|fdfind|bat|node|nodejs|python3?|perl|jq|docker|kubectl)$)/,
    call: /O_CLOEXEC/,
    isNamed: true,
  },
  {
    why: 'names of users, groups, hosts and services',
    kinds: ['read'],
    path: namesOfMachine,
    call: /O_CLOEXEC/,
  },
  {
    why: 'the machine is asked for its own address',
    kinds: ['connect'],
    path: /^127\.0\.0\.1$/,
    programs: /^(?:hostid|hostname)$/,
    isNamed: true,
  },
  {
    why: 'a UDP socket tells which form of the own address comes first, and sends nothing',
    kinds: ['connect'],
    path: /^(?:127\.0\.0\.1|::1)$/,
    programs: /^fuser$/,
  },
  {
    why: 'a library of curl asks for the name of the machine, whatever curl does',
    kinds: ['connect'],
    path: /^127\.0\.0\.1$/,
    port: 53,
    programs: /^curl$/,
  },
  {
    why: 'bash takes on a locale',
    kinds: ['read'],
    path: /^\/usr\/(?:lib|share)\/locale\//,
    call: /O_CLOEXEC/,
    programs: /^bash$/,
    isNamed: true,
  },
  {
    why: 'the cache of names, and the log of the system',
    kinds: ['connect'],
    path: /^\/(?:(?:var\/)?run\/(?:nscd\/socket|rpcbind\.sock)|dev\/log)$/,
  },
  {
    why: 'what the kernel says about the process, the machine and its mounts',
    kinds: ['read', 'list'],
    path: /^\/(?:proc|sys)(?:\/|$)/,
  },
  {
    why: 'git asks how many processors there are',
    kinds: ['read'],
    path: /^\/proc\/stat$/,
    programs: /^git$/,
    isNamed: true,
  },
  {
    why: 'which devices the machine has',
    kinds: ['list'],
    path: /^\/dev(?:\/(?:disk|mapper|block)(?:\/.*)?)?$/,
    programs: /^(?:findmnt|lsblk|blkid|mount|umount)$/,
  },
  {
    why: 'which processes there are',
    kinds: ['list'],
    path: /^\/proc$/,
    programs: /^(?:ps|pidof|pgrep|pkill|killall|top|lsof|fuser|w|uptime)$/,
    isNamed: true,
  },
  {
    why: 'what the kernel says about processes, to programs that take no names of files',
    kinds: ['read', 'list'],
    path: /^\/proc\//,
    programs: /^(?:ps|pidof|pgrep|pkill|killall|top|w|uptime)$/,
    isNamed: true,
  },
  {
    why: 'what a program is made of: its own modules, data and settings of the machine',
    kinds: ['read', 'list'],
    path: new RegExp(`^(?:(?:${libraries}|/usr/share|/usr/local/share)/|/usr/bin$)`),
  },
  {
    why: 'settings of the machine for one program',
    kinds: ['read', 'list'],
    path: /^\/etc\/(?:login\.defs|shells|fstab|pam\.d|security|default|iproute2|ldap|java|maven|(?:xdg\/)?pip|ssl|ssh|wgetrc|inputrc|magic|mime|perl|python|sudo\.conf|sqlite|ca-certificates|fonts|gitconfig|manpath\.config|lynx|groff|alternatives|dpkg|apt|papersize|vim|screenrc|zsh)/,
  },
  {
    why: 'a shell finds out where it is',
    kinds: ['read', 'list'],
    path: /^\/(?:home\/dev\/project)?$/,
    programs: /^(?:ba|da)?sh$/,
  },
  {
    why: 'a login shell reads its settings',
    kinds: ['read'],
    path: /^(?:\/etc\/profile(?:\.d\/.*)?|\/home\/dev\/\.(?:bash_profile|bash_login|profile|bashrc|bash_logout))$/,
    programs: /^bash$/,
  },
  {
    why: 'the settings of the machine for login shells ask who the user is',
    kinds: ['exec'],
    path: /^\/usr\/bin\/id$/,
    programs: /^bash$/,
    argv: /^id -u$/,
    isNamed: true,
  },
  {
    why: 'a shell reads folders to match patterns',
    kinds: ['list'],
    path: /^/,
    programs: /^(?:ba|da)?sh$/,
    isNamed: true,
  },
  {
    why: 'bzip2 opens what it would write, to find out whether it is there',
    kinds: ['read'],
    path: /\.bz2$/,
    programs: /^bzip2$/,
  },
  {
    why: 'git reads its repository and its settings',
    kinds: ['read', 'list'],
    path: /\/\.git(?:\/|$)/,
    programs: /^(?:git|git-.*|bat|exa)$/,
    isNamed: true,
  },
  {
    why: 'git reads its settings and its rules',
    kinds: ['read'],
    path: /\/(?:\.git(?:ignore|attributes|config|modules)|\.mailmap|\.config\/git\/.*|\.git\/info\/exclude)$/,
    // The others for the rules of what git ignores.
    programs: /^(?:git|git-.*|bat|exa|rg|fd|fdfind|ag)$/,
  },
  {
    why: 'these open a file to ask about its file system or its attributes, and do not read it',
    kinds: ['read'],
    path: /^/,
    programs: /^(?:df|sync|lsattr|chattr|flock)$/,
    isNamed: true,
  },
  {
    why: 'whereis looks into the folders of the machine',
    kinds: ['list'],
    path: /^\/(?:usr|opt|etc|s?bin|lib\w*)(?:\/|$)/,
    programs: /^whereis$/,
    isNamed: true,
  },
  { why: 'a program runs its own parts', kinds: ['exec'], path: new RegExp(`^${libraries}/`), isNamed: true },
  {
    why: 'programs that are scripts, and programs made of others, run their parts; what those touch is compared all the same',
    kinds: ['exec'],
    path: /^\/usr\/bin\/(?:gzip|zgrep|xz|bzip2|zstd|grep|sed|cat|diff|cmp|expr|jq)$/,
    programs:
      /^(?:(?:un)?(?:gz|xz|bz|bz2|lz|zst)?(?:cat|grep|egrep|fgrep|diff|cmp)|z\w+|xz\w+|bz\w+|gunzip|uncompress|locale|sdiff|diff3|yq)$/,
    isNamed: true,
  },
  {
    why: 'npm and npx are scripts of node',
    kinds: ['exec'],
    path: /^\/usr\/bin\/node$/,
    programs: /^(?:npm|npx|env)$/,
    argv: /^node \/usr\/bin\/np[mx] (?:-v|--version|ls|list|explain|why|root|prefix|pkg get|run$)(?: |$)/,
    isNamed: true,
  },
  {
    why: 'npm reads the settings that it is installed with',
    kinds: ['read'],
    path: /^\/usr\/etc\/npmrc$/,
    programs: /^node$/,
  },
  {
    why: 'npm keeps a log at home, and sometimes looks for a newer npm',
    kinds: ['write', 'list', 'delete', 'read'],
    path: /\/\.npm(?:\/|$)/,
    programs: /^node$/,
  },
  {
    why: 'npm sometimes looks for a newer npm, by the settings of git and the names of hosts',
    kinds: ['read'],
    path: /^(?:\/etc\/(?:resolv|nsswitch)\.conf|\/home\/dev\/\.gitconfig)$/,
    programs: /^node$/,
  },
  {
    why: 'npm and terraform sometimes look for newer versions of themselves',
    kinds: ['connect'],
    path: /^127\.0\.0\.1$/,
    port: 53,
    programs: /^(?:node|terraform)$/,
  },
  {
    why: 'terraform keeps at home when it looked for a newer version',
    kinds: ['write'],
    path: /^\/home\/dev\/\.terraform\.d(?:\/checkpoint_\w+)?$/,
    programs: /^terraform$/,
  },
  {
    why: 'Python looks for modules in its folder, and Java for figures of others in /tmp; neither prints names',
    kinds: ['list'],
    path: /^\/(?:home\/dev\/project|tmp)$/,
    programs: /^(?:python3?|java)$/,
  },
  {
    why: 'mvn is a script that starts Java',
    kinds: ['exec'],
    path: /^\/(?:usr\/)?bin\/(?:uname|ls|expr|dirname|tr|java)$/,
    programs: /^mvn$/,
  },
  {
    why: 'apt-mark asks dpkg for the kinds of machine',
    kinds: ['exec'],
    path: /^\/usr\/bin\/dpkg$/,
    programs: /^apt-mark$/,
    argv: /--print-foreign-architectures$/,
  },
  {
    why: 'tar packs and unpacks with these',
    kinds: ['exec'],
    path: /^\/(?:usr\/)?bin\/(?:sh|gzip|bzip2|xz|zstd|lzip|lzma|lzop|compress)$/,
    programs: /^(?:tar|sh)$/,
    argv: /^(?:\/bin\/sh -c )?(?:gzip|bzip2|xz|zstd|lzip|lzma|lzop|compress)(?: -d)?$/,
    isNamed: true,
  },
  {
    why: 'what manages users reads what it manages, and says so as `sys.admin`',
    kinds: ['read'],
    path: /^\/etc\/(?:(?:passwd|shadow|group|gshadow|subuid|subgid)-?|default\/.*|pam\.d\/.*|security\/.*|login\.defs)$/,
    programs:
      /^(?:user|group)(?:add|del|mod)$|^(?:chg?passwd|gpasswd|chsh|chfn|passwd|chage|unix_chkpwd|su|runuser|newgrp)$/,
    isNamed: true,
  },
  { why: 'whether a password is right', kinds: ['exec'], path: /^\/s?bin\/unix_chkpwd$/, isNamed: true },
  {
    why: 'zip leaves the file in which it packs where its output is closed before it is ready',
    kinds: ['write'],
    path: /\/zi\w{6}$/,
    programs: /^zip$/,
    call: /O_EXCL/,
  },
  {
    why: 'Java keeps figures about itself while it runs',
    kinds: ['write', 'list', 'delete', 'meta'],
    path: /^\/tmp\/hsperfdata_\w+(?:\/\d+)?$/,
    programs: /^(?:java|jar$)/,
  },
  {
    why: 'Java tells the kernel what a dump of its memory holds',
    kinds: ['write'],
    path: /^\/proc\/\d+\/coredump_filter$/,
    programs: /^(?:java|jar$)/,
  },
  {
    why: 'git submodule and git bisect are scripts of git',
    kinds: ['exec', 'read'],
    path: /^\/usr\/bin\/(?:basename|sed|uname|gettext(?:\.sh)?|envsubst)$/,
    programs: /^(?:git-(?:submodule|bisect)|gettext)$/,
  },
  {
    why: 'ag asks git for its settings',
    kinds: ['exec'],
    path: /^\/(?:usr\/)?bin\/(?:sh|git)$/,
    programs: /^(?:ag|sh)$/,
    argv: /^(?:sh -c )?git config -z --path --get core\.excludesfile(?: 2>\/dev\/null)?$/,
    isNamed: true,
  },
  {
    why: 'mkfifo and mknod set the mode of what they have made by its descriptor',
    kinds: ['meta'],
    path: /^\/proc\/\d+\/fd\/\d+$/,
    programs: /^(?:mkfifo|mknod)$/,
  },
  {
    why: 'xargs closes descriptors that it does not know',
    kinds: ['list'],
    path: /^\/proc\/\d+\/fd$/,
    programs: /^xargs$/,
    isNamed: true,
  },
  {
    why: 'man runs what formats a page',
    kinds: ['exec'],
    path: /^\/usr\/bin\/(?:preconv|tbl|eqn|n?roff|groff|troff|grotty|man|apropos|whatis|locale|less|pager|col)$/,
    programs: /^(?:man|nroff|groff)$/,
    isNamed: true,
  },
];

/** Why a description of the line need not name this event; null if it must. */
export function excuseOf(event: Event, line: string): string | null {
  const path = 'path' in event ? event.path : 'host' in event ? event.host : '';
  // A program that was just started is started by the one before it.
  const by = event.kind === 'exec' ? event.programs.at(-2) : event.programs.at(-1);
  const name = by === undefined ? 'bash' : basename(by);
  const found = excuses.find(
    ({ kinds, path: pattern, programs, call, argv, port, isNamed }) =>
      kinds.includes(event.kind) &&
      pattern.test(path) &&
      (call === undefined || (isFile(event) && call.test(event.call))) &&
      (port === undefined || ('port' in event && event.port === port)) &&
      (argv === undefined || (event.kind === 'exec' && argv.test(event.argv.join(' ')))) &&
      (programs === undefined || programs.test(name)) &&
      (isNamed === true || !isNamedIn(path, line)),
  );
  if (found !== undefined) return found.why;
  return event.kind === 'read' && by !== undefined && new Links().real(by) === path
    ? 'a script is read by what runs it'
    : null;
}

function isNamedIn(path: string, line: string): boolean {
  const name = basename(path);
  const [, first = ''] = path.split('/');
  const isWritten = new RegExp(`(?<![\\w.-])${first.replace(/[^\w]/g, '\\$&')}`).test(line);
  // `check-ignore`, `.gitignore` and `--ignore-missing` do not name the file `ignore`.
  const asWord = new RegExp(`(?<!--|[a-z]-|[a-z])${name.replace(/[^\w]/g, '\\$&')}`);
  return name !== '' && asWord.test(line) && isWritten;
}

/**
 * Files that a process created for itself and that no longer exist when the line ends. The process removed or
 * renamed them; the new name must then be described.
 */
export function temporaryFiles(events: readonly Event[]): ReadonlySet<string> {
  const made = new Map<string, number>();
  const gone = new Set<string>();
  for (const event of events) {
    if (!isFile(event)) continue;
    const { kind, path, call, pid } = event;
    if (kind === 'delete' && made.get(path) === pid) gone.add(path);
    if (kind !== 'write') continue;
    if (/O_EXCL|^mkdir|^(?:sym)?link/.test(call) || (call.startsWith('rename') && !wasThere(path)))
      made.set(path, pid);
    else gone.delete(path);
  }
  return gone;
}
