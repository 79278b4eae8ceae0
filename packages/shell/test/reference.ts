import { posix } from 'node:path';
import { type Capability, isUnknownMember, type Json, membersOf } from '@ambit/core';
import { type GuardedPlace, openRoots } from '@ambit/toolsets';
import { describeCommand } from '../src/describe/describe-command.js';

/** A row of the cases: the least that the report of a command line must contain. */
export interface Row {
  readonly id: string;
  readonly cwd: string;
  readonly home: string;
  readonly category: string;
  readonly command?: string;
  readonly generator?: {
    readonly prefix?: string;
    readonly repeat: string;
    readonly times: number;
    readonly then?: string;
    readonly close?: string;
  };
  readonly must: readonly string[];
  readonly must_not?: readonly string[];
  readonly min_decision: Decision;
  readonly opaque_ok: boolean;
  readonly arguable?: boolean;
}

export type Decision = 'pre_approved' | 'needs_approval' | 'blocked';

const decisions: readonly Decision[] = ['pre_approved', 'needs_approval', 'blocked'];

export function commandOf({ command, generator }: Pick<Row, 'command' | 'generator'>): string {
  if (command !== undefined) return command;
  if (generator === undefined) throw new Error('a row without a command');
  const { prefix = '', repeat, times, then = '', close = '' } = generator;
  return prefix + repeat.repeat(times) + then + close.repeat(times);
}

export interface World {
  readonly cwd?: string;
  readonly home?: string;
  readonly guarded?: readonly GuardedPlace[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The report of the toolset for a command line in one folder. */
export async function reported(command: string, world: World = {}): Promise<readonly Capability[]> {
  const { cwd = '/work/proj', home = '/home/user', guarded = [], env } = world;
  const roots = openRoots([{ name: 'folder', folder: cwd, mode: 'rw' }], {
    home,
    guarded,
    naming: 'by_path',
  });
  const args = { command, ...(env !== undefined && { env }) };
  const { capabilities } = await describeCommand(args, { roots, home });
  return capabilities.flatMap(membersOf);
}

export interface Score {
  readonly missing: readonly string[];
  readonly wrong: readonly string[];
  readonly decision: Decision;
  readonly is_opaque: boolean;
  /** Whether the report contains everything required, and the decision is strict enough. */
  readonly is_sound: boolean;
  /** Whether the report contains nothing false. */
  readonly is_precise: boolean;
}

/** How a row is scored, as the README of the cases says. */
export function score(row: Row, capabilities: readonly Capability[]): Score {
  const is_opaque = capabilities.some(({ name }) => name === 'proc.exec.opaque');
  const missing = row.must.filter((item) => !isMet(item, row, capabilities));
  const wrong = (row.must_not ?? []).filter((item) =>
    capabilities.some((each) => isItem(item, row, each, 'exactly')),
  );
  const decision = decided(capabilities, row);
  const least =
    row.opaque_ok && is_opaque && row.min_decision === 'blocked' ? 'needs_approval' : row.min_decision;
  const is_strict = decisions.indexOf(decision) >= decisions.indexOf(least);
  return {
    missing,
    wrong,
    decision,
    is_opaque,
    is_sound: missing.length === 0 && is_strict,
    is_precise: wrong.length === 0 && (row.opaque_ok || (!is_opaque && decision === row.min_decision)),
  };
}

function isMet(item: string, row: Row, capabilities: readonly Capability[]): boolean {
  const isOpaque = capabilities.some(({ name }) => name === 'proc.exec.opaque');
  if (item === 'opaque') return isOpaque;
  if (row.opaque_ok && isOpaque) return true;
  if (capabilities.some((capability) => isItem(item, row, capability, 'including'))) return true;
  return item.startsWith('code.eval:') && capabilities.some(({ name }) => name === 'code.eval');
}

/** The fact that the text after the colon describes. */
const subjects: readonly (readonly [string, string])[] = [
  ['proc.exec', 'program'],
  ['proc.signal', 'pid'],
  ['fs', 'path'],
  ['net.listen', 'port'],
  ['net', 'host'],
  ['env', 'variable'],
  ['code.eval', 'language'],
  ['code.load', 'path'],
];

function isItem(item: string, row: Row, capability: Capability, how: 'exactly' | 'including'): boolean {
  const colon = item.indexOf(':');
  const name = colon === -1 ? item : item.slice(0, colon);
  const subject = colon === -1 ? '*' : item.slice(colon + 1);
  if (capability.name !== name && !capability.name.startsWith(`${name}.`)) return false;
  if (capability.name === 'proc.exec.opaque' && name === 'proc.exec') return false;
  if (subject === '*') return true;
  const fact = subjects.find(([prefix]) => name === prefix || name.startsWith(`${prefix}.`))?.[1] ?? '';
  const value = capability[fact];
  if (value === undefined || isUnknownMember(value)) return how === 'including';
  const text = textFact(value);
  if (fact === 'path') {
    const path = posix.resolve(row.cwd, subject);
    return path === text || (how === 'including' && (text === '/' || path.startsWith(`${text}/`)));
  }
  if (fact !== 'program') return text === subject;
  if (!text.startsWith('/')) return text === subject;
  return (
    text === posix.resolve(row.cwd, subject) || (how === 'including' && posix.basename(text) === subject)
  );
}

/** The decision of the reference policy for a call. */
export function decided(capabilities: readonly Capability[], { home }: Pick<Row, 'home'>): Decision {
  const strictest = capabilities.reduce(
    (top, each) => Math.max(top, decisions.indexOf(judged(each, home))),
    0,
  );
  return decisions[strictest] ?? 'blocked';
}

function judged(capability: Capability, home: string): Decision {
  const { name } = capability;
  const path = typeof capability.path === 'string' ? capability.path : null;
  if (name === 'fs.read' || name === 'fs.list' || name === 'env.read') return 'pre_approved';
  if (name === 'secret.read' || name === 'priv.escalate' || name === 'sys.guard') return 'blocked';
  if (name === 'fs.write.outside' || name === 'fs.delete.outside')
    return path?.startsWith('/tmp/') === true ? 'needs_approval' : 'blocked';
  if (name === 'net.connect.private') return isMetadata(capability.host) ? 'blocked' : 'needs_approval';
  if (name === 'proc.exec')
    return reading.has(textFact(capability.program)) ? 'pre_approved' : 'needs_approval';
  if (name === 'env.set')
    return harmless.test(textFact(capability.variable)) ? 'pre_approved' : 'needs_approval';
  if (path?.startsWith(`${home}/.ssh/`) === true) return 'blocked';
  return 'needs_approval';
}

function isMetadata(host: Json | undefined): boolean {
  return host === undefined || textFact(host).startsWith('169.254.');
}

const harmless = /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|NO_COLOR|CLICOLOR|COLUMNS|NODE_ENV|OLDPWD|PWD)$/;

/** Programs that only read, and builtins of the shell; their other effects have capabilities of their own. */
const reading: ReadonlySet<string> = new Set(
  `: . [ alias awk base64 basename bat builtin caller cat cd cksum cmp column comm command compgen continue cut date declare df
   diff dir dirname dirs du echo egrep eval exit export expand expr false fd fgrep file find fmt fold getopts git grep groups
   hash head help hexdump hostname iconv id jobs join jq less let local locale ls mapfile md5sum more node nl nproc od paste
   popd pr printenv printf ps pushd pwd python3 read readarray readlink readonly realpath return rev rg sed select seq set sha1sum sha256sum
   sha512sum shift shopt sleep sort source stat strings sum tac tail tee test time timeout tr tree true tsort tty type
   typeset ulimit umask uname unexpand uniq unset uptime users vdir wait wc whereis which while who whoami xargs xxd yes
   yq zcat zgrep env nice nohup break`.split(/\s+/),
);

function textFact(fact: Json | undefined): string {
  return typeof fact === 'number' || typeof fact === 'string' ? `${fact}` : '';
}
