import type { JsonObject } from '@ambit/core';
import fc from 'fast-check';
import { firstPrev, hashOfLine } from '../../src/log/line/line.js';
import { MerkleTree } from '../../src/log/tree/merkle-tree.js';
import { originOf, signedHead } from '../../src/log/tree/tree-head.js';
import { lineOf, otherSigner, signer } from '../signed.js';

/** The files of a log by their names, its segments in their order and its heads as `run.jsonl.heads`. */
export type Files = ReadonlyMap<string, Buffer>;

export const headsName = 'run.jsonl.heads';

/** One manipulation of a log. The numbers choose the place and the change. */
interface Edit {
  readonly what: keyof typeof kinds;
  readonly of: number;
  readonly at: number;
  readonly to: number;
}

type Kind = (files: Files, edit: Edit, others: Files) => Files;

/** A change of one file, `which` of them. */
const inFile =
  (which: (files: Files) => readonly string[], change: (bytes: Buffer, edit: Edit) => Buffer): Kind =>
  (files, edit) => {
    const name = pick(which(files), edit.of);
    const bytes = name === undefined ? undefined : files.get(name);
    return name === undefined || bytes === undefined ? files : new Map(files).set(name, change(bytes, edit));
  };

const segmentsOf = (files: Files) => [...files.keys()].filter((name) => name !== headsName);
const all = (files: Files) => [...files.keys()];
const heads = () => [headsName];

const inLines = (change: (lines: string[], edit: Edit) => readonly string[]): Kind =>
  inFile(segmentsOf, (bytes, edit) => joined(change(linesIn(bytes), edit)));

const inNotes = (change: (notes: string[], edit: Edit) => readonly string[]): Kind =>
  inFile(heads, (bytes, edit) => {
    const blocks = bytes.toString('latin1').split('\n\n').slice(0, -1);
    const notes = blocks.flatMap((text, at) => (at % 2 === 0 ? [`${text}\n\n${blocks[at + 1]}\n\n`] : []));
    return Buffer.from(change(notes, edit).join(''), 'latin1');
  });

const flip = (bytes: Buffer, { at, to }: Edit) => {
  const turned = Buffer.from(bytes);
  if (bytes.length > 0) turned[at % bytes.length] = (turned[at % bytes.length] ?? 0) ^ (1 << (to % 8));
  return turned;
};
const cut = (bytes: Buffer, { at }: Edit) => bytes.subarray(0, at % (bytes.length + 1));
const put = (bytes: Buffer, { at, to }: Edit) => {
  const place = at % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, place), Buffer.from([to % 256]), bytes.subarray(place)]);
};
const drop = (items: string[], { at }: Edit) => items.toSpliced(at % (items.length + 1), 1);
const double = (items: string[], { at, to }: Edit) =>
  items.toSpliced(at % (items.length + 1), 0, pick(items, to) ?? '');
const swap = (items: string[], { at, to }: Edit) =>
  items.length === 0
    ? items
    : items
        .with(at % items.length, pick(items, to) ?? '')
        .with(to % items.length, items[at % items.length] ?? '');

const twice: Kind = inLines((lines, { at, to }) =>
  lines.map((line, index) =>
    index === at % lines.length ? line.replace(/}$/, pick(doubled, to) ?? '') : line,
  ),
);

const kinds = {
  flip: inFile(all, flip),
  cut: inFile(all, cut),
  put: inFile(all, put),
  /** As an editor of another system saves it. */
  crlf: inFile(all, (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')),
  mark: inFile(all, (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes])),
  drop: inLines(drop),
  double: inLines(double),
  swap: inLines(swap),
  /** A repeated key. */
  twice,
  /** Lines of another log. */
  splice: (files, edit, others) =>
    inLines((lines, { at, to }) =>
      lines.toSpliced(at % (lines.length + 1), to % 3, ...pickedLines(others, to)),
    )(files, edit, others),
  /** A changed member of an entry, with all later hashes recomputed. */
  rehash: (files, edit) => rechained(edited(files, edit)),
  /** The same, and all of it is signed again. */
  resign: (files, edit) => signedAnew(rechained(edited(files, edit)), edit),
  /** Only a new signature, by any signer. */
  sign: (files, edit) => signedAnew(files, edit),
  /** A repeated key, with all later hashes recomputed. */
  relink: (files, edit, others) => relinked(twice(files, edit, others)),
  dropNote: inNotes(drop),
  doubleNote: inNotes(double),
  swapNotes: inNotes(swap),
  flipNote: inFile(heads, flip),
  cutNote: inFile(heads, cut),
  remove: (files, { of }) => without(files, pick(all(files), of) ?? ''),
  exchange: (files, { of, to }) => {
    const [one = '', other = ''] = [pick(segmentsOf(files), of), pick(segmentsOf(files), to)];
    const [its, others] = [files.get(one), files.get(other)];
    return its && others ? new Map(files).set(one, others).set(other, its) : files;
  },
  over: (files, { of, to }, others) => {
    const from = to % 2 === 0 ? files : others;
    const bytes = from.get(pick(segmentsOf(from), to) ?? '');
    const name = pick(segmentsOf(files), of);
    return bytes === undefined || name === undefined ? files : new Map(files).set(name, bytes);
  },
  bare: inFile(segmentsOf, (bytes, { to }) => joined(linesIn(bytes).slice(0, to % 2))),
} satisfies Record<string, Kind>;

export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    what: fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])),
    of: fc.nat(),
    at: fc.nat(),
    to: fc.nat(),
  }),
  { minLength: 1, maxLength: 3 },
);

/** The files after all manipulations; `others` are those of another log. */
export function tampered(files: Files, done: readonly Edit[], others: Files): Files {
  return done.reduce((before, edit) => (kinds[edit.what] as Kind)(before, edit, others), files);
}

const doubled = [
  ',"v":1}',
  ',"seq":0}',
  ',"decision":"pre_approved"}',
  ',"c\\u006fde":"x"}',
  ',"more":1,"more":2}',
];

const members: readonly JsonObject[] = [
  { reason: 'another' },
  { decision: 'blocked' },
  { decision: 'pre_approved' },
  { code: 'cannot' },
  { approved: false },
  { event: 'run' },
  { event: 'end' },
  { event: 'segment', number: 2, next: 'run.0002.jsonl' },
  { event: 'note' },
  { call: 'c2' },
  { call: null },
  { outcome: 'refused' },
  { run: 'r2' },
  { run: 'r 2/ä' },
  { signer: otherSigner.verifier.text },
  { signer: null },
  { time: 'today' },
  { v: 1 },
  { v: 3 },
  { number: 3 },
  { next: 'run.0003.jsonl' },
  { next: '../run.jsonl' },
  { more: { '\u{1f600}': 1e21, '\ufb33': -0.5e-9, é: ['\u007f', null, true] } },
];

function edited(files: Files, { of, at, to }: Edit): Files {
  const name = pick(segmentsOf(files), of) ?? '';
  const lines = linesIn(files.get(name) ?? Buffer.of());
  const place = at % (lines.length + 1);
  const entry = objectIn(lines[place] ?? '');
  if (entry === null) return files;
  return new Map(files).set(
    name,
    joined(lines.with(place, latinLine({ ...entry, ...pick(members, to) }) ?? '')),
  );
}

/** All segments with recomputed numbers and hashes, as by an attacker. */
function rechained(files: Files): Files {
  const changed = new Map(files);
  let size = 0;
  let before: JsonObject = {};
  for (const name of segmentsOf(files)) {
    let prev = firstPrev;
    const lines = linesIn(files.get(name) ?? Buffer.of()).map((line, seq) => {
      const entry = objectIn(line);
      if (entry === null) return line;
      const linked = typeof entry.before === 'object' ? { before: { ...before, size } } : {};
      const text = latinLine({ ...entry, seq, prev, ...linked }) ?? line;
      prev = leafOfLatin(text);
      before = { file: name, seq, hash: prev };
      size += 1;
      return text;
    });
    changed.set(name, joined(lines));
  }
  return changed;
}

/** The same for lines that are no longer what they were parsed from. */
function relinked(files: Files): Files {
  const changed = new Map(files);
  for (const name of segmentsOf(files)) {
    let prev = firstPrev;
    const lines = linesIn(files.get(name) ?? Buffer.of()).map((line) => {
      const linked = line.replace(/^{"prev":"[0-9a-f]*"/, `{"prev":"${prev}"`);
      prev = leafOfLatin(linked);
      return linked;
    });
    changed.set(name, joined(lines));
  }
  return changed;
}

function signedAnew(files: Files, { at, to }: Edit): Files {
  const by = to % 3 === 0 ? otherSigner : signer;
  const tree = new MerkleTree();
  const lines = segmentsOf(files).flatMap((name) => linesIn(files.get(name) ?? Buffer.of()));
  const size = at % 2 === 0 ? lines.length : at % (lines.length + 1);
  for (const line of lines.slice(0, size)) tree.append(leafOfLatin(line));
  const run = textIn(lines[0] ?? '', 'run') ?? 'r1';
  const head = `${signedHead({ origin: originOf(by.verifier.name, run), size, root: tree.root() }, by)}\n`;
  const kept = to % 2 === 0 ? '' : (files.get(headsName)?.toString('latin1') ?? '');
  return new Map(files).set(headsName, Buffer.concat([Buffer.from(kept, 'latin1'), Buffer.from(head)]));
}

export function pick<T>(items: readonly T[], at: number): T | undefined {
  return items[at % Math.max(1, items.length)];
}

function without(files: Files, name: string): Files {
  return new Map([...files].filter(([one]) => one !== name));
}

function pickedLines(files: Files, at: number): readonly string[] {
  const lines = linesIn(files.get(pick(segmentsOf(files), at) ?? '') ?? Buffer.of());
  const start = at % (lines.length + 1);
  return lines.slice(start, start + 1 + (at % 3));
}

/** Latin, so that bytes that are no text stay what they are. */
function linesIn(bytes: Buffer): string[] {
  return bytes.toString('latin1').split('\n').slice(0, -1);
}

function joined(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
}

/** Null for what has no hash: half a character in version 1, which a flip has made. */
function latinLine(entry: JsonObject): string | null {
  try {
    return Buffer.from(lineOf(entry)).toString('latin1');
  } catch {
    return null;
  }
}

function leafOfLatin(line: string): string {
  const { v, hash } = objectIn(line) ?? {};
  return v === 1 && typeof hash === 'string' ? hash : hashOfLine(Buffer.from(line, 'latin1'));
}

function textIn(line: string, member: string): string | null {
  const value = objectIn(line)?.[member];
  return typeof value === 'string' ? value : null;
}

function objectIn(line: string): JsonObject | null {
  try {
    const value = JSON.parse(Buffer.from(line, 'latin1').toString()) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}
