/**
 * Where the JSON value ends that begins at a place of a text; -1 where it is not in canonical form (RFC 8785), or is so in a way that is
 * not looked into here: text beyond ASCII, escapes of control characters, a key with an escape, a depth beyond that of logs.
 */
export function canonicalValueEnd(text: string, at: number, depth = 510): number {
  const unit = text.charCodeAt(at);
  if (unit === quote) return textEnd(text, at);
  if (unit === openObject) return depth === 0 ? -1 : objectEnd(text, at + 1, depth - 1);
  if (unit === openList) return depth === 0 ? -1 : listEnd(text, at + 1, depth - 1);
  if (unit === 110) return text.startsWith('null', at) ? at + 4 : -1;
  if (unit === 116) return text.startsWith('true', at) ? at + 4 : -1;
  if (unit === 102) return text.startsWith('false', at) ? at + 5 : -1;
  return numberEnd(text, at);
}

const quote = 34;
const backslash = 92;
const openObject = 123;
const closeObject = 125;
const openList = 91;
const closeList = 93;
const comma = 44;
const colon = 58;

/** 1 for what stands in a text as it is. */
const plain = new Uint8Array(65_536);
for (let unit = 32; unit < 127; unit += 1) plain[unit] = 1;
plain[quote] = 0;
plain[backslash] = 0;

/** 1 for what may follow a backslash. */
const escaped = new Uint8Array(65_536);
for (const mark of '"\\bfnrt') escaped[mark.charCodeAt(0)] = 1;

/** Behind the quote that ends a text; -1 where there is none. */
export function textEnd(text: string, start: number): number {
  if (text.charCodeAt(start) !== quote) return -1;
  for (let at = start + 1; ; at += 1) {
    const unit = text.charCodeAt(at);
    if (plain[unit] === 1) continue;
    if (unit === quote) return at + 1;
    at += 1;
    // Not a number behind the end of the text: that is no place of the table.
    if (unit !== backslash || escaped[text.charCodeAt(at)] !== 1) return -1;
  }
}

function listEnd(text: string, start: number, depth: number): number {
  if (text.charCodeAt(start) === closeList) return start + 1;
  for (let at = start; ; at += 1) {
    at = canonicalValueEnd(text, at, depth);
    if (at === -1) return -1;
    const unit = text.charCodeAt(at);
    if (unit === closeList) return at + 1;
    if (unit !== comma) return -1;
  }
}

function objectEnd(text: string, start: number, depth: number): number {
  if (text.charCodeAt(start) === closeObject) return start + 1;
  let before = '';
  for (let at = start; ; at += 1) {
    const end = textEnd(text, at);
    if (end === -1 || text.charCodeAt(end) !== colon) return -1;
    const key = text.slice(at + 1, end - 1);
    // Each behind the one before it, so none stands twice. An escape is in another order than what it stands for.
    if ((at > start && key <= before) || key.includes('\\')) return -1;
    before = key;
    at = canonicalValueEnd(text, end + 1, depth);
    if (at === -1) return -1;
    const unit = text.charCodeAt(at);
    if (unit === closeObject) return at + 1;
    if (unit !== comma) return -1;
  }
}

function numberEnd(text: string, start: number): number {
  let at = start;
  for (; ; at += 1) {
    const unit = text.charCodeAt(at);
    // Digits, signs, the point and the letter of an exponent.
    const isPart = (unit >= 48 && unit <= 57) || unit === 45 || unit === 46 || unit === 43 || unit === 101;
    if (!isPart) break;
  }
  if (at === start) return -1;
  const written = text.slice(start, at);
  const value = Number(written);
  return String(value) === written && value !== Number.POSITIVE_INFINITY ? at : -1;
}
