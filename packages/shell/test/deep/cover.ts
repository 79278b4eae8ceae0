import { basename, dirname } from 'node:path';
import { type Capability, fileSetOf, type Json } from '@ambit/core';
import { type Event, type ExecEvent, type FileEvent, isFile, type NetEvent } from './events.js';
import { excuseOf, temporaryFiles } from './excuses.js';
import { wasThere } from './fixture.js';

/** The events of a line that its description neither names nor covers. Do not call it if `coversAnything`. */
export function missesOf(
  line: string,
  seen: readonly Event[],
  capabilities: readonly Capability[],
): readonly Event[] {
  const events = withLetters(seen, capabilities);
  const temporary = temporaryFiles(events);
  const opaque = capabilities.filter(({ name }) => name === 'proc.exec.opaque');
  const unknown = new Set(opaque.map(({ program }) => basename(textOf(program))));
  return events.filter(
    (event) =>
      !event.programs.some((program) => unknown.has(basename(program))) &&
      !isScript(event, opaque) &&
      !(unknown.has('mv') && isMovedPipe(event)) &&
      !(isFile(event) && temporary.has(event.path)) &&
      excuseOf(event, line) === null &&
      !isCovered(event, capabilities) &&
      !isReplacement(event, events, capabilities),
  );
}

/** The events with an `X` for each letter that `mktemp` chose, as descriptions have it. */
function withLetters(events: readonly Event[], capabilities: readonly Capability[]): readonly Event[] {
  const said = JSON.stringify(capabilities).match(/[^"/]*X{6,}/g) ?? [];
  const changed = [...new Set(said)].reduce(
    (text, name) =>
      text.replace(new RegExp(`(?<=["/])${name.replaceAll('.', '\\.').replaceAll('X', '\\w')}`, 'g'), name),
    JSON.stringify(events),
  );
  return JSON.parse(changed) as readonly Event[];
}

/**
 * Bash reads a program's file itself if the system cannot run it: a script without `#!`, or an empty file.
 */
function isScript(event: Event, opaque: readonly Capability[]): boolean {
  return event.kind === 'read' && opaque.some(({ program }) => program === event.path);
}

/**
 * A link to a pipe, as `/dev/fd` has them, that replaced a file: `mv <(touch a) a`. Only an opaque `mv` does
 * that, and what runs beside it then follows the link.
 */
function isMovedPipe(event: Event): boolean {
  return isFile(event) && /\/pipe:\[\d+\]$/.test(event.path);
}

/** Whether a part without a known program, or bash itself, may have any effect in the shell's own process. */
export function coversAnything(capabilities: readonly Capability[]): boolean {
  const opaque = capabilities.filter(({ name }) => name === 'proc.exec.opaque');
  return opaque.some(({ program }) => typeof program !== 'string' || builtins.has(program));
}

/**
 * A file that a process removes and makes anew, or that it made itself in the same line, is written: what a program does that
 * unpacks over what is there, keeps a copy of what it edits, or gives up.
 */
function isReplacement(event: Event, events: readonly Event[], capabilities: readonly Capability[]): boolean {
  if (!isFile(event) || event.kind !== 'delete') return false;
  const { path, pid } = event;
  const at = events.indexOf(event);
  // Two processes of rsync remove a link and put the file in its place. Several of tar unpack over each other.
  const mayBeTwo = /^(?:rsync|tar)$/.test(basename(event.programs.at(-1) ?? ''));
  const isSame = (other: Event) =>
    isFile(other) && other.kind === 'write' && other.path === path && (other.pid === pid || mayBeTwo);
  const isMade = events.slice(at + 1).some(isSame) || (!wasThere(path) && events.slice(0, at).some(isSame));
  return isMade && isFileCovered({ ...event, kind: 'write' }, capabilities);
}

/**
 * Builtins of bash: if a description calls one of these opaque, that concerns the shell and not a process.
 */
const builtins: ReadonlySet<string> = new Set(
  (
    '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable ' +
    'eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd ' +
    'read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask ' +
    'unalias unset wait bash'
  ).split(' '),
);

function isCovered(event: Event, capabilities: readonly Capability[]): boolean {
  if (event.kind === 'exec') return isExecCovered(event, capabilities);
  if (event.kind === 'connect' || event.kind === 'listen') return isNetCovered(event, capabilities);
  return isFile(event) && isFileCovered(event, capabilities);
}

function isExecCovered(
  { path, argv, cwd, programs }: ExecEvent,
  capabilities: readonly Capability[],
): boolean {
  // A program that hands text to the shell starts it.
  const isShell = programs.length > 1 && /^\/(?:usr\/)?bin\/(?:ba|da)?sh$/.test(path);
  if (isShell && capabilities.some(({ name, language }) => name === 'code.eval' && language === 'sh'))
    return true;
  return capabilities.some(({ name, program, argv: said, cwd: where }) => {
    if (name !== 'proc.exec' || !isProgram(textOf(program), path, argv[0] ?? '')) return false;
    const isFolder = typeof where !== 'string' || where === cwd;
    return isFolder && (!Array.isArray(said) || isArgv(said, argv));
  });
}

/** A bare name is one that was found through the search path. Anything else is the path itself. */
function isProgram(program: string, path: string, called: string): boolean {
  if (program.startsWith('/')) return program === path || sameFile(program, path);
  return (
    basename(path) === program &&
    (/^(?:\/usr(?:\/local)?)?\/s?bin$/.test(dirname(path)) || called === program)
  );
}

function sameFile(one: string, other: string): boolean {
  return one.replace(/^\/usr\//, '/') === other.replace(/^\/usr\//, '/');
}

function isArgv(said: readonly Json[], argv: readonly string[]): boolean {
  const rest = argv.slice(1);
  return [said, said.slice(1)].some(
    (each) => each.length === rest.length && each.every((word, at) => word === rest[at]),
  );
}

/** Hosts of the namespace, by their addresses. */
const hosts: Readonly<Record<string, string>> = {
  '10.9.8.1': 'example.com www.example.com',
  '10.9.8.2': 'evil.example',
  '127.0.0.1': 'localhost',
  '::1': 'localhost',
};

function isNetCovered({ kind, host, port }: NetEvent, capabilities: readonly Capability[]): boolean {
  const said = capabilities.filter(({ name }) =>
    kind === 'listen' ? name === 'net.listen' : name.startsWith('net.connect'),
  );
  // Names are looked up at port 53 before anything is connected to.
  if (kind === 'listen' || port === 53) return said.length > 0;
  const names = [host, ...(hosts[host] ?? '').split(' ')];
  return said.some(
    (each) =>
      (typeof each.host !== 'string' || names.includes(each.host)) &&
      // A UDP socket is connected to find out which of several addresses is the nearest.
      (typeof each.port !== 'number' || each.port === port || port === 0 || port === 65_535),
  );
}

const covering: Readonly<Record<FileEvent['kind'], RegExp>> = {
  read: /^(?:fs\.read(?:\.outside)?|code\.load)$/,
  write: /^fs\.write(?:\.outside)?$/,
  delete: /^fs\.delete(?:\.outside)?$/,
  meta: /^fs\.(?:meta|write)(?:\.outside)?$/,
  list: /^fs\./,
};

function isFileCovered(event: FileEvent, capabilities: readonly Capability[]): boolean {
  if (isNamed(event, capabilities)) return true;
  if (event.kind !== 'read') return false;
  const by = basename(event.programs.at(-1) ?? '');
  // A file that is opened for both is one that the program changes; rsync reads what it replaces, tar finds its archive.
  if (event.call.includes('O_RDWR') || by === 'rsync' || by === 'tar')
    return isNamed({ ...event, kind: 'write' }, capabilities);
  // find keeps the file of -samefile open and reads nothing of it.
  return by === 'find' && isNamed({ ...event, kind: 'list' }, capabilities);
}

function isNamed(event: FileEvent, capabilities: readonly Capability[]): boolean {
  return capabilities.some(({ name, path }) => covering[event.kind].test(name) && speaksOf(path, event));
}

function speaksOf(fact: Json | undefined, { kind, path, call }: FileEvent): boolean {
  if (fact === undefined) return true;
  const set = typeof fact === 'string' ? { paths: [fact] } : fileSetOf(fact);
  if (set === null) return false;
  // A process that touches files of a folder may list it, and one that writes a file may create its folders.
  const isAbove = kind === 'list' || call.startsWith('mkdir');
  if (set.paths.some((member) => member === path || (isAbove && isBelow(member, path)))) return true;
  if (set.open !== true) return false;
  return set.under === undefined || isBelow(path, set.under) || (isAbove && isBelow(set.under, path));
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function textOf(fact: Json | undefined): string {
  return typeof fact === 'string' ? fact : '';
}
