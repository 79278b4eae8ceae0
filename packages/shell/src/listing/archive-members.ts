import { closeSync, readSync } from 'node:fs';
import { posix } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { orNull } from '@ambit/core';
import { openPlain, readPlain } from '@ambit/toolsets';
import { type Context, mayDiffer } from '../world.js';
import { startAt } from './start.js';
import { unchanged } from './text-read.js';

/** The most bytes of an archive, and of what is compressed in it. */
const mostBytes = 32 * 1024 * 1024;

/** The most members that are named one by one. */
const mostMembers = 2_000;

type Members = (bytes: Buffer) => readonly string[] | null;

/**
 * The names of the files and folders in an archive, and of the folders above them; null for an archive of another form,
 * with links or with names that lead elsewhere.
 */
export function archiveMembers(name: string, context: Context, membersOf: Members): readonly string[] | null {
  const bytes = unchanged(name, context, mostBytes);
  const members = bytes && orNull(() => membersOf(bytes));
  if (members === null || members.length > mostMembers || !members.every(isPlainName)) return null;
  const names = members.map((each) => posix.normalize(each).replace(/\/$/, ''));
  return [...new Set(names.flatMap(withFolders))];
}

function isPlainName(name: string): boolean {
  return /^[ -~]+$/.test(name) && !/^\/|\\|(?:^|\/)\.\.(?:\/|$)/.test(name);
}

function withFolders(name: string): readonly string[] {
  const folder = posix.dirname(name);
  return folder === '.' ? [name] : [...withFolders(folder), name];
}

const block = 512;
const forms = ['ustar\x0000', 'ustar  \x00'];

/** An archive of `tar`, perhaps compressed by gzip. Every header has to be as tar writes it. */
export const tarMembers: Members = (bytes) => {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const all = isPacked ? gunzipSync(bytes, { maxOutputLength: 4 * mostBytes }) : bytes;
  const names: string[] = [];
  for (let at = 0; at + block <= all.length; ) {
    const header = all.subarray(at, at + block);
    // Behind the end, there may be nothing else.
    if (header.every((byte) => byte === 0))
      return all.subarray(at).every((byte) => byte === 0) ? names : null;
    const field = (from: number, to: number) => header.toString('latin1', from, to).replace(/\0[\s\S]*$/, '');
    const size = octal(field(124, 136));
    const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
    const form = header.toString('latin1', 257, 265);
    if (size === null || octal(field(148, 156)) !== sum || !forms.includes(form)) return null;
    const content = all.toString('latin1', at + block, at + block + size);
    const type = field(156, 157);
    // Such a header may change the name of the next member.
    const isHarmless = /^[gx]$/.test(type) && !/path=|size=|GNU\./.test(content);
    const prefix = form.endsWith('0') ? field(345, 500) : '';
    const name = prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`;
    // Some programs take what lies in a folder for the next header.
    const isEmpty = size === 0 && /^[05]?$/.test(type);
    if (!isHarmless && !isEmpty && (!/^0?$/.test(type) || name.endsWith('/'))) return null;
    if (!isHarmless) names.push(name);
    at += block * (1 + Math.ceil(size / block));
  }
  return null;
};

function octal(text: string): number | null {
  return /^[0-7]+ ?$/.test(text) ? Number.parseInt(text, 8) : null;
}

/** Extra fields of a zip archive that hold times and owners. */
const harmlessFields: ReadonlySet<number> = new Set([0x000a, 0x5455, 0x5855, 0x7875]);

/** An archive of `zip` that is nothing else, by its directory. */
export const zipMembers: Members = (bytes) => {
  const end = bytes.length - 22;
  const [count, size, start] = [
    bytes.readUInt16LE(end + 10),
    bytes.readUInt32LE(end + 12),
    bytes.readUInt32LE(end + 16),
  ];
  const isPlain = bytes.readUInt32LE(end) === 0x06054b50 && start + size === end;
  const isWhole = bytes.readUInt32LE(end + 4) === 0 && bytes.readUInt16LE(end + 8) === count;
  if (!isPlain || !isWhole || bytes.readUInt16LE(end + 20) !== 0) return null;
  const names: string[] = [];
  let at = start;
  for (let index = 0; index < count; index += 1) {
    const length = (offset: number) => bytes.readUInt16LE(at + offset);
    const mode = bytes.readUInt32LE(at + 38) >>> 28;
    const host = bytes[at + 5] ?? 0;
    const fields = at + 46 + length(28);
    for (let field = fields; field < fields + length(30); field += 4 + bytes.readUInt16LE(field + 2))
      if (!harmlessFields.has(bytes.readUInt16LE(field))) return null;
    // A file or a folder, and no link; encrypted names are others.
    const isKnown = [0, 3].includes(host) && [0, 4, 8].includes(mode) && (length(8) & 0x2001) === 0;
    if (bytes.readUInt32LE(at) !== 0x02014b50 || !isKnown) return null;
    names.push(bytes.toString('latin1', at + 46, fields));
    at = fields + length(30) + length(32);
  }
  return at === end ? names : null;
};

const thin = '!<thin>\n';

/** Whether a file may be an archive of `ar` whose members are files elsewhere, or may hold such an archive. */
export function mayBeThin(name: string, context: Context): boolean {
  const { real, kind } = startAt(name, context, true);
  if (real === null || mayDiffer(real, context.world.changes)) return true;
  if (kind !== 'file') return false;
  const start = orNull(() => startOf(real, thin.length));
  if (start === null || start === thin) return true;
  if (!/^!<\w+>\n$/.test(start)) return false;
  return orNull(() => readPlain(real, mostBytes).includes(thin)) !== false;
}

function startOf(path: string, length: number): string {
  const file = openPlain(path);
  try {
    const bytes = Buffer.alloc(length);
    return bytes.toString('latin1', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
