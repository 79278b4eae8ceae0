/** One system call as `strace` wrote it down, with its arguments apart. */
export interface Call {
  readonly pid: number;
  readonly name: string;
  readonly args: readonly string[];
  /** The text after the equals sign: a number, a descriptor with its path, or an error. */
  readonly result: string;
  /** The trace line on which the call began, and the one on which it ended. */
  readonly begun: number;
  readonly ended: number;
}

/** Reads what `strace -f -y -o` wrote. Calls that did not end are left out. */
export function callsOf(text: string): readonly Call[] {
  const calls: Call[] = [];
  const unfinished = new Map<number, { readonly head: string; readonly begun: number }>();
  for (const [index, line] of text.split('\n').entries()) {
    const found = /^(\d+)\s+(.*)$/.exec(line);
    if (found === null) continue;
    const pid = Number(found[1]);
    const rest = found[2] ?? '';
    if (rest.endsWith('<unfinished ...>')) {
      unfinished.set(pid, { head: rest.slice(0, -'<unfinished ...>'.length), begun: index });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const before = resumed === null ? undefined : unfinished.get(pid);
    if (resumed !== null) unfinished.delete(pid);
    const whole = before === undefined ? rest : before.head + (resumed?.[1] ?? '');
    const call = callOf(whole);
    if (call !== null) calls.push({ ...call, pid, begun: before?.begun ?? index, ended: index });
  }
  const open = [...unfinished].map(([pid, { head, begun }]) => ({
    pid,
    begun,
    name: head.split('(')[0] ?? '',
  }));
  return [...calls, ...cutForks(calls, open)];
}

export function isFork(name: string): boolean {
  return /^(clone3?|v?fork)$/.test(name);
}

/** Where the trace was cut off within a fork, the process that no fork started is the one that it started. */
function cutForks(
  calls: readonly Call[],
  open: readonly Pick<Call, 'pid' | 'name' | 'begun'>[],
): readonly Call[] {
  const forks = calls.filter(({ name }) => isFork(name));
  const cut = [...open, ...forks.filter(({ result }) => result.startsWith('?'))].filter(({ name }) =>
    isFork(name),
  );
  if (cut.length === 0) return [];
  const known = new Set([calls[0]?.pid, ...forks.map(({ result }) => Number.parseInt(result, 10))]);
  const firsts = new Map<number, number>();
  for (const { pid, begun } of calls) firsts.set(pid, Math.min(begun, firsts.get(pid) ?? begun));
  return [...firsts].flatMap(([pid, first]) => {
    const [one, ...others] = known.has(pid) ? [] : cut.filter(({ begun }) => begun < first);
    if (one === undefined || others.length > 0) return [];
    return [{ ...one, args: [], result: String(pid), ended: one.begun }];
  });
}

function callOf(text: string): Pick<Call, 'name' | 'args' | 'result'> | null {
  const open = /^(\w+)\(/.exec(text);
  if (open === null) return null;
  const { parts, end } = split(text, open[0].length);
  const result = /^\s*=\s*(.*)$/.exec(text.slice(end + 1));
  return result === null ? null : { name: open[1] ?? '', args: parts, result: result[1] ?? '' };
}

const openers = '([{';
const closers = ')]}';

/** The parts between commas up to the bracket that closes, with quoted text and paths in angle brackets kept whole. */
function split(text: string, start: number): { readonly parts: readonly string[]; readonly end: number } {
  const parts: string[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '"') at = endOfQuotes(text, at);
    else if (letter === '<' && /[\w]/.test(text.charAt(at - 1))) at = Math.max(at, text.indexOf('>', at));
    else if (openers.includes(letter)) depth += 1;
    else if (closers.includes(letter)) {
      if (depth === 0) {
        if (at > from) parts.push(text.slice(from, at).trim());
        return { parts, end: at };
      }
      depth -= 1;
    } else if (letter === ',' && depth === 0) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return { parts, end: text.length };
}

function endOfQuotes(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === '"') return at;
  }
  return text.length;
}

/** The text of a quoted argument; null for anything else. */
export function quoted(argument: string | undefined): string | null {
  const found = /^"((?:[^"\\]|\\.)*)"/s.exec(argument ?? '');
  return found === null ? null : unescaped(found[1] ?? '');
}

/** The texts of a list of quoted arguments. */
export function quotedList(argument: string | undefined): readonly string[] {
  const found = (argument ?? '').match(/"(?:[^"\\]|\\.)*"/gs) ?? [];
  return found.map((each) => quoted(each) ?? '');
}

/** The path that stands behind a descriptor, `3</a/b>`; null where there is none, or it is not a file. */
export function pathOf(descriptor: string | undefined): string | null {
  const found = /^(?:\d+|AT_FDCWD)<(\/[^>]*)>/.exec(descriptor ?? '');
  return found === null ? null : unescaped(found[1] ?? '').replace(/ \(deleted\)$/, '');
}

const letters: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, v: 11, f: 12, a: 7, b: 8, e: 27 };

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes: Buffer[] = [];
  for (const [piece] of text.matchAll(/\\(?:[0-7]{1,3}|x[0-9a-f]{2}|.)|[^\\]+/gs)) {
    if (!piece.startsWith('\\')) bytes.push(Buffer.from(piece));
    else if (/^\\[0-7]/.test(piece)) bytes.push(Buffer.from([Number.parseInt(piece.slice(1), 8) & 255]));
    else if (piece.startsWith('\\x')) bytes.push(Buffer.from([Number.parseInt(piece.slice(2), 16)]));
    else bytes.push(Buffer.from([letters[piece.charAt(1)] ?? piece.charCodeAt(1)]));
  }
  return Buffer.concat(bytes).toString();
}
