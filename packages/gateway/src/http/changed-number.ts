/** The first number of a JSON text that is another one once it is read and written again; null if there is none. */
export function changedNumber(text: string): string | null {
  // Texts without such numbers are not searched.
  if (!/\d{16}|\de\+?\d{3}/i.test(text)) return null;
  const token = /-?\d[\d.e+-]*|"/gi;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [written] = found;
    if (written === '"') token.lastIndex = afterText(text, token.lastIndex);
    else if (isChanged(written)) return written;
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

/** Why a message with such a number is refused: it would be judged as one value that its sender did not write. */
export function unkept(number: string): string {
  return `the number ${number.slice(0, 50)} cannot be kept exactly: write it as a text`;
}
