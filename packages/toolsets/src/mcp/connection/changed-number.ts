import { randomBytes } from 'node:crypto';

/**
 * Why the gateway refuses a message: JavaScript cannot keep a number in it exactly, such as 9007199254740993, so the gateway
 * would judge a value that the sender did not write. The reason names the first such number; null if the text has none.
 */
export function whyUnkept(text: string): string | null {
  for (const [written] of unkept(text))
    return `the number ${written.slice(0, 50)} cannot be kept exactly: write it as a text`;
  return null;
}

/** JSON with such numbers as texts, which `asWritten` makes numbers again: for what is only passed on. */
export function withTexts(json: string): string {
  let [done, from] = ['', 0];
  for (const { 0: written, index } of unkept(json)) {
    done += `${json.slice(from, index)}"${mark}${written}"`;
    from = index + written.length;
  }
  return done + json.slice(from);
}

export function asWritten(json: string): string {
  return json.includes(mark) ? json.replaceAll(marked, '$1') : json;
}

/** No sender knows it. */
export const mark = `number-${randomBytes(16).toString('hex')}:`;
const marked = new RegExp(`"${mark}([-+.\\de]+)"`, 'gi');

function* unkept(text: string): Generator<RegExpExecArray> {
  // Texts without such numbers are not searched.
  if (!/\d{16}|\de\+?\d{3}/i.test(text)) return;
  const token = /-?\d[\d.e+-]*|"/gi;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '"') token.lastIndex = afterText(text, token.lastIndex);
    else if (isChanged(found[0])) yield found;
  }
}

/** Fractions are approximations for every reader. */
function isChanged(written: string): boolean {
  const number = Number(written);
  return /^-?\d+$/.test(written) && written !== '-0' ? `${number}` !== written : !Number.isFinite(number);
}

function afterText(text: string, from: number): number {
  const end = /(?<!\\)(?:\\\\)*"/g;
  end.lastIndex = from;
  return end.test(text) ? end.lastIndex : text.length;
}
