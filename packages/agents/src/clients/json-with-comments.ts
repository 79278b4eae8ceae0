/** JSON as agents write it: comments are allowed, and a comma after the last member. Throws `SyntaxError`. */
export function jsonWithComments(text: string): unknown {
  // A text is kept unchanged; a comment becomes a blank. A comma is kept only if a value follows it.
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(
      /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_, kept: string | undefined) => kept ?? ' ',
    )
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, kept: string | undefined) => kept ?? '');
  return JSON.parse(plain);
}
