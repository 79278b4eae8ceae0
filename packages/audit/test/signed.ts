import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, LogEvent, NonEmpty, RunEvent } from '@ambit/core';
import { createLog, createSigningKey, type SigningKey } from '../src/index.js';
import { firstPrev, hashOf, type LogEntry, leafOf } from '../src/log/line/line.js';
import { MerkleTree } from '../src/log/tree/merkle-tree.js';
import { originOf, signedHead } from '../src/log/tree/tree-head.js';
import { approvalEvent, decisionEvent, endEvent, folder, key, outcomeEvent, runEvent } from './events.js';

export const signer = createSigningKey('ambit/one');
export const otherSigner = createSigningKey('ambit/two');

export function signedRun(by: SigningKey = signer): RunEvent {
  return { ...runEvent(), signer: by.verifier.text };
}

export const story: readonly LogEvent[] = [
  decisionEvent('c1', 'needs_approval', { path: 'a.md' }),
  approvalEvent('c1', true),
  outcomeEvent('c1'),
  decisionEvent('c2', 'blocked', { path: 'b.md' }),
  { now: 0, event: 'outcome', call: 'c2', outcome: 'refused', code: 'blocked', reason: 'no' },
  endEvent(),
];

/** A log with a head for every two entries, over seven of them: sizes 0, 2, 4, 6, 7. */
export async function signedLog({
  by = signer,
  run = 'r1',
  file = join(folder(), 'run.jsonl'),
  events = story,
}: {
  readonly by?: SigningKey;
  readonly run?: string;
  readonly file?: string;
  readonly events?: readonly LogEvent[];
} = {}): Promise<string> {
  const log = await createLog({ file, run, key, signer: by, heads: { entries: 2, seconds: 3600 } });
  for (const event of [signedRun(by), ...events]) await log.append([event] as NonEmpty<LogEvent>);
  await log.close();
  return file;
}

export function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

export function writeLines(file: string, lines: readonly string[]): void {
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
}

/** The notes beside a log, each with the empty line after it. */
export function headsOf(file: string): string[] {
  const blocks = readFileSync(`${file}.heads`, 'utf8').split('\n\n').slice(0, -1);
  return blocks.flatMap((text, at) => (at % 2 === 0 ? [`${text}\n\n${blocks[at + 1]}\n\n`] : []));
}

export function writeHeads(file: string, heads: readonly string[]): void {
  writeFileSync(`${file}.heads`, heads.join(''));
}

export function parse(line: string | undefined): JsonObject {
  return JSON.parse(line ?? '') as JsonObject;
}

const headKeys = 'prev v seq time run event call decision approved outcome code'.split(' ');

/** An entry as a line, as its version has it. */
export function lineOf(found: JsonObject): string {
  const { hash: _, ...entry } = found;
  if (entry.v === 1) {
    const { v, seq, time, run, event, prev, ...own } = entry;
    const members = { v, seq, time, run, event, ...own, prev, hash: hashOf(entry) };
    return JSON.stringify(members);
  }
  const head = headKeys.filter((key) => Object.hasOwn(entry, key));
  const rest = Object.keys(entry).filter((key) => !headKeys.includes(key));
  return JSON.stringify(Object.fromEntries([...head, ...rest].map((key) => [key, entry[key]])));
}

/** The hash of a line in the tree and in the next line. */
export function leafIn(line: string): string {
  return leafOf(parse(line) as unknown as LogEntry, line);
}

/** The entries with recomputed numbers and hashes, as by an attacker, in the requested version. */
export function rehashed(entries: readonly JsonObject[], v?: 1 | 2): string[] {
  let prev = firstPrev;
  return entries.map((entry, seq) => {
    const line = lineOf({ ...entry, ...(v === undefined ? {} : { v }), seq, prev });
    prev = leafIn(line);
    return line;
  });
}

/** A head over the first entries of a log, by any signer. */
export function headOver(
  lines: readonly string[],
  { by = signer, run = 'r1', size = lines.length } = {},
): string {
  const tree = new MerkleTree();
  for (const line of lines.slice(0, size)) tree.append(leafIn(line));
  return `${signedHead({ origin: originOf(by.verifier.name, run), size, root: tree.root() }, by)}\n`;
}

/** The lines, with some members of one entry replaced. */
export const edited = (lines: readonly string[], at: number, members: JsonObject) =>
  lines.map((line, index) => ({ ...parse(line), ...(index === at ? members : {}) }));
