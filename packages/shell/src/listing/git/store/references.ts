import { statSync } from 'node:fs';
import { orNull } from '@ambit/core';
import { namesAt, textAt } from './read-files.js';
import type { Repository } from './repository.js';

/** Names of commits: `refs/heads/main`, `HEAD`, and the entries in the logs of references. */
export interface References {
  /** Ids by full names. */
  readonly byName: ReadonlyMap<string, string>;
  /** The references that name another one, with its name. */
  readonly links: ReadonlyMap<string, string>;
  /** Every id that anything names, logs included; those of logs may be gone. */
  readonly logged: ReadonlySet<string>;
  /** The branch that `HEAD` names; null for an id, or a branch without a commit. */
  readonly head: string | null;
  /** The earlier values of a reference, newest first; null if unknown. Takes a full name. */
  log(name: string): readonly string[] | null;
  /** The branch or commit that was left that many checkouts ago; null if unknown. */
  left(steps: number): string | null;
}

const mostFiles = 50_000;
const idPattern = /^[0-9a-f]{40}$/;

/** References that are files of their own. */
const single = 'HEAD FETCH_HEAD ORIG_HEAD MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD AUTO_MERGE'.split(' ');

/** Null if there are too many, or one is not a plain reference. */
export function readReferences({ own, common }: Repository): References | null {
  const byName = new Map<string, string>();
  const logged = new Set<string>();
  const links = new Map<string, string>();
  const reader = { byName, logged, links, left: mostFiles };
  try {
    for (const line of textAt(`${common}/packed-refs`).split('\n')) {
      const [, id = '', name = ''] = /^([0-9a-f]{40}) (refs\/.+)$/.exec(line) ?? [];
      if (id !== '') byName.set(name, id);
      else if (line !== '' && !/^[#^]/.test(line)) return null;
    }
    addBelow(reader, common, 'refs');
    if (own !== common) addBelow(reader, own, 'refs');
    for (const name of single) addFile(reader, own, name);
    const others = namesAt(`${common}/worktrees`).map((name) => `${common}/worktrees/${name}`);
    for (const folder of [common, ...others]) {
      const other = { ...reader, byName: new Map<string, string>(), links: new Map<string, string>() };
      addFile(other, folder, 'HEAD');
      for (const id of other.byName.values()) logged.add(id);
      addLogs(reader, `${folder}/logs`);
    }
  } catch {
    return null;
  }
  for (const [name, target] of links) {
    const id = byName.get(target);
    if (id !== undefined) byName.set(name, id);
  }
  for (const id of byName.values()) logged.add(id);
  const log = (name: string) => readLog(`${name === 'HEAD' ? own : common}/logs/${name}`);
  const left = (steps: number) => namesLeft(`${own}/logs/HEAD`)[steps - 1] ?? null;
  return { byName, links, logged, head: links.get('HEAD') ?? null, log, left };
}

/** What checkouts left, newest first. */
function namesLeft(file: string): readonly string[] {
  const text = orNull(() => textAt(file)) ?? '';
  const found = text.matchAll(/^[^>\n]*> \d+ [+-]\d{4}\tcheckout: moving from (.*?) to /gm);
  return [...found].map(([, name = '']) => name).reverse();
}

function readLog(file: string): readonly string[] | null {
  const lines = orNull(() => textAt(file))?.split('\n') ?? null;
  return lines?.flatMap((line) => /^[0-9a-f]{40} ([0-9a-f]{40}) /.exec(line)?.[1] ?? []).reverse() ?? null;
}

interface Reader {
  readonly byName: Map<string, string>;
  readonly logged: Set<string>;
  readonly links: Map<string, string>;
  left: number;
}

function addBelow(reader: Reader, folder: string, name: string): void {
  for (const each of namesAt(`${folder}/${name}`)) {
    const inside = `${name}/${each}`;
    if (statSync(`${folder}/${inside}`, { throwIfNoEntry: false })?.isDirectory())
      addBelow(reader, folder, inside);
    else if (!each.endsWith('.lock')) addFile(reader, folder, inside);
  }
}

function addFile(reader: Reader, folder: string, name: string): void {
  reader.left -= 1;
  if (reader.left < 0) throw new Error('too many references');
  const text = textAt(`${folder}/${name}`);
  if (text === '') return;
  // Another name of the stash is unknown.
  const link = /^ref: (refs\/(?!stash\n)\S+)\n$/.exec(text)?.[1];
  if (link !== undefined) reader.links.set(name, link);
  else if (name === 'FETCH_HEAD') {
    for (const [id] of text.matchAll(/^[0-9a-f]{40}(?=\t)/gm)) {
      reader.logged.add(id);
      if (!reader.byName.has(name)) reader.byName.set(name, id);
    }
  } else {
    const id = text.slice(0, 40);
    if (!idPattern.test(id)) throw new Error(name);
    reader.byName.set(name, id);
  }
}

function addLogs(reader: Reader, folder: string): void {
  for (const name of namesAt(folder)) {
    reader.left -= 1;
    if (reader.left < 0) throw new Error('too many references');
    if (statSync(`${folder}/${name}`).isDirectory()) addLogs(reader, `${folder}/${name}`);
    else
      for (const line of textAt(`${folder}/${name}`).split('\n'))
        for (const id of line.slice(0, 81).split(' '))
          if (idPattern.test(id) && !/^0+$/.test(id)) reader.logged.add(id);
  }
}

/** Whether a beginning of this id is the name of a reference, which git would take for it. */
export function mayBeName(id: string, { byName }: References): boolean {
  const names = [...byName.keys()].map((name) => shortHexName.exec(name)?.[1]);
  return names.some((name) => name !== undefined && id.startsWith(name));
}

const shortHexName = /^(?:refs\/(?:(?:tags|heads|remotes)\/)?)?([0-9a-f]{4,39})(?:\/HEAD)?$/;
