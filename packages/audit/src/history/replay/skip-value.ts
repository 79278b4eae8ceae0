const [quote, backslash, comma, colon] = [34, 92, 44, 58];
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125];

/** The member of an object whose comma is at this place: its key, and where its value begins; null for the end, and for an escaped key. */
export function memberAt(text: string, at: number): { readonly key: string; readonly value: number } | null {
  if (text.charCodeAt(at) !== comma || text.charCodeAt(at + 1) !== quote) return null;
  const end = text.indexOf('"', at + 2);
  if (end === -1 || text.charCodeAt(end + 1) !== colon) return null;
  const key = text.slice(at + 2, end);
  return key.includes('\\') ? null : { key, value: end + 2 };
}

/** The end of the value that begins here, in JSON without blanks; -1 without one. For valid JSON only. */
export function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return stringEnd(text, start);
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      at = stringEnd(text, at);
      if (at === -1) return -1;
      continue;
    }
    if (unit === openList || unit === openObject) depth += 1;
    else if (unit === closeList || unit === closeObject) {
      depth -= 1;
      if (depth <= 0) return depth === 0 ? at + 1 : at;
    } else if (unit === comma && depth === 0) return at;
    at += 1;
  }
  return -1;
}

function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? -1 : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}
