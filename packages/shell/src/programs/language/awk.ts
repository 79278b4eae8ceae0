import type { Effect } from '../../effect.js';
import { startOf, textOf, unknown } from '../../word.js';
import type { Around, Languages } from '../effects.js';
import { type AwkToken, awkTokens } from './awk-tokens.js';
import { file, fileOrStream, shell } from './make-effect.js';

export const awk: Languages = {
  /**
   * A program for `awk`: the files of `>`, `>>` and `getline <`, and the commands of `system`, `|` and `|&`. A
   * computed name is unknown.
   */
  awk: (written, around) => {
    const known = textOf(written);
    const tokens = known === null ? null : awkTokens(known);
    if (tokens === null) return 'its program is not understood';
    const effects: Effect[] = [];
    let isPrinting = false;
    let isGetting = false;
    let depth = 0;
    const own = new Set(
      tokens.flatMap(({ text }, index) =>
        /^func(?:tion)?$/.test(tokens[index - 1]?.text ?? '') ? [text] : [],
      ),
    );
    for (const [index, token] of tokens.entries()) {
      if (isBeyond(token)) return `its program uses \`${token.text}\``;
      if (token.isCall === true && !functions.has(token.text) && !own.has(token.text))
        return `its function \`${token.text}\` is unknown`;
      if (token.kind === 'end' || isSign(token, '{', '}')) {
        isPrinting = false;
        isGetting = false;
      }
      if (token.kind === 'word' && /^printf?$/.test(token.text)) {
        isPrinting = true;
        depth = 0;
      }
      if (token.kind === 'word' && token.text === 'getline') isGetting = true;
      if (isSign(token, '(')) depth += 1;
      if (isSign(token, ')')) depth -= 1;
      const effect = effectOf(tokens, index, { isOutput: isPrinting && depth <= 0, isGetting, around });
      if (typeof effect === 'string') return effect;
      if (effect !== null) effects.push(effect);
    }
    return effects;
  },
  /** An operand of `awk`: `name=value`, or a file that is read. */
  'awk-operand': (written, around) => {
    const start = startOf(written);
    if (start.startsWith('/inet')) return 'it may connect to something';
    const isAssignment = /^[A-Za-z_]\w*=/.test(start);
    return isAssignment ? [] : fileOrStream('read', written, around);
  },
};

/** Functions of mawk and gawk, and words that may stand before a parenthesis. */
const functions = new Set(
  (
    'and asort asorti atan2 bindtextdomain close compl cos dcgettext dcngettext exp fflush gensub gsub index int ' +
    'isarray length log lshift match mkbool mktime or patsplit rand rshift sin split sprintf sqrt srand strftime ' +
    'strtonum sub substr system systime tolower toupper typeof xor ' +
    'case delete do else exit for getline if in print printf return switch while'
  ).split(' '),
);

/** Words and signs for features that are not supported here. */
function isBeyond(token: AwkToken): boolean {
  if (token.kind === 'sign') return token.text === '@';
  if (token.kind !== 'word') return false;
  return /^@|::/.test(token.text) || /^(?:ARGV|ARGC|ENVIRON|SYMTAB|FUNCTAB|PROCINFO)$/.test(token.text);
}

function isSign(token: AwkToken | undefined, ...signs: readonly string[]): boolean {
  return token?.kind === 'sign' && signs.includes(token.text);
}

interface State {
  /** Whether `>` writes to a file here, and is not a comparison. */
  readonly isOutput: boolean;
  /** Whether `<` may name the file of a `getline`. */
  readonly isGetting: boolean;
  readonly around: Around;
}

function effectOf(tokens: readonly AwkToken[], index: number, state: State): Effect | string | null {
  const token = tokens[index];
  const { around } = state;
  if (token?.kind === 'word' && token.text === 'system') return shell(literal(tokens, index + 2), around);
  if (isSign(token, '>', '>>') && state.isOutput) return reached('write', tokens, index + 1, around);
  if (isSign(token, '<') && state.isGetting) return reached('read', tokens, index + 1, around);
  if (!isSign(token, '|', '|&')) return null;
  const isRead = tokens[index + 1]?.text === 'getline';
  const command = isRead ? literalBefore(tokens, index) : literal(tokens, index + 1);
  if (command?.startsWith('/inet') === true) return 'it connects to something';
  const effect = shell(command, around);
  return isRead ? effect : { ...effect, sharesInput: false };
}

/** A literal text; null if it is concatenated. */
function literal(tokens: readonly AwkToken[], index: number): string | null {
  const next = tokens[index + 1];
  const isAlone = next === undefined || next.kind === 'end' || isSign(next, ')', '}');
  return isAlone ? knownText(tokens[index]) : null;
}

function knownText(token: AwkToken | undefined): string | null {
  return token?.kind === 'string' && !token.text.includes('\0') ? token.text : null;
}

function literalBefore(tokens: readonly AwkToken[], index: number): string | null {
  const before = tokens[index - 2];
  const isAlone =
    before === undefined || before.kind === 'end' || isSign(before, '(', '{', '}', '!', '&&', '||');
  return isAlone ? knownText(tokens[index - 1]) : null;
}

/** A computed name may be one by which gawk connects, unless its beginning is known. */
function reached(
  access: 'read' | 'write',
  tokens: readonly AwkToken[],
  index: number,
  around: Around,
): Effect | string {
  const name = literal(tokens, index);
  const [start] = tokens[index]?.kind === 'string' ? (tokens[index]?.text ?? '').split('\0') : [''];
  const known = name ?? start ?? '';
  if (known.startsWith('/inet') || '/inet'.startsWith(known)) return 'it may connect to something';
  return file(access, name ?? unknown('a file of awk', { start: known }), around);
}
