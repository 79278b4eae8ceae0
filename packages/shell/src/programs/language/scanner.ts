/** Takes sticky expressions from a text, one behind the other. */
export class Scanner {
  at = 0;
  /** How many brackets are open. */
  depth = 0;

  constructor(readonly text: string) {}

  /** What matches here; null if it does not. */
  take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    const found = expression.exec(this.text);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  /** The name, number or sign here, with an equal depth for both brackets of a pair; null if a bracket closes nothing. */
  plainToken({ name, number, sign }: { readonly [kind in 'name' | 'number' | 'sign']: RegExp }) {
    const word = this.take(name);
    const digits = word === null ? this.take(number) : null;
    const [text] = word ?? digits ?? this.take(sign) ?? [];
    if (text === undefined) return null;
    if (/^[)\]}]$/.test(text)) this.depth -= 1;
    const { depth } = this;
    if (/^[([{]$/.test(text)) this.depth += 1;
    return depth < 0 ? null : ({ kind: word ? 'name' : digits ? 'number' : 'sign', text, depth } as const);
  }
}
