import { resolve } from 'node:path';
import { outputOfOne } from '../../outputs.js';
import type { Reading } from '../../programs/reading.js';
import { areSeveral, isMany, isOpen, text, textOf, textsIn, unknownOutput, type Word } from '../../word.js';
import { type Described, describedOf, type ListerResult } from '../../world.js';
import type { Request } from './request.js';
import type { References } from './store/references.js';

/** How many combinations of revisions are acted on one by one. */
export const mostRevisions = 40;

/** Commands that show history: an operand that is not a file is a revision. */
const showing = new Set('log show diff diff-tree format-patch range-diff'.split(' '));

/** Acts on each revision that a word may be: `HEAD~$n` in a loop, or `"$base"...HEAD`. */
export function forEachRevision(
  name: string,
  request: Request,
  describe: (request: Request) => ListerResult,
  most = mostRevisions,
): ListerResult {
  const { reading } = request;
  const word = reading.operands.find((each) => isOneOfRevisions(name, request, each, most));
  if (word === undefined) return describe(request);
  // Without quotes, nothing may be printed.
  const words = [...distinctTexts(word).map((one) => [text(one)]), ...(isMany(word) ? [[]] : [])];
  const each: Described[] = [];
  for (const one of words) {
    const next = { ...request, reading: withWord(reading, word, one) };
    const described = describedOf(forEachRevision(name, next, describe, most / words.length));
    if (typeof described === 'string') return described;
    each.push(described);
  }
  const one = oneOf(each);
  return areSeveral(word) ? { ...one, output: unknownOutput } : one;
}

function isOneOfRevisions(name: string, request: Request, word: Word, most: number): boolean {
  const { folder, world, reading } = request;
  // Of several revisions, these show what they show of each. The first operand of a search is a pattern.
  const isEach = name === 'show' || (name === 'grep' && textOf(reading.operands[0]) !== null);
  const isKnown = word.kind === 'names' ? !isOpen(word) : word.kind === 'unknown' && word.ids !== undefined;
  if (word.kind === 'text' || !isKnown) return false;
  const around = word.kind === 'names' ? word.before + word.after : word.afterId;
  if (areSeveral(word) && !(isEach && around === '')) return false;
  const texts = distinctTexts(word);
  const isFile = (each: string) => world.listing.kind(resolve(folder, each)) !== null;
  const isRevision = (each: string) =>
    /^(?:HEAD|@|[0-9a-f]{7,40}$)|[~^:]|\.\.|^$/.test(each) || (showing.has(name) && !isFile(each));
  return texts.length <= most && texts.every(isRevision);
}

/** The texts of a word. Of several beginnings of an id that git may print, the longest stands for all. */
function distinctTexts(word: Word): readonly string[] {
  if (word.kind === 'unknown') {
    const { ids = [], afterId = '' } = word;
    // Where no id is printed, the text behind it may still name something.
    return [...ids.map((id) => id + afterId), ...(/^(?:[:@]|\.\.)/.test(afterId) ? [afterId] : [])];
  }
  const ids = word.kind === 'names' ? word.names.texts.filter((each) => /^[0-9a-f]{4,40}$/.test(each)) : [];
  return textsIn(word).filter((_, at) => {
    const name = word.kind === 'names' ? (word.names.texts[at] ?? '') : '';
    return !ids.includes(name) || !ids.some((other) => other !== name && other.startsWith(name));
  });
}

function withWord(reading: Reading, from: Word, to: readonly Word[]): Reading {
  const swap = (words: readonly Word[]) => words.flatMap((each) => (each === from ? to : [each]));
  const sequence = reading.sequence.flatMap((item) =>
    item.kind === 'operand' && item.word === from ? to.map((word) => ({ ...item, word })) : [item],
  );
  const { operands, words, rest } = reading;
  return { ...reading, operands: swap(operands), words: swap(words), rest: swap(rest), sequence };
}

function oneOf(all: readonly Described[]): Described {
  const effects = new Map(all.flatMap((one) => one.effects.map((each) => [JSON.stringify(each), each])));
  return {
    effects: [...effects.values()],
    output: outputOfOne(all.map(({ output }) => output ?? unknownOutput)),
    leavesInput: all.every(({ leavesInput }) => leavesInput === true),
  };
}

/** The name in a revision: `v1` in `v1~2`. */
export function nameIn(text: string): string {
  return /^[^~^:@{}]*/.exec(text)?.[0] ?? '';
}

/** The sides of `A..B`. */
export function partsOf(text: string): readonly string[] {
  return text.replace(/^\^/, '').split(/\.{2,3}/);
}

/** A name that is neither an id, nor a part of one, nor a name that git makes up. */
export const plainName = /^(?=.*[g-z])(?!.*-g[\da-f]{4,}$)(?!(?:main-)?worktrees?\/)[a-z][\w./-]*$/;

/** `@{u}`, `main@{upstream}` and `@{push}`. */
export const upstream = /^([^~^:@{}]*)@\{(u|upstream|push)\}/i;

/** A revision with the name of the branch that `@{u}` stands for; null if unknown, undefined if it certainly stands for none. */
export function withUpstream(
  { settings, reading }: Request,
  { byName, head }: References,
  text: string,
): string | null | undefined {
  const [all, name = '', kind = ''] = upstream.exec(text) ?? [];
  if (all === undefined) return text;
  if (!settings.areOfBranchesKnown) return null;
  const branch = name === '' || name === 'HEAD' ? head : `refs/heads/${name}`;
  const valuesOf = (key: string) => settings.all.flatMap((each) => (each.key === key ? [each.value] : []));
  const own = branch?.replace('refs/heads/', 'branch.') ?? '';
  const [remote, ...others] = valuesOf(`${own}.remote`);
  const [merged, ...more] = valuesOf(`${own}.merge`);
  if (reading.given.has('-c') || others.length + more.length > 0) return null;
  if (branch === null || remote === undefined || merged === undefined) return undefined;
  const pushes = ['push.default', 'remote.pushdefault', `${own}.pushremote`, `remote.${remote}.push`];
  if (/^push$/i.test(kind) && pushes.some((key) => valuesOf(key).length > 0)) return null;
  const [fetched = '', ...rest] = valuesOf(`remote.${remote}.fetch`);
  const place = /^\+?refs\/heads\/\*:(refs\/remotes\/[^*]+\/)\*$/.exec(fetched)?.[1];
  if (place === undefined || rest.length > 0 || !byName.has(branch) || !merged.startsWith('refs/heads/'))
    return null;
  return text.replace(all, () => merged.replace('refs/heads/', place));
}
