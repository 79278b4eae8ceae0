/** Whether a model's name, `anthropic:claude-…`, is one of those that a glob means: `*` is any text. In time that grows with both. */
export function matchesModel(glob: string, text: string): boolean {
  const [first = '', ...rest] = glob.split('*');
  if (rest.length === 0) return glob === text;
  const last = rest[rest.length - 1] ?? '';
  let position = first.length;
  if (!text.startsWith(first) || text.length < first.length + last.length) return false;
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return position <= text.length - last.length && text.endsWith(last);
}
