/** How grep(1) reads a pattern. */
export type Syntax = 'basic' | 'extended' | 'perl' | 'fixed';

/**
 * What a character may be: `start` may begin a plain word, `inner` may follow in one, `odd` is any other except a blank, and
 * `any` may also be a blank. `reset`: the match begins behind it (`\K`).
 */
type Kind = 'start' | 'inner' | 'odd' | 'any' | 'blank' | 'reset';

export type Part = {
  readonly isOptional: boolean;
  /** Whether it is there exactly once. */
  readonly isSingle: boolean;
} & ({ readonly kind: Kind } | { readonly kind: 'choice'; readonly choices: Choices });

export type Choices = readonly (readonly Part[])[];

const longest = 300;

/** The alternatives of a pattern. Null for one that is not understood. */
export function readPattern(pattern: string, syntax: Syntax): Choices | null {
  if (pattern.length > longest || pattern.includes('\n')) return null;
  if (syntax === 'fixed') return [[...pattern].map((each) => ({ ...once, kind: kindOf(each) }))];
  const reader = new Reader(pattern, syntax);
  const found = reader.choices();
  return found !== null && reader.rest === '' ? found : null;
}

const once = { isOptional: false, isSingle: true };

class Reader {
  /** What stands before an operator: in a basic pattern, `(` is a character and `\(` opens a group. */
  readonly #mark: '' | '\\';

  constructor(
    public rest: string,
    private readonly syntax: Syntax,
  ) {
    this.#mark = syntax === 'basic' ? '\\' : '';
  }

  choices(): Choices | null {
    const found: Part[][] = [];
    do {
      const parts = this.#parts();
      if (parts === null) return null;
      found.push(parts);
    } while (this.#takes(`${this.#mark}|`));
    return found;
  }

  #takes(text: string): boolean {
    const isNext = this.rest.startsWith(text);
    if (isNext) this.rest = this.rest.slice(text.length);
    return isNext;
  }

  #take(pattern: RegExp): string | null {
    const found = pattern.exec(this.rest)?.[0] ?? null;
    if (found !== null) this.rest = this.rest.slice(found.length);
    return found;
  }

  #isEnd(): boolean {
    return this.rest === '' || [')', '|'].some((sign) => this.rest.startsWith(this.#mark + sign));
  }

  #parts(): Part[] | null {
    const parts: Part[] = [];
    for (let isFirst = true; !this.#isEnd(); isFirst = false) {
      if (this.#anchor(isFirst)) continue;
      const part = this.#part();
      if (part === null) return null;
      if (part !== 'nothing') parts.push(this.#repeated(part));
    }
    return parts;
  }

  /** A place between characters. Within a basic pattern, `^` and `$` are characters. */
  #anchor(isFirst: boolean): boolean {
    if (this.#take(this.syntax === 'perl' ? /^\\[bB]/ : /^\\[bB<>`']/) !== null) return true;
    if (this.syntax !== 'basic') return this.#take(/^[$^]/) !== null;
    return isFirst ? this.#takes('^') : this.#take(/^\$(?=$|\\[)|])/) !== null;
  }

  #part(): Part | 'nothing' | null {
    if (this.#takes(`${this.#mark}(`)) return this.#group();
    const kind = this.rest.startsWith('[') ? this.#list() : this.#character();
    return kind === null ? null : { ...once, kind };
  }

  #group(): Part | 'nothing' | null {
    const isPerl = this.syntax === 'perl';
    const look = isPerl ? this.#take(/^\?<?[=!]/) : null;
    if (look === null && isPerl) this.#takes('?:');
    if (this.rest.startsWith('?')) return null;
    const choices = this.choices();
    if (choices === null || !this.#takes(`${this.#mark})`)) return null;
    if (choices.some((choice) => choice.some(({ kind }) => kind === 'reset'))) return null;
    return look === null ? { ...once, kind: 'choice', choices } : 'nothing';
  }

  #repeated(part: Part): Part {
    let all = part;
    const signs = this.#mark === '' ? /^(?:[*+?]|\{\d+(?:,\d*)?\})/ : /^(?:\*|\\[+?]|\\\{\d+(?:,\d*)?\\\})/;
    for (let found = this.#take(signs); found !== null; found = this.#take(signs)) {
      const isOptional = all.isOptional || !/^\\?(?:\+|\{0*[1-9])/.test(found);
      all = { ...all, isOptional, isSingle: false };
      // Lazy (`+?`) or possessive (`++`).
      if (this.syntax === 'perl') this.#take(/^[+?]/);
    }
    return all;
  }

  #character(): Kind | null {
    const isPerl = this.syntax === 'perl';
    const [, escaped] = /^\\([\s\S])/.exec(this.rest) ?? [];
    if (escaped === undefined) {
      const isOperator = this.#mark === '' ? /^[*+?{}\\]/ : /^[*\\]/;
      const [next = ''] = isOperator.test(this.rest) ? [] : this.rest;
      this.rest = this.rest.slice(next.length);
      return next === '' ? null : next === '.' ? 'any' : kindOf(next);
    }
    this.rest = this.rest.slice(2);
    if (escaped === 'w' || (isPerl && escaped === 'd')) return 'start';
    if (isPerl && escaped === 'K') return 'reset';
    if (escaped === 'S') return 'odd';
    return /[\w\s]/.test(escaped) ? (/[sW]/.test(escaped) ? 'any' : null) : kindOf(escaped);
  }

  /** `[…]`: the widest kind of its characters. */
  #list(): Kind | null {
    const [whole, not = '', body = ''] =
      /^\[(\^?)((?:\]|(?!\]))(?:\[:\w+:\]|\\[wd]|[^\]\\[])*)\]/.exec(this.rest) ?? [];
    if (whole === undefined || (this.syntax !== 'perl' && body.includes('\\'))) return null;
    this.rest = this.rest.slice(whole.length);
    if (not !== '') return body.includes('[:space:]') ? 'odd' : 'any';
    const items = body.match(/\[:\w+:\]|\\[wd]|[^-]-[^-]|./gsu) ?? [];
    const kinds = items.map((item) =>
      item.length === 1 ? kindOf(item) : lettersOrDigits.test(item) ? 'start' : 'any',
    );
    // A range may also begin or end with `-`.
    if (body.includes('--')) return 'any';
    if (body === ' ') return 'blank';
    if (kinds.includes('blank')) return 'any';
    return (['any', 'odd', 'inner'] as const).find((kind) => kinds.includes(kind)) ?? 'start';
  }
}

/** A class or a range in a list. */
const lettersOrDigits =
  /^(?:\\[wd]|\[:(?:alnum|alpha|digit|lower|upper|xdigit):\]|[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d)$/;

function kindOf(character: string): Kind {
  if (character === ' ') return 'blank';
  if (/[\w.]/.test(character)) return 'start';
  if (/[-/:@+=,%#]/.test(character)) return 'inner';
  return /[!-~]/.test(character) ? 'odd' : 'any';
}
