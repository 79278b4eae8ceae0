import { hash } from 'node:crypto';

/**
 * SHA-256 in hexadecimal, of a text as UTF-8. Short data takes the algorithm of FIPS 180-4 below: loading `node:crypto` takes a
 * sixth of Node's own start, and `decide` is a process for each call.
 */
export function sha256Of(data: Uint8Array | string): string {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  isLoaded ||= bytes.length > longest;
  return isLoaded ? hash('sha256', bytes) : hashOf(padded(bytes));
}

/** For longer texts `node:crypto` is quicker. */
const longest = 2_048;
let isLoaded = false;

/** A one bit, zeros, and the length in bits fill the last block of 64 bytes. */
function padded(bytes: Uint8Array): Buffer {
  const blocks = Buffer.alloc(Math.ceil((bytes.length + 9) / 64) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  blocks.writeUInt32BE(bytes.length * 8, blocks.length - 4);
  return blocks;
}

function hashOf(blocks: Buffer): string {
  const state = fractions(8, Math.sqrt);
  const words = new Int32Array(64);
  for (let at = 0; at < blocks.length; at += 64) {
    for (let word = 0; word < 16; word += 1) words[word] = blocks.readInt32BE(at + word * 4);
    expand(words);
    compress(state, words);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function expand(words: Int32Array): void {
  for (let at = 16; at < 64; at += 1) {
    const early = words[at - 15] as number;
    const late = words[at - 2] as number;
    const small = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const large = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    words[at] = (words[at - 16] as number) + small + (words[at - 7] as number) + large;
  }
}

function compress(state: Int32Array, words: Int32Array): void {
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let round = 0; round < 64; round += 1) {
    const mixed = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const next = h + mixed + (g ^ (e & (f ^ g))) + (constants[round] as number) + (words[round] as number);
    const turned = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    h = g;
    g = f;
    f = e;
    e = (d + next) | 0;
    d = c;
    // The majority of the bits of three.
    const most = (a & b) | (c & (a | b));
    c = b;
    b = a;
    a = (next + turned + most) | 0;
  }
  const added = [a, b, c, d, e, f, g, h];
  for (let at = 0; at < 8; at += 1) state[at] = (state[at] as number) + (added[at] as number);
}

const constants = fractions(64, Math.cbrt);

/** The first 32 bits after the point of these roots of the first primes. */
function fractions(count: number, root: (prime: number) => number): Int32Array {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return Int32Array.from(primes, (prime) => ((root(prime) % 1) * 2 ** 32) | 0);
}
