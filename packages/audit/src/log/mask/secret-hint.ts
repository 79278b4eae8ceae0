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
  const bytes = length <= kept.length ? kept : Buffer.allocUnsafe(length);
  // One byte for each character: hints stay unchanged, and other characters may collide with them.
  bytes.write(text, 'latin1');
  for (let index = 1; index < length; index += 2) {
    const code = (numberOf(bytes, index - 1) << 5) | numberOf(bytes, index);
    // Each three characters have a pair that ends at an odd place: their first two or their last two.
    if (pairs[code] === 0) continue;
    const next = (code << 5) | numberOf(bytes, index + 1);
    if (starts[next] === 1 && isHintAt(text, index - 1)) return true;
    const before = (numberOf(bytes, index - 2) << 10) | code;
    if (starts[before] === 1 && isHintAt(text, index - 2)) return true;
  }
  // The sign of Kelvin: in lower case, a `k`.
  return text.includes('\u212a');
}

const kept = Buffer.alloc(1 << 16);

function numberOf(bytes: Buffer, index: number): number {
  return letters[bytes[index] as number] as number;
}

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

/** A number below 32 for each character of hints; 0 for others. */
const letters = new Uint8Array(256);
for (let letter = 0; letter < 26; letter += 1) letters[65 + letter] = letters[97 + letter] = letter + 1;
for (const [index, mark] of ['-', '_', ':', '/'].entries()) letters[mark.charCodeAt(0)] = 27 + index;

const hintsFrom = new Map<string, string[]>();
/** 1 for the numbers of such three characters, and for those of two of them that are beside each other. */
const [starts, pairs] = [new Uint8Array(1 << 15), new Uint8Array(1 << 10)];
for (const hint of hints) {
  const code = [0, 1, 2].reduce((sum, at) => (sum << 5) | numberOf(Buffer.from(hint), at), 0);
  hintsFrom.set(hint.slice(0, 3), [...(hintsFrom.get(hint.slice(0, 3)) ?? []), hint]);
  starts[code] = 1;
  pairs[code >> 5] = 1;
  pairs[code & 1023] = 1;
}
