/** Every text with a secret, or a secret's name, contains one of these in some case. A property checks this. */
const hints: readonly string[] = [
  ...'pass pwd secret credential authorization cookie token otp pin jwt bearer key session'.split(' '),
  ...'connection mnemonic seed recovery cvv cvc -u= --user --proxy-user ://'.split(' '),
  ...'sk- k_live_ k_test_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- npm_ hf_ aiza akia asia'.split(' '),
  ...'xox eyj'.split(' '),
  // The last as JSON spells it.
  '-u ',
  '-u\t',
  '-u\\t',
];

/** False only if the text, or any text in this JSON, holds no secret and names none. */
export function mayHoldSecret(text: string): boolean {
  const { length } = text;
  const bytes = length < kept.length ? kept : Buffer.allocUnsafe(length + 1);
  // The search reads them from here, and would read a variable of the module anew each time.
  const { numbers, windows } = tables;
  // One byte for each character: hints stay unchanged, and other characters may collide with them.
  bytes.write(text, 'latin1');
  let last = 0;
  for (let index = 0; index < length; index += 2) {
    const next =
      ((numbers[bytes[index] as number] as number) << 5) | (numbers[bytes[index + 1] as number] as number);
    const window = (last << 10) | next;
    if (((windows[window >> 5] as number) >> (window & 31)) & 1)
      for (let at = Math.max(0, index - 3); at < index; at += 1) if (isHintAt(text, at)) return true;
    last = next;
  }
  // The sign of Kelvin: in lower case, a `k`.
  return text.includes('\u212a');
}

const kept = Buffer.alloc(1 << 16);

function isHintAt(text: string, at: number): boolean {
  const lower = text.slice(at, at + longest).toLowerCase();
  const likely = hintsFrom.get(lower.slice(0, 3)) ?? [];
  return likely.some((hint) => lower.startsWith(hint) && isWhole(hint, text, at));
}

/** Whether the rest of the text completes a hint: alone, these name no secret. */
function isWhole(hint: string, text: string, at: number): boolean {
  // A URL with a user name holds a secret.
  if (hint === '://') return text.includes('@', at);
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
  /** A number below 32 for each character of hints; 0 for others. */
  numbers: new Uint8Array(256),
  /**
   * A bit (bytes would fill the caches) for the numbers of four characters that lie over the beginning of a hint. Such
   * windows begin at even places: one at the first character, and one at the next or, if that is too long, before it.
   */
  windows: new Int32Array(1 << 15),
};
const { numbers, windows } = tables;
for (let letter = 0; letter < 26; letter += 1) numbers[65 + letter] = numbers[97 + letter] = letter + 1;
for (const [index, mark] of ['-', '_', ':', '/'].entries()) numbers[mark.charCodeAt(0)] = 27 + index;

const hintsFrom = new Map<string, string[]>();
for (const hint of hints) {
  hintsFrom.set(hint.slice(0, 3), [...(hintsFrom.get(hint.slice(0, 3)) ?? []), hint]);
  const own = [...Buffer.from(hint)].map((byte) => numbers[byte] as number);
  for (let any = 0; any < 32; any += 1)
    for (const window of [[...own, any], hint.length > 4 ? own.slice(1) : [any, ...own]]) {
      const number = window.slice(0, 4).reduce((sum, letter) => (sum << 5) | letter, 0);
      windows[number >> 5] = (windows[number >> 5] as number) | (1 << (number & 31));
    }
}
