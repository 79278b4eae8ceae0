/**
 * Why the gateway refuses a message: JavaScript cannot keep a number in it exactly, such as 9007199254740993, so the gateway
 * would judge a value that the sender did not write. The reason names the first such number; null if the text has none.
 */
export function whyUnkept(text: string): string | null {
  // Texts without such numbers are not searched.
  if (!/\d{16}|\de\+?\d{3}/i.test(text)) return null;
  const token = /-?\d[\d.e+-]*|"/gi;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [written] = found;
    if (written === '"') token.lastIndex = afterText(text, token.lastIndex);
    else if (isChanged(written))
      return `the number ${written.slice(0, 50)} cannot be kept exactly: write it as a text`;
  }
  return null;
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
