import { basename } from 'node:path';
import { type Event, isFile, real } from './events.js';

/** What a description need not name, and why. Everything else that a line does has to be named or covered. */
interface Excuse {
  readonly why: string;
  readonly kinds: readonly Event['kind'][];
  readonly path: RegExp;
  /** Programs that it is about, by their last name; `bash` for the shell itself. Every program where it is left out. */
  readonly programs?: RegExp;
  /** How it is opened; libraries do so in a way of their own. */
  readonly call?: RegExp;
  /** Whether it holds even where the line names the file. */
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
    call: /O_CLOEXEC/,
  },
  {
    why: 'bash looks up its user',
    kinds: ['read'],
    path: namesOfMachine,
    call: /O_CLOEXEC/,
    programs: /^bash$/,
    isNamed: true,
  },
  {
    why: 'bash takes on a locale',
    kinds: ['read'],
    path: /^\/usr\/(?:lib|share)\/locale\//,
    call: /O_CLOEXEC/,
    programs: /^bash$/,
    isNamed: true,
  },
  { why: 'the cache of names', kinds: ['connect'], path: /^\/(?:var\/)?run\/nscd\/socket$/ },
  {
    why: 'what the kernel says about the process, the machine and its mounts',
    kinds: ['read', 'list'],
    path: /^\/(?:proc|sys)(?:\/|$)/,
  },
  {
    why: 'what a program is made of: its own modules, data and settings of the machine',
    kinds: ['read', 'list'],
    path: new RegExp(`^(?:${libraries}|/usr/share|/usr/local/share)/`),
  },
  {
    why: 'settings of the machine for one program',
    kinds: ['read', 'list'],
    path: /^\/etc\/(?:ssl|ssh|wgetrc|inputrc|magic|mime|perl|python|sudo\.conf|sqlite|ca-certificates|fonts|gitconfig|manpath\.config|lynx|groff|alternatives|dpkg|apt|papersize|vim|screenrc|zsh)/,
  },
  {
    why: 'a shell finds out where it is',
    kinds: ['read', 'list'],
    path: /^\/(?:home\/dev\/project)?$/,
    programs: /^(?:ba|da)?sh$/,
  },
  {
    why: 'bash reads folders to match patterns',
    kinds: ['list'],
    path: /^/,
    programs: /^bash$/,
    isNamed: true,
  },
  {
    why: 'git reads its repository and its settings',
    kinds: ['read', 'list'],
    path: /(?:\/\.git(?:\/|$)|\/\.git(?:ignore|attributes|config|modules)$|\/\.mailmap$|\/\.config\/git\/)/,
    programs: /^(?:git|git-.*)$/,
  },
  {
    why: 'df and sync open a file to ask about its file system',
    kinds: ['read'],
    path: /^/,
    programs: /^(?:df|sync)$/,
    isNamed: true,
  },
  { why: 'a program runs its own parts', kinds: ['exec'], path: new RegExp(`^${libraries}/`) },
];

/** Why a description of the line need not name this; null where it has to. */
export function excuseOf(event: Event, line: string): string | null {
  const path = 'path' in event ? event.path : 'host' in event ? event.host : '';
  // A program that was just started is started by the one before it.
  const by = event.kind === 'exec' ? event.programs.at(-2) : event.programs.at(-1);
  const name = by === undefined ? 'bash' : basename(by);
  const found = excuses.find(
    ({ kinds, path: pattern, programs, call, isNamed }) =>
      kinds.includes(event.kind) &&
      pattern.test(path) &&
      (call === undefined || (isFile(event) && call.test(event.call))) &&
      (programs === undefined || programs.test(name)) &&
      (isNamed === true || !isNamedIn(path, line)),
  );
  if (found !== undefined) return found.why;
  return event.kind === 'read' && by !== undefined && real(by) === path
    ? 'a script is read by what runs it'
    : null;
}

function isNamedIn(path: string, line: string): boolean {
  const name = basename(path);
  return name !== '' && line.includes(name) && !/^[\w.-]+$/.test(line.trim());
}

/**
 * Files that a process made for itself and that are gone when the line ends: it removed them again, or renamed them to what
 * they were made for, which is then to be named.
 */
export function temporaryFiles(events: readonly Event[]): ReadonlySet<string> {
  const made = new Map<string, number>();
  const gone = new Set<string>();
  for (const event of events) {
    if (!isFile(event)) continue;
    const { kind, path, call, pid } = event;
    if (kind === 'write' && /O_EXCL|^mkdir/.test(call)) made.set(path, pid);
    if (kind === 'delete' && made.get(path) === pid) gone.add(path);
    if (kind === 'write' && /O_CREAT/.test(call) && !/O_EXCL/.test(call)) gone.delete(path);
  }
  return gone;
}
