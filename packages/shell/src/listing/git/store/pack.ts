import { closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { openPlain, readPlain } from '@ambit/toolsets';

export type ObjectKind = 'commit' | 'tree' | 'blob' | 'tag';

export interface StoredObject {
  readonly kind: ObjectKind;
  readonly bytes: Buffer;
}

/** The largest object that is read: trees and commits are far smaller. */
export const mostBytes = 16_000_000;
const mostDeltas = 300;
const partBytes = 65_536;
const kinds: readonly (ObjectKind | null)[] = [null, 'commit', 'tree', 'blob', 'tag'];

/** A pack with its index, both of version 2. */
export class Pack {
  private readonly index: Buffer;
  private readonly count: number;
  private readonly file: number;
  private readonly size: number;
  private readonly recent = new Map<number, StoredObject>();
  /** What was read last from the file, and where that starts. */
  private part = Buffer.alloc(0);
  private start = 0;

  /** `path` ends in `.idx`. Throws if the pack cannot be read. */
  constructor(path: string) {
    if (statSync(path).size > 60_000_000) throw new Error('the pack index is too large');
    this.index = readPlain(path);
    if (
      this.index.length < 1072 ||
      this.index.readUInt32BE(0) !== 0xff744f63 ||
      this.index.readUInt32BE(4) !== 2
    )
      throw new Error('this version of a pack index is unknown');
    this.count = this.index.readUInt32BE(8 + 255 * 4);
    if (this.index.length < 1072 + this.count * 28) throw new Error('the pack index is cut off');
    this.file = openPlain(path.replace(/idx$/, 'pack'));
    this.size = fstatSync(this.file).size;
  }

  close(): void {
    closeSync(this.file);
  }

  /** Null if the object is not in this pack. Throws if the pack is damaged. */
  read(id: Buffer): StoredObject | null {
    const at = this.find(id);
    return at === null ? null : this.readAt(at, 0);
  }

  /** All ids, in hexadecimal, that begin with this prefix. */
  startingWith(prefix: string): readonly string[] {
    const low = Buffer.from(prefix.padEnd(40, '0'), 'hex');
    const found: string[] = [];
    for (let at = this.position(low); at < this.count && found.length < 2; at += 1) {
      const id = this.index.toString('hex', 1032 + at * 20, 1052 + at * 20);
      if (!id.startsWith(prefix)) break;
      found.push(id);
    }
    return found;
  }

  /** The place of an id among the sorted ones. */
  private position(id: Buffer): number {
    const first = id[0] ?? 0;
    let low = first === 0 ? 0 : this.index.readUInt32BE(8 + (first - 1) * 4);
    let high = Math.min(this.index.readUInt32BE(8 + first * 4), this.count);
    while (low < high) {
      const middle = (low + high) >> 1;
      const start = 1032 + middle * 20;
      if (this.index.compare(id, 0, 20, start, start + 20) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private find(id: Buffer): number | null {
    const at = this.position(id);
    const start = 1032 + at * 20;
    if (at >= this.count || this.index.compare(id, 0, 20, start, start + 20) !== 0) return null;
    const offset = this.index.readUInt32BE(1032 + this.count * 24 + at * 4);
    if (offset < 0x80000000) return offset;
    const large = 1032 + this.count * 28 + (offset - 0x80000000) * 8;
    return Number(this.index.readBigUInt64BE(large));
  }

  private readAt(offset: number, depth: number): StoredObject {
    const known = this.recent.get(offset);
    if (known !== undefined) return known;
    if (depth > mostDeltas) throw new Error('too many deltas');
    const found = this.parse(offset, depth);
    if (found.bytes.length < 100_000) {
      if (this.recent.size > 2_000) this.recent.clear();
      this.recent.set(offset, found);
    }
    return found;
  }

  private parse(offset: number, depth: number): StoredObject {
    const head = this.bytesAt(offset, 64);
    let at = 0;
    let byte = head[at++] ?? 0;
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let shift = 4; (byte & 128) !== 0; shift += 7) {
      byte = head[at++] ?? 0;
      size += (byte & 127) * 2 ** shift;
    }
    if (size > mostBytes) throw new Error('the object is too large');
    const kind = kinds[type];
    if (kind !== null && kind !== undefined) return { kind, bytes: this.inflate(offset + at, size) };
    const back = type === 6 ? readOffset(head, at) : null;
    const isBefore = back !== null && back.value > 0 && back.value <= offset;
    const named = type === 7 ? this.read(head.subarray(at, at + 20)) : null;
    const base = isBefore ? this.readAt(offset - back.value, depth + 1) : named;
    if (base === null) throw new Error('a delta without its base');
    const delta = this.inflate(offset + (back?.end ?? at + 20), size);
    return { kind: base.kind, bytes: applyDelta(base.bytes, delta) };
  }

  private inflate(offset: number, size: number): Buffer {
    const packed = this.bytesAt(offset, size + (size >> 8) + 128);
    const bytes = inflateSync(packed, {
      maxOutputLength: Math.max(size, 1),
      chunkSize: Math.max(size + 1, 64),
    });
    if (bytes.length !== size) throw new Error('the object has another size');
    return bytes;
  }

  private bytesAt(offset: number, most: number): Buffer {
    const end = Math.min(offset + most, this.size);
    if (offset < this.start || end > this.start + this.part.length) {
      // Objects that are read one after the other lie close together, in either direction.
      this.start = Math.max(0, offset - partBytes / 2);
      const part = Buffer.allocUnsafe(Math.max(end - this.start, partBytes));
      this.part = part.subarray(0, readSync(this.file, part, 0, part.length, this.start));
    }
    return this.part.subarray(offset - this.start, Math.max(end, offset) - this.start);
  }
}

/** A number of seven bits a byte, where each further byte counts from where the shorter ones end; null if it is cut off. */
export function readOffset(bytes: Buffer, start: number): { value: number; end: number } | null {
  let value = 0;
  for (let at = start; ; at += 1) {
    const byte = bytes[at];
    if (byte === undefined || value > Number.MAX_SAFE_INTEGER / 256) return null;
    value = at === start ? byte & 127 : (value + 1) * 128 + (byte & 127);
    if ((byte & 128) === 0) return { value, end: at + 1 };
  }
}

function applyDelta(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const next = () => delta[at++] ?? 0;
  const number = () => {
    let [value, byte] = [0, 128];
    for (let shift = 0; (byte & 128) !== 0; shift += 7) {
      byte = next();
      value += (byte & 127) * 2 ** shift;
    }
    return value;
  };
  if (number() !== base.length) throw new Error('a delta for another base');
  const size = number();
  if (size > mostBytes) throw new Error('the object is too large');
  const result = Buffer.allocUnsafe(size);
  let end = 0;
  while (at < delta.length) {
    const code = next();
    if ((code & 128) === 0) {
      if (code === 0) throw new Error('an unknown instruction');
      end += delta.copy(result, end, at, at + code);
      at += code;
      continue;
    }
    let [from, length] = [0, 0];
    for (let bit = 0; bit < 4; bit += 1) if ((code & (1 << bit)) !== 0) from += next() * 2 ** (8 * bit);
    for (let bit = 0; bit < 3; bit += 1) if ((code & (16 << bit)) !== 0) length += next() * 2 ** (8 * bit);
    if (length === 0) length = 0x10000;
    end += base.copy(result, end, from, from + length);
  }
  if (end !== size) throw new Error('the object has another size');
  return result;
}
