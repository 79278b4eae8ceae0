import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { errorCode } from '@ambit/core';
import { HttpError } from './failure.js';

/** The bytes of a body as far as they were read. */
export interface ReadBody {
  readonly bytes: Uint8Array;
  /** Whether there is, or may be, more. */
  readonly isCut: boolean;
  /** Null if the bytes are plain. */
  readonly encoding: string | null;
}

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Reads at most this many bytes, received or unpacked. */
export async function readBody(body: Readable, encoding: string, most: number): Promise<ReadBody> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return { ...(await collect(body, most)), encoding: null };
  const decoder = decoders.get(name);
  if (decoder === undefined) return { ...(await collect(body, most)), encoding: name };
  return { ...(await unpack(body, decoder(), most)), encoding: null };
}

async function unpack(body: Readable, decoder: Transform, most: number): Promise<Omit<ReadBody, 'encoding'>> {
  // Compressed data are seldom longer: the rest can be dropped.
  const source = { left: most + 65_536, isEmpty: true };
  pipeline(upTo(body, source), decoder, () => undefined);
  try {
    return await collect(decoder, most);
  } catch (error) {
    if (source.left < 0) throw new HttpError('the body was cut before anything could be unpacked from it');
    if (!/^(?:Z_|ERR_)/.test(errorCode(error) ?? '')) throw error;
    // For HEAD, and for an unchanged answer, headers describe an absent body.
    if (source.isEmpty) return { bytes: new Uint8Array(), isCut: false };
    throw new HttpError('the body is not compressed as its headers say');
  }
}

async function* upTo(body: Readable, source: { left: number; isEmpty: boolean }): AsyncGenerator<Uint8Array> {
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    source.isEmpty = false;
    yield chunk;
    source.left -= chunk.length;
    if (source.left < 0) return;
  }
}

async function collect(body: Readable, most: number): Promise<Omit<ReadBody, 'encoding'>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) return { bytes: Buffer.concat(chunks).subarray(0, most), isCut: true };
  }
  return { bytes: Buffer.concat(chunks), isCut: false };
}
