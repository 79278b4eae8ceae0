/** Takes sticky expressions from a text, one behind the other. */
export class Scanner {
  at = 0;

  constructor(readonly text: string) {}

  /** What matches here; null if it does not. */
  take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    const found = expression.exec(this.text);
    if (found !== null) this.at += found[0].length;
    return found;
  }
}
