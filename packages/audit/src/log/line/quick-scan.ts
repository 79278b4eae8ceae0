/**
 * The end of the JSON value that begins at a place in UTF-8 text; -1 if it is not canonical (RFC 8785), or
 * uses forms that are not checked here: escapes of control characters, a key with an escape or beyond ASCII,
 * too deep nesting.
 */
export function canonicalValueEnd(bytes: Buffer, at: number, depth = 510): number {
  const byte = bytes[at];
  if (byte === quote) return textEnd(bytes, at);
  if (byte === openObject) return depth === 0 ? -1 : objectEnd(bytes, at + 1, depth - 1);
  if (byte === openList) return depth === 0 ? -1 : listEnd(bytes, at + 1, depth - 1);
  if (byte === 110) return wordEnd(bytes, at, 'null');
  if (byte === 116) return wordEnd(bytes, at, 'true');
  if (byte === 102) return wordEnd(bytes, at, 'false');
  return numberEnd(bytes, at);
}

const quote = 34;
const backslash = 92;
const openObject = 123;
const closeObject = 125;
const openList = 91;
const closeList = 93;
const comma = 44;
const colon = 58;

/** 1 for plain characters: all except control characters, quotes and backslashes. */
const plain = new Uint8Array(256).fill(1, 32);
plain[quote] = 0;
plain[backslash] = 0;

/** 1 for characters that may follow a backslash. */
const escaped = new Uint8Array(256);
for (const mark of '"\\bfnrt') escaped[mark.charCodeAt(0)] = 1;

/** After the quote that ends a text; -1 without one. */
function textEnd(bytes: Buffer, start: number): number {
  const near = Math.min(bytes.length, start + 48);
  let at = start + 1;
  for (; at < near; at += 1) {
    const byte = bytes[at] as number;
    if (plain[byte] === 1) continue;
    if (byte === quote) return at + 1;
    at += 1;
    if (byte !== backslash || escaped[bytes[at] as number] !== 1) return -1;
  }
  return at < bytes.length ? longTextEnd(bytes, at) : -1;
}

/** The same from a place within the text, four bytes at a time. */
function longTextEnd(bytes: Buffer, start: number): number {
  const begin = bytes.byteOffset + start;
  const first = begin + (-begin & 3) - bytes.byteOffset;
  const count = Math.max(0, (bytes.length - first) >> 2);
  const words = new Int32Array(bytes.buffer, count === 0 ? 0 : bytes.byteOffset + first, count);
  for (let at = start; at < bytes.length; at += 1) {
    if (((at - first) & 3) === 0) {
      let word = (at - first) >> 2;
      while (word < count && isPlainWord(words[word] as number)) word += 1;
      at = first + 4 * word;
    }
    const byte = bytes[at] as number;
    if (plain[byte] === 1) continue;
    if (byte === quote) return at + 1;
    at += 1;
    if (byte !== backslash || escaped[bytes[at] as number] !== 1) return -1;
  }
  return -1;
}

/** Whether all four bytes are plain: none is less than a blank, a quote or a backslash. */
function isPlainWord(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  const below = (word - 0x20202020) & ~word;
  const equal = ((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes);
  return ((below | equal) & 0x80808080) === 0;
}

function listEnd(bytes: Buffer, start: number, depth: number): number {
  if (bytes[start] === closeList) return start + 1;
  for (let at = start; ; at += 1) {
    at = canonicalValueEnd(bytes, at, depth);
    if (at === -1) return -1;
    const byte = bytes[at];
    if (byte === closeList) return at + 1;
    if (byte !== comma) return -1;
  }
}

function objectEnd(bytes: Buffer, start: number, depth: number): number {
  if (bytes[start] === closeObject) return start + 1;
  let before = -1;
  for (let at = start; ; at += 1) {
    const end = keyEnd(bytes, at);
    // Each after the one before, so none is a duplicate.
    if (end === -1 || (before !== -1 && !isBehind(bytes, at, before))) return -1;
    before = at;
    at = canonicalValueEnd(bytes, end, depth);
    if (at === -1) return -1;
    const byte = bytes[at];
    if (byte === closeObject) return at + 1;
    if (byte !== comma) return -1;
  }
}

/** After the colon of a key; -1 for one with an escape or beyond ASCII, which sort differently. */
export function keyEnd(bytes: Buffer, start: number): number {
  if (bytes[start] !== quote) return -1;
  let at = start + 1;
  while (plain[bytes[at] as number] === 1 && (bytes[at] as number) < 128) at += 1;
  return bytes[at] === quote && bytes[at + 1] === colon ? at + 2 : -1;
}

/** Whether the key that begins at one place is behind the one at another, in the order of their characters; both as `keyEnd` takes them. */
function isBehind(bytes: Buffer, later: number, earlier: number): boolean {
  for (let offset = 1; ; offset += 1) {
    const one = bytes[later + offset] as number;
    const other = bytes[earlier + offset] as number;
    if (one === other) {
      if (one === quote) return false;
      continue;
    }
    // The shorter of two that begin alike comes first.
    if (other === quote) return true;
    return one !== quote && one > other;
  }
}

function wordEnd(bytes: Buffer, start: number, word: string): number {
  return isAt(bytes, start, word) ? start + word.length : -1;
}

/** Whether an ASCII text is at a place. */
export function isAt(bytes: Buffer, start: number, text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (bytes[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

function numberEnd(bytes: Buffer, start: number): number {
  let at = start;
  let isWhole = true;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte >= 48 && byte <= 57) continue;
    // Signs, the point and the letter of an exponent.
    if (byte !== 45 && byte !== 46 && byte !== 43 && byte !== 101) break;
    isWhole = false;
  }
  const length = at - start;
  if (length === 0) return -1;
  if (isWhole && length < 16) return bytes[start] === 48 && length > 1 ? -1 : at;
  const written = bytes.toString('latin1', start, at);
  const value = Number(written);
  return String(value) === written && Number.isFinite(value) ? at : -1;
}
