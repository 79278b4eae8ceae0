import { readFile } from 'node:fs/promises';
import { orNull, printable } from '@ambit/core';
import { ifThere, LogError } from '../files/log-error.js';
import { openForReading } from '../files/open-file.js';
import { parseHead, type TreeHead } from './tree-head.js';

/** A file of tree heads: those beside a log, or one that was kept elsewhere. */
export interface NotesFile {
  readonly name: string;
  readonly notes: readonly Note[];
  /** The beginning of a note that was never finished. */
  readonly torn: { readonly line: number; readonly offset: number; readonly bytes: number } | null;
}

export interface Note {
  /** From 1, of its first line. */
  readonly line: number;
  /** Null if it is not a checkpoint. */
  readonly head: TreeHead | null;
}

export function headsNameOf(log: string): string {
  return `${log}.heads`;
}

/** The heads beside a log, or null. */
export async function readHeads(log: string): Promise<NotesFile | null> {
  const name = headsNameOf(log);
  const bytes = await ifThere(bytesOf(name));
  return bytes === null ? null : parseNotes(name, bytes);
}

/** The keys that signed the newest head beside a log, as `NAME+ID`; null without a head. */
export async function newestSigners(log: string): Promise<readonly string[] | null> {
  const head = (await readHeads(log))?.notes.at(-1)?.head;
  return head?.signatures.map(({ name, id }) => `${name}+${id}`) ?? null;
}

export async function readAnchor(file: string): Promise<NotesFile> {
  return parseAnchor(file, await bytesOf(file));
}

/** The empty line after the last note may be missing; an unsigned head is a note too. */
export function parseAnchor(name: string, bytes: Uint8Array): NotesFile {
  const text = Buffer.from(bytes).toString('latin1').trimEnd();
  const isBare = text !== '' && !text.includes('\n\n');
  if (isBare) {
    const head = parseHead(`${decodeUtf8(text) ?? ''}\n`);
    return { name, notes: [{ line: 1, head }], torn: null };
  }
  const found = parseNotes(name, Buffer.from(`${text}\n\n`, 'latin1'));
  // Every kept head is checked.
  return found.torn === null && found.notes.length > 0
    ? found
    : { name, notes: [...found.notes, { line: found.torn?.line ?? 1, head: null }], torn: null };
}

async function bytesOf(file: string): Promise<Buffer> {
  const handle = await openForReading(file);
  try {
    const { size } = await handle.stat();
    if (size <= mostBytes) return await readFile(handle);
    throw new LogError('UNSAFE_FILE', `${printable(file)} is too large for tree heads`, { file });
  } finally {
    await handle.close();
  }
}

/** A million heads. */
const mostBytes = 256 * 1024 * 1024;

/** Two blocks for each note: its text, its signatures. */
function parseNotes(name: string, bytes: Buffer): NotesFile {
  const blocks = bytes.toString('latin1').split('\n\n');
  const notes: Note[] = [];
  let line = 1;
  let offset = 0;
  for (let at = 0; at + 2 < blocks.length; at += 2) {
    const note = `${blocks[at]}\n\n${blocks[at + 1]}\n`;
    notes.push({ line, head: parseHead(decodeUtf8(note) ?? '') });
    offset += note.length + 1;
    line += note.split('\n').length;
  }
  const rest = bytes.length - offset;
  return { name, notes, torn: rest === 0 ? null : { line, offset, bytes: rest } };
}

/** Null for invalid UTF-8. */
function decodeUtf8(latin1: string): string | null {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return orNull(() => decoder.decode(Buffer.from(latin1, 'latin1')));
}
