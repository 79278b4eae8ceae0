import { textOf } from '../../word.js';
import type { Languages } from '../effects.js';
import { fileOrStream } from '../language/make-effect.js';
import { inFolder } from '../words.js';

export const perl: Languages = {
  /** The text of `-e`: no effect if it certainly only computes and prints. */
  'perl-line': (written, { folder, reading }) => {
    const text = textOf(written);
    // Perl reads several texts as one.
    const given = reading?.options.filter(({ entry }) => entry.names.includes('-e'));
    const isHarmless = text !== null && given?.length === 1 && onlyPrints(text);
    return isHarmless ? [] : [{ kind: 'code', language: 'perl', text, ...inFolder(folder) }];
  },
  /** The value of `-F`: between quotes or slashes it is code. */
  'perl-split': (written) => {
    const text = textOf(written);
    return text !== null && (!/^["'/]/.test(text) || onlyPrints(text)) ? [] : 'the field separator is code';
  },
  /** A file that `-n` and `-p` read: `id|` runs a program, and `>f` writes. */
  'perl-file': (written, around) =>
    /^[^\s<>+|&](?:[\s\S]*[^\s|])?$/.test(textOf(written) ?? '')
      ? fileOrStream('read', written, around)
      : 'the name of a file may be a command',
};

/** A text of the words, as a part of a program. */
const oneOf = (words: string) => new RegExp(`(?:${words.split(/\s+/).join('|')})(?!\\w|::|')`, 'y');

/**
 * The parts of a program: after what they may stand, what they are, and how they look. `T` is a place where Perl takes a
 * slash for a pattern, `V` and `S` are a value and a scalar variable, and after `U` it is not known. What may be a
 * delimiter in some place is not a part there. The texts of groups are like those between quotes; a backslash before their
 * delimiter may be lost.
 */
const parts: readonly (readonly [after: string, is: string, looks: RegExp])[] = [
  ['S', 'V', /\{-?[A-Za-z_]\w*\}(?!\s*[([{])/y],
  ['TUVS', 'S', /\$(?:(?:[a-z_]\w*|F)(?!\w)|\d+|[&.,;/\\!|"])(?!::|')/y],
  // An element of `@ARGV` may become the name of a file that is opened.
  ['TUVS', 'V', /\$ARGV(?!\w|::|'|\s*\[)/y],
  ['TUVS', 'V', /close(?:\s*\(\s*ARGV\s*\)|\s+ARGV(?!\w|::|'))/y],
  ['TUVS', 'V', /(?:@|\$#)(?:[a-z_]\w*|F)(?!\w|::|')/y],
  ['T', 'V', /%[a-z_]\w*(?!\w|::|')/y],
  ['TUVS', 'V', /(?:each|keys|my|values)\s*\(?\s*%[a-z_]\w*(?!\w|::|')/y],
  ['TUVS', 'V', /\d+(?:\.\d+)?(?!\w)/y],
  ['TUVS', 'V', /'(?:[^'\\]|\\[\s\S])*'/y],
  ['TUVS', 'V', /"(?<text>(?:[^"\\]|\\[\s\S])*)"/y],
  ['T', 'V', /(?:qr|m)\{(?<pattern>(?:[^{}\\]|\\[^{}])*)\}[gimnosx]*(?!\w)/y],
  ['T', 'V', /(?:qr|m)([|,!#])(?<pattern>(?:(?!\1)[^\\]|\\[\s\S])*)\1[gimnosx]*(?!\w)/y],
  ['TUVS', 'V', /s\{(?<pattern>(?:[^{}\\]|\\[^{}])*)\}\{(?<text>(?:[^{}\\]|\\[^{}])*)\}[gimnosxr]*(?!\w)/y],
  ['T', 'V', /(?:qr|m)?\/(?<pattern>(?:[^/\\]|\\[\s\S])*)\/[gimnosx]*(?!\w)/y],
  [
    'TUVS',
    'V',
    /s([/|,!#])(?<pattern>(?:(?!\1)[^\\]|\\[\s\S])*)\1(?<text>(?:(?!\1)[^\\]|\\[\s\S])*)\1[gimnosxr]*(?!\w)/y,
  ],
  ['TUVS', 'V', /(?:tr|y)([/|,!#])(?:(?!\1)[^\\]|\\[\s\S])*\1(?:(?!\1)[^\\]|\\[\s\S])*\1[cdsr]*(?!\w)/y],
  [
    'TUVS',
    'T',
    oneOf(
      'and cmp eq foreach for ge grep gt if join le lt map ne not or print push split unless until while xor',
    ),
  ],
  // `sort $x` calls the function with this name.
  ['TUVS', 'U', /sort(?!\w|::|'|\s*\(?\s*\$|\s*\(?\s*$)/y],
  [
    'TUVS',
    'U',
    oneOf(`abs BEGIN chomp chop chr defined delete die each else elsif END eof exists exit gmtime hex index int keys last lcfirst
      lc length localtime local log my next oct ord pop pos printf quotemeta rand redo ref reverse rindex say scalar shift splice
      sprintf sqrt STDERR STDOUT substr time ucfirst uc undef unshift values warn`),
  ],
  ['VS', 'V', /\+\+|--/y],
  ['TU', 'U', /\+\+|--|<=>/y],
  ['VS', 'T', /\/\/|x(?![\w:'])|<=>|<=?(?=[\s\d])|\?(?=\s)|\*\*?(?![A-Za-z_])|%(?![A-Za-z_])/y],
  ['TUVS', 'T', /&&|-(?![A-Za-z_>])|:(?!:)|[[{(,;=+.!~|^>]/y],
  // What a parenthesis follows may be called. What a bracket follows may be the name of any variable, as a text.
  ['TUVS', 'V', /\)|\](?!\s*[([{])/y],
  ['TUVS', 'U', /\}(?!\s*[([{])/y],
];

function onlyPrints(text: string): boolean {
  // A line that begins with `=` begins documentation.
  if (/^=/m.test(text)) return false;
  let state = 'T';
  for (let at = /^\s*/.exec(text)?.[0].length ?? 0; at < text.length; ) {
    const part = parts.find(([after, , looks]) => {
      looks.lastIndex = at;
      return after.includes(state) && looks.test(text);
    });
    if (part === undefined) return false;
    const [, is, looks] = part;
    looks.lastIndex = at;
    const found = looks.exec(text);
    const { text: printed = '', pattern = '' } = found?.groups ?? {};
    if (!isPlain(printed) || !isPlain(pattern, /\$(?![)|]|$)/)) return false;
    state = is;
    at += found?.[0].length ?? 0;
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
  }
  return true;
}

/**
 * Whether a text between quotes or slashes contains no code: its variables have plain keys, and no other text is the name of
 * one. In a pattern, `$` may also be the end of a line; in another text, `$|[…]` and `$)[…]` are elements.
 */
function isPlain(text: string, other = /\$/): boolean {
  const variable =
    /[$@](?:[a-z_]\w*|F|\d+)(?:\[(?:-?\d+|\$[a-z_]\w*)\]|\{(?:\w+|\$[a-z_]\w*)\})?(?![[{\w]|::|'|->)|\$(?:[&.]|ARGV(?!\w|::|'))(?![[{]|->)/g;
  const rest = text.replace(/\\[\s\S]/g, ' ').replace(variable, 'v');
  return !/@|\(\s*[?*]+p?\{/.test(rest) && !other.test(rest);
}
