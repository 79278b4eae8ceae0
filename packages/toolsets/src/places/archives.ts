import { gunzipSync } from 'node:zlib';
import { orNull } from '@ambit/core';
import { readPlain, startOfPlain } from './plain-file.js';
import { wellKnownAt } from './well-known.js';

/** The most bytes of an archive, and a quarter of the most bytes of what is compressed in it. */
export const mostArchiveBytes = 32 * 1024 * 1024;

interface Member {
  readonly name: string;
  /** What the archive shows of it without unpacking; null for what is compressed. */
  readonly content: Buffer | null;
  /** Whether every program takes it for a file or a folder with this name. */
  readonly isPlain: boolean;
}

/** A name of archives that may show their members as they are. */
export const archiveName = /\.(?:tar|cpio|zip|[jwe]ar|whl|apk|7z|rar)$/i;

/**
 * Whether a reader of this file sees a secret that is packed in it as it is; null if that is unknown. A compressed archive
 * shows none. `byName`: whether only a file with the name of an archive is looked at.
 */
export function showsPackedSecret(path: string, homes: readonly string[], byName = false): boolean | null {
  // A look into a file of the system may have an effect.
  if ((byName || /^\/(?:proc|sys|dev)\//.test(path)) && !archiveName.test(path)) return false;
  const start = orNull(() => startOfPlain(path, 2 * block));
  return (
    start !== null && packedSecretIn(path, homes, { start, whole: () => readPlain(path, mostArchiveBytes) })
  );
}

/** The same for a file with this content, or with these first bytes. */
export function packedSecretIn(
  path: string,
  homes: readonly string[],
  { start, whole = () => start }: { readonly start: Buffer; readonly whole?: () => Buffer },
): boolean | null {
  const isLooked = archiveName.test(path) ? !isGzip(start) : isArchive(start);
  if (start.length === 0 || !isLooked) return false;
  const names = orNull(() => namesShown(whole()));
  // It may have been packed in this folder, at the root or in a home.
  const isSecret = (name: string) =>
    ['', path, ...homes].some(
      (folder) => wellKnownAt(`${folder}/${name}`, 'secret.read', homes, () => true).length > 0,
    );
  return names?.some(isSecret) ?? null;
}

function isArchive(start: Buffer): boolean {
  return isZip(start) || /^07070[1267]/.test(start.toString('latin1', 0, 6)) || isTar(start);
}

function isTar(start: Buffer): boolean {
  return start.toString('latin1', 257, 262) === 'ustar';
}

function isZip(start: Buffer): boolean {
  return ['PK\x03\x04', 'PK\x05\x06'].includes(start.toString('latin1', 0, 4));
}

function isGzip(start: Buffer): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** The names of what is not compressed, in archives in it too. Throws if they are unknown. */
function namesShown(bytes: Buffer): readonly string[] {
  const members = isZip(bytes) ? zipEntries(bytes) : tarEntries(bytes);
  if (members === null) throw new Error('it is an archive of another form');
  return members.flatMap(({ name, content }) =>
    content === null ? [] : [name, ...(isArchive(content) ? namesShown(content) : [])],
  );
}

/** The members of an archive of `tar`, perhaps compressed by gzip; null if one may be more than a file or a folder. */
export function tarMembers(bytes: Buffer): readonly string[] | null {
  return plainNames(
    tarEntries(isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: 4 * mostArchiveBytes }) : bytes),
  );
}

/** The members of an archive of `zip`; null if it is something else as well, or if one may be more than a file or a folder. */
export function zipMembers(bytes: Buffer): readonly string[] | null {
  return plainNames(zipEntries(bytes));
}

function plainNames(members: readonly Member[] | null): readonly string[] | null {
  return members?.every(({ isPlain }) => isPlain) === true ? members.map(({ name }) => name) : null;
}

const block = 512;
const forms = ['ustar\x0000', 'ustar  \x00'];

/** Every header has to be as tar writes it. */
function tarEntries(all: Buffer): readonly Member[] | null {
  const found: Member[] = [];
  for (let at = 0; at + block <= all.length; ) {
    const header = all.subarray(at, at + block);
    // Behind the end, there may be nothing else.
    if (header.every((byte) => byte === 0))
      return all.subarray(at).every((byte) => byte === 0) ? found : null;
    const field = (from: number, to: number) => header.toString('latin1', from, to).replace(/\0[\s\S]*$/, '');
    const size = octal(field(124, 136));
    const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
    const form = header.toString('latin1', 257, 265);
    if (size === null || octal(field(148, 156)) !== sum || !forms.includes(form)) return null;
    const content = all.subarray(at + block, at + block + size);
    const type = field(156, 157);
    const prefix = form.endsWith('0') ? field(345, 500) : '';
    const name = prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`;
    // Some programs take what lies in a folder for the next header.
    const isEmpty = size === 0 && /^[05]?$/.test(type);
    if (/^[gxLK]$/.test(type)) found.push(...renamings(type, content.toString('latin1')));
    else found.push({ name, content, isPlain: isEmpty || (/^0?$/.test(type) && !name.endsWith('/')) });
    at += block * (1 + Math.ceil(size / block));
  }
  return null;
}

/** What a header with this content may change of the next member: its name, and the rest. */
function renamings(type: string, text: string): readonly Member[] {
  const isHarmless = /^[gx]$/.test(type) && !/path=|size=|GNU\./.test(text);
  const names = text.split(/[\0\n]/).map((line) => line.replace(/^\d+ [^=]*=/, ''));
  return isHarmless ? [] : names.map((name) => ({ name, content: Buffer.alloc(0), isPlain: false }));
}

function octal(text: string): number | null {
  return /^[0-7]+ ?$/.test(text) ? Number.parseInt(text, 8) : null;
}

/** Extra fields of a zip archive that hold times and owners. */
const harmlessFields: ReadonlySet<number> = new Set([0x000a, 0x5455, 0x5855, 0x7875]);

/** The members by the directory of an archive that is nothing else. */
function zipEntries(bytes: Buffer): readonly Member[] | null {
  const end = bytes.length - 22;
  const [count, size, start] = [
    bytes.readUInt16LE(end + 10),
    bytes.readUInt32LE(end + 12),
    bytes.readUInt32LE(end + 16),
  ];
  const isPlainEnd = bytes.readUInt32LE(end) === 0x06054b50 && start + size === end;
  const isWhole = bytes.readUInt32LE(end + 4) === 0 && bytes.readUInt16LE(end + 8) === count;
  if (!isPlainEnd || !isWhole || bytes.readUInt16LE(end + 20) !== 0) return null;
  const found: Member[] = [];
  let at = start;
  for (let index = 0; index < count; index += 1) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) return null;
    const length = (offset: number) => bytes.readUInt16LE(at + offset);
    const mode = bytes.readUInt32LE(at + 38) >>> 28;
    const fields = at + 46 + length(28);
    // A file or a folder, and no link; encrypted names are others.
    let isPlain =
      [0, 3].includes(bytes[at + 5] ?? 0) && [0, 4, 8].includes(mode) && (length(8) & 0x2001) === 0;
    for (let field = fields; field < fields + length(30); field += 4 + bytes.readUInt16LE(field + 2))
      isPlain &&= harmlessFields.has(bytes.readUInt16LE(field));
    const local = bytes.readUInt32LE(at + 42);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = length(10) === 0 ? bytes.subarray(from, from + bytes.readUInt32LE(at + 20)) : null;
    found.push({ name: bytes.toString('latin1', at + 46, fields), content, isPlain });
    at = fields + length(30) + length(32);
  }
  return at === end ? found : null;
}
