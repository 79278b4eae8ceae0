/** JSON as agents write it: with comments, and with a comma after the last member. Throws `SyntaxError`. */
export function jsonWithComments(text: string): unknown {
  // A text is kept as it is; a comment is a blank. A comma counts only where something follows it.
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(
      /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_, kept: string | undefined) => kept ?? ' ',
    )
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, kept: string | undefined) => kept ?? '');
  return JSON.parse(plain);
}
