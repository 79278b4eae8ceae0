/** Every text with a secret, or a secret's name, contains one of these in some case. A property checks this. */
const hints: readonly string[] = [
  ...'pass pwd secret credential authorization cookie token otp pin jwt bearer key session'.split(' '),
  ...'connection mnemonic seed recovery cvv cvc -u= --user --proxy-user ://'.split(' '),
  ...'sk- k_live_ k_test_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- npm_ hf_ aiza akia asia'.split(' '),
  ...'xox eyj pypi-age'.split(' '),
  // The last as JSON spells it.
  '-u ',
  '-u\t',
  '-u\\t',
];

/** False only if neither the text nor a text in this JSON contains a secret, or the name of one. */
export function mayHoldSecret(text: string): boolean {
  const { length } = text;
  const { bytes, pairs } = length < kept.bytes.length ? kept : roomFor(length + 1);
  // The search reads it from here, and would read a variable of the module anew each time.
  const { windows } = tables;
  // One byte for each character: hints stay unchanged, and other characters may collide with them.
  bytes.write(text, 'latin1');
  const lastSign = text.lastIndexOf('@');
  let begun = 0;
  for (let index = 0; index < length; index += 2) {
    const pair = 2 * (pairs[index >> 1] as number);
    if (begun & (windows[pair + 1] as number))
      for (let at = Math.max(0, index - 3); at < index; at += 1)
        if (isHintAt(text, at, lastSign)) return true;
    begun = windows[pair] as number;
  }
  // The sign of Kelvin: in lower case, a `k`.
  return text.includes('\u212a');
}

const kept = roomFor(1 << 16);

/** For the characters of a text, also as pairs. */
function roomFor(length: number) {
  const pairs = new Uint16Array(Math.ceil(length / 2));
  return { pairs, bytes: Buffer.from(pairs.buffer) };
}

function isHintAt(text: string, at: number, lastSign: number): boolean {
  const lower = text.slice(at, at + longest).toLowerCase();
  const likely = hintsFrom.get(lower.slice(0, 3)) ?? [];
  return likely.some((hint) => lower.startsWith(hint) && isWhole(hint, text, { at, lastSign }));
}

/** Whether the rest of the text completes a hint: alone, these name no secret. */
function isWhole(hint: string, text: string, { at, lastSign }: { at: number; lastSign: number }): boolean {
  // A URL with a user name holds a secret.
  if (hint === '://') return at < lastSign;
  const second = seconds.get(hint);
  if (second === undefined) return true;
  second.lastIndex = at + hint.length;
  return second.test(text);
}

/** The second word of a secret name, by its first. No letters stand between them, except in escapes of JSON. */
const seconds: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({ session: 'id', connection: 'string', seed: 'phrase', recovery: 'code' }).map(
    ([first, second]) => [first, new RegExp(`(?:\\\\u[0-9a-f]{4}|\\\\[bfnrt]|[^a-z])*${second}`, 'iy')],
  ),
);

const longest = Math.max(...hints.map(({ length }) => length));

const tables = {
  /**
   * For each pair of characters, a bit for each kind of window that it begins, then for each that it ends. A window is
   * four characters over the beginning of a hint, from an even place on: from the first character or, if that is at an
   * odd place, from the next one; from the one before if the hint is too short for that. Few kinds share a bit.
   */
  windows: new Int32Array(2 << 16),
};

const hintsFrom = new Map<string, string[]>();
const kinds = new Map<string, number>();
const any = Array.from({ length: 256 }, (_, byte) => byte);
/** What a first character adds to the number of its pair: on some processors it is the higher byte. */
const [one = 1] = new Uint16Array(Uint8Array.of(1, 0).buffer);
for (const hint of hints) {
  hintsFrom.set(hint.slice(0, 3), [...(hintsFrom.get(hint.slice(0, 3)) ?? []), hint]);
  const own = [...hint].map((letter) => [...Buffer.from(letter + letter.toUpperCase())]);
  for (const window of [[...own, any], hint.length > 4 ? own.slice(1) : [any, ...own]]) {
    const [first = any, second = any, third = any, fourth = any] = window;
    const kind = String([first, second]);
    const known = kinds.get(kind);
    const bit = 1 << (known ?? kinds.size);
    if (known === undefined) mark(first, second, 0, bit);
    mark(third, fourth, 1, bit);
    kinds.set(kind, known ?? kinds.size);
  }
}

function mark(firsts: readonly number[], seconds: readonly number[], end: 0 | 1, bit: number): void {
  const { windows } = tables;
  for (const first of firsts)
    for (const second of seconds) {
      const at = 2 * (first * one + second * (256 / one)) + end;
      windows[at] = (windows[at] as number) | bit;
    }
}
