import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { Links } from './links.js';
import { type Call, isFork, pathOf, quoted, quotedList } from './trace.js';

/** Something that a command line did, and that its description must name. */
export type Event = FileEvent | ExecEvent | NetEvent;

interface Done {
  /** The paths of the programs that led to the event, the one that caused it last; empty for bash itself. */
  readonly programs: readonly string[];
  readonly pid: number;
}

export interface FileEvent extends Done {
  readonly kind: 'read' | 'write' | 'delete' | 'meta' | 'list';
  /** The real path, as far as it is known. */
  readonly path: string;
  /** The system call and its purpose. */
  readonly call: string;
}

export interface ExecEvent extends Done {
  readonly kind: 'exec';
  readonly path: string;
  readonly argv: readonly string[];
  readonly cwd: string;
}

export interface NetEvent extends Done {
  readonly kind: 'connect' | 'listen';
  readonly host: string;
  readonly port: number | null;
}

export function isFile(event: Event): event is FileEvent {
  return 'call' in event;
}

interface Process {
  programs: readonly string[];
  cwd: string;
  /** What it opened last as each descriptor. */
  opened: ReadonlyMap<string, string>;
}

/** The system calls that are traced. */
export const traced =
  'execve,execveat,open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,' +
  'mkdir,mkdirat,rmdir,truncate,chmod,fchmod,fchmodat,chown,lchown,fchown,fchownat,utime,utimes,utimensat,futimesat,' +
  'mknod,mknodat,setxattr,lsetxattr,fsetxattr,connect,listen,chdir,fchdir,getdents64,clone,clone3,fork,vfork';

/** The events of the system calls in order, starting when the launcher has become the command. */
export function eventsOf(calls: readonly Call[], cwd: string): readonly Event[] {
  const [leader] = calls;
  if (leader === undefined) return [];
  const start = calls.filter(
    ({ pid, name, result }) => pid === leader.pid && isExec(name) && isDone(result),
  )[1];
  if (start === undefined) return [];
  const reader = new Reader(leader.pid, cwd);
  const moments = calls
    .filter(({ begun }) => begun > start.ended)
    .flatMap((call) => [
      ...(isFork(call.name) ? [{ at: call.begun, call, isStart: true }] : []),
      { at: call.ended, call, isStart: false },
    ]);
  for (const { call, isStart } of moments.sort((one, other) => one.at - other.at)) {
    if (isStart) reader.fork(call);
    else reader.add(call);
  }
  // A folder that no longer exists was still listed.
  const listed = new Set(reader.events.flatMap((event) => (event.kind === 'list' ? [event.path] : [])));
  return reader.events.filter((event) => event.kind !== 'read' || !listed.has(event.path));
}

function isExec(name: string): boolean {
  return name === 'execve' || name === 'execveat';
}

function isDone(result: string): boolean {
  return /^(?:0x)?\d/.test(result);
}

type Touched = readonly [FileEvent['kind'], string | null];

function opened({ name, args, result }: Call): readonly Touched[] {
  const flags = name === 'creat' ? 'O_WRONLY|O_CREAT' : (args[name === 'open' ? 1 : 2] ?? '');
  const path = pathOf(result);
  if (/O_PATH|O_DIRECTORY/.test(flags)) return [];
  const isRead = /O_RDONLY/.test(flags) || (/O_RDWR/.test(flags) && !/O_CREAT|O_TRUNC/.test(flags));
  const isWritten = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_TMPFILE/.test(flags);
  return [...(isWritten ? [['write', path] as const] : []), ...(isRead ? [['read', path] as const] : [])];
}

class Reader {
  readonly events: Event[] = [];
  readonly #seen = new Set<string>();
  readonly #processes = new Map<number, Process>();
  readonly #links = new Links();

  constructor(leader: number, cwd: string) {
    this.#processes.set(leader, { programs: [], cwd, opened: new Map() });
  }

  fork({ pid, result }: Call): void {
    if (isDone(result)) this.#processes.set(Number.parseInt(result, 10), { ...this.#process(pid) });
  }

  add(call: Call): void {
    const { name, pid, args, result } = call;
    if (name === 'connect') this.#connect(call);
    if (name === 'connect' || !isDone(result)) return;
    const process = this.#process(pid);
    const { programs } = process;
    if (isExec(name)) {
      const path = this.#at(call, name === 'execve' ? null : 0, name === 'execve' ? 0 : 1);
      const argv = quotedList(args[name === 'execve' ? 1 : 2]);
      process.programs = [...programs, path];
      this.events.push({ kind: 'exec', path, argv, cwd: process.cwd, programs: process.programs, pid });
    } else if (name === 'chdir') process.cwd = this.#links.real(this.#at(call, null, 0));
    else if (name === 'fchdir') process.cwd = pathOf(args[0]) ?? process.cwd;
    else if (name === 'listen') this.events.push({ kind: 'listen', host: '', port: null, programs, pid });
    else if (!isFork(name)) this.#file(call);
  }

  #file(call: Call): void {
    const process = this.#process(call.pid);
    const path = call.name.startsWith('open') ? pathOf(call.result) : null;
    if (path !== null)
      process.opened = new Map([...process.opened, [String(Number.parseInt(call.result, 10)), path]]);
    const touched = this.#touched(call);
    for (const [kind, path] of touched) this.#push(kind, path, call);
    const [[, first] = [], [, second] = []] = touched;
    const { name, args } = call;
    if (first == null) return;
    if (name.startsWith('rename') && second != null) this.#links.move(first, second);
    else if (/^(?:unlink|rmdir)/.test(name)) this.#links.make(first, null);
    else if (name.startsWith('symlink')) this.#links.make(first, quoted(args[0]));
    else if (name === 'link') this.#links.make(first, this.#links.targetOf(this.#named(call, null, 0)));
    else if (name === 'linkat') this.#links.make(first, this.#links.targetOf(this.#named(call, 0, 1)));
  }

  /** What a call does to files. The last part of a path is followed only where the call follows it. */
  #touched(call: Call): readonly Touched[] {
    const { name, args } = call;
    if (name.startsWith('open') || name === 'creat') return opened(call);
    if (name.startsWith('rename')) return this.#renamed(call);
    const [folder, path] = name.endsWith('at') ? [0, 1] : [null, 0];
    if (name === 'getdents64') return [['list', pathOf(args[0])]];
    if (/^(?:unlink|rmdir)/.test(name)) return [['delete', this.#named(call, folder, path)]];
    if (/^mk(?:dir|nod)/.test(name)) return [['write', this.#named(call, folder, path)]];
    if (name === 'linkat') return [['write', this.#named(call, 2, 3)]];
    if (name === 'symlinkat') return [['write', this.#named(call, 1, 2)]];
    if (name === 'link' || name === 'symlink') return [['write', this.#named(call, null, 1)]];
    if (name === 'truncate') return [['write', this.#links.real(this.#at(call, null, 0))]];
    if (/^f(?:chmod|chown|setxattr)$/.test(name)) return [['meta', pathOf(args[0])]];
    if (folder !== null && quoted(args[1]) === null) return [['meta', pathOf(args[0])]];
    // `AT_SYMLINK_NOFOLLOW`: a link itself.
    if (name.startsWith('l') || args.some((each) => each.includes('NOFOLLOW')))
      return [['meta', this.#named(call, folder, path)]];
    return [['meta', this.#links.real(this.#at(call, folder, path))]];
  }

  #renamed(call: Call): readonly Touched[] {
    const places = call.name === 'rename' ? ([null, 0, null, 1] as const) : ([0, 1, 2, 3] as const);
    const from = this.#named(call, places[0], places[1]);
    const to = this.#named(call, places[2], places[3]);
    const back = /RENAME_EXCHANGE/.test(call.args[4] ?? '') ? [['write', from] as const] : [];
    return [['delete', from], ['write', to], ...back];
  }

  #connect({ pid, args }: Call): void {
    const address = args[1] ?? '';
    const { programs } = this.#process(pid);
    const host = /(?:inet_addr\(|inet_pton\(AF_INET6, |sun_path=@?)"([^"]*)"/.exec(address)?.[1];
    const port = /htons\((\d+)\)/.exec(address)?.[1];
    if (host === undefined || !/AF_(INET6?|UNIX|LOCAL)/.test(address)) return;
    this.events.push({
      kind: 'connect',
      host,
      port: port === undefined ? null : Number(port),
      programs,
      pid,
    });
  }

  #push(kind: FileEvent['kind'], path: string | null, call: Call): void {
    const { programs } = this.#process(call.pid);
    const key = JSON.stringify([kind, path, programs]);
    // A folder that is opened is not read before it is listed.
    if (path === null || this.#seen.has(key) || (kind === 'read' && isFolder(path))) return;
    // What is made anew after it was deleted is looked at again.
    if (kind !== 'delete' && kind !== 'write') this.#seen.add(key);
    const shown = `${call.name}(${call.args.join(', ')})`.slice(0, 300);
    this.events.push({ kind, path, call: shown, programs, pid: call.pid });
  }

  /** The path of an argument whose last part is not followed. */
  #named(call: Call, folder: number | null, path: number): string {
    const whole = this.#at(call, folder, path);
    return resolve(this.#links.real(dirname(whole)), basename(whole));
  }

  #at({ pid, args }: Call, folder: number | null, path: number): string {
    const base = folder === null ? null : pathOf(args[folder]);
    const { cwd, opened } = this.#process(pid);
    const text = (quoted(args[path]) ?? '')
      .replace(/^\/proc\/self\/cwd(?=\/)/, cwd)
      .replace(/^\/proc\/self\/fd\/(\d+)$/, (whole, descriptor) => opened.get(descriptor) ?? whole);
    return this.#links.physical(base ?? cwd, text);
  }

  #process(pid: number): Process {
    const known = this.#processes.get(pid);
    if (known !== undefined) return known;
    const made: Process = { programs: ['/unknown'], cwd: '/', opened: new Map() };
    this.#processes.set(pid, made);
    return made;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
