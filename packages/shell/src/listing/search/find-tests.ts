import { type BigIntStats, lstatSync } from 'node:fs';
import { posix } from 'node:path';
import { orNull } from '@ambit/core';
import { isUnder } from '@ambit/toolsets';
import type { Listing } from '../../files/listing.js';
import { textOf, type Word } from '../../word.js';
import { type Context, countOf, isOfChangedGit } from '../../world.js';
import type { Member } from '../members.js';
import { fnmatch, type Maybe, patternMatcher } from '../pattern.js';
import { startAt } from '../start.js';

/** A file, as far as it is known. */
export interface Tested extends Omit<Member, 'text'> {
  /** Null for files whose names are unknown. */
  readonly text: string | null;
}

/** The inputs of tests besides the file. */
export interface Around {
  readonly context: Context;
  /** What the same command may do to files before a test: removing their content empties folders. */
  readonly removes: { folders: boolean; files: boolean };
}

/** A compiled test of find(1). A test of anything but names, kinds, sizes and times gives null. */
export type Test = (file: Tested) => Maybe;

export function testOf(name: string, value: Word | null, around: Around): Test {
  const { context } = around;
  const text = value === null ? '' : textOf(value);
  if (name === '-true' || name === '-false') return () => name === '-true';
  if (name === '-empty') return (file) => isEmpty(file, around);
  if (text === null) return () => null;
  if (/^-i?name$/.test(name))
    return onText(text, name === '-iname', (path) => posix.basename(path) || path.slice(0, 1));
  if (/^-i?(?:path|wholename)$/.test(name)) return onText(text, name.startsWith('-i'), (path) => path);
  if (name === '-type') return ({ kind }) => (kind === null ? null : isKind(kind, text));
  if (name === '-xtype') return ({ kind }) => (kind === null || kind === 'link' ? null : isKind(kind, text));
  if (/^-i?lname$/.test(name)) return ({ kind }) => (kind === null || kind === 'link' ? null : false);
  if (name === '-size') return sizeTest(text, context);
  return name === '-newer' ? newerTest(text, context) : () => null;
}

function onText(pattern: string, ignoreCase: boolean, part: (text: string) => string): Test {
  const matches = patternMatcher(pattern, { ...fnmatch, ignoreCase });
  return ({ text }) => (text === null ? null : matches(part(text)));
}

const letters = { f: 'file', d: 'folder', l: 'link' } as const;

function isKind(kind: Exclude<Member['kind'], null>, list: string): Maybe {
  const wanted = list.split(',');
  if (wanted.some((letter) => !/^[bcdpflsD]$/.test(letter))) return null;
  const known = wanted.map((letter) =>
    Object.hasOwn(letters, letter) ? letters[letter as keyof typeof letters] : 'other',
  );
  if (!known.includes(kind)) return false;
  return kind === 'other' ? null : true;
}

/** Null also where earlier commands of the line may have changed size or time. */
function statOf({ path, kind, text }: Tested, { world: { changes } }: Context): BigIntStats | null {
  if (kind === null || text === null || isOfChangedGit(path, changes)) return null;
  const stat = orNull(() => lstatSync(path, { bigint: true }));
  // A folder changes with its files, and a file by its other names.
  const isShared = kind !== 'link' && stat !== null && (kind === 'folder' || stat.nlink > 1n);
  return isShared && countOf(changes) > 0 ? null : stat;
}

function isEmpty(file: Tested, { context, removes }: Around): Maybe {
  if (file.kind === 'file') {
    const stat = statOf(file, context);
    return stat === null ? null : stat.size === 0n;
  }
  if (file.kind !== 'folder') return file.kind === null ? null : false;
  const { listing, changes } = context.world;
  const { entries, isOpen } = listing.names(file.path);
  if (isOpen || file.text === null) return null;
  if ([...changes.created, ...changes.removed].some((path) => isUnder(path, file.path) && path !== file.path))
    return null;
  if (entries.length === 0) return true;
  if (removes.files) return null;
  return removes.folders && !holdsFile(file.path, listing) ? null : false;
}

/** Whether a folder contains anything but folders, at any depth. */
function holdsFile(folder: string, listing: Listing): boolean {
  const { entries } = listing.names(folder);
  return entries.some(({ kind, path }) => kind !== 'folder' || holdsFile(path, listing));
}

const units: Readonly<Record<string, bigint>> = {
  c: 1n,
  w: 2n,
  b: 512n,
  '': 512n,
  k: 1_024n,
  M: 1_048_576n,
  G: 1_073_741_824n,
};

/** Sizes are rounded up to the unit. */
function sizeTest(text: string, context: Context): Test {
  const [, sign = '', digits = '', letter = ''] = /^([-+]?)(\d+)([cwbkMG]?)$/.exec(text) ?? [];
  const unit = units[letter];
  if (digits === '' || unit === undefined) return () => null;
  const wanted = BigInt(digits);
  return (file) => {
    const stat = statOf(file, context);
    if (stat === null) return null;
    const size = (stat.size + unit - 1n) / unit;
    return sign === '+' ? size > wanted : sign === '-' ? size < wanted : size === wanted;
  };
}

function newerTest(text: string, context: Context): Test {
  const { real, kind } = startAt(text, context, false);
  const isChanged = real === null || kind === 'link' || context.world.changes.created.has(real);
  const than = isChanged ? null : statOf({ path: real, kind, text, depth: 0 }, context);
  if (than === null) return () => null;
  return (file) => {
    const stat = statOf(file, context);
    return stat === null ? null : stat.mtimeNs > than.mtimeNs;
  };
}
