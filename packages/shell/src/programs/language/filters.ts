import type { Effect } from '../../effect.js';
import { text, textOf, unknown, type Word } from '../../word.js';
import type { Around, Effects, Languages } from '../effects.js';
import { type FilterToken, filterTokens } from './filter-tokens.js';
import { file, readsVariable } from './make-effect.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Functions of jq 1.5 to 1.7 that reach only their input. Those of a module or of its search path are not here. */
const ofJq = words(`
  IN INDEX GROUP_BY UNIQUE_BY JOIN abs acos acosh add all any arrays ascii ascii_downcase ascii_upcase asin asinh atan
  atan2 atanh booleans bsearch builtins capture cbrt ceil combinations contains copysign cos cosh date dateadd datesub
  debug del delpaths drem empty endswith erf erfc error exp exp10 exp2 explode expm1 fabs false fdim finites first
  flatten floor fma fmax fmin fmod format frexp from_entries fromdate fromdateiso8601 fromjson fromstream gamma getpath
  gmtime group_by gsub halt halt_error has have_decnum have_literal_numbers hypot implode in index indices infinite
  input input_filename input_line_number inputs inside isempty isfinite isinfinite isnan isnormal iterables j0 j1 jn
  join keys keys_unsorted last ldexp leaf_paths length lgamma lgamma_r limit localtime log log10 log1p log2 logb ltrim
  ltrimstr map map_values match max max_by min min_by mktime modf nan nearbyint nextafter nexttoward normals not now nth
  null nulls numbers objects path paths pick pow pow10 range recurse recurse_down remainder repeat reverse rindex rint
  round rtrim rtrimstr scalars scalars_or_empty scalb scalbln scan select setpath significand sin sinh skip sort sort_by
  split splits sqrt startswith stderr strflocaltime strftime strings strptime sub tan tanh test tgamma to_entries toarray
  todate todateiso8601 tojson tonumber tostream tostring transpose trim trimstr true trunc truncate_stream type unique
  unique_by until utf8bytelength values walk while with_entries y0 y1 yn`);

/** Functions of yq 4 that reach only their input. */
const ofYq = words(`
  alias all all_c anchor any any_c array_to_map capture collect column comments contains del di documentIndex
  document_index downcase ea error explode false fi fileIndex file_index filename filter first flatten footComment
  foot_comment format_datetime from_csv from_entries from_json from_props from_tsv from_unix from_xml from_yaml
  fromjson fromprops fromxml fromyaml group_by has headComment head_comment ireduce is_key join key keys kind length
  line lineComment line_comment map map_values match max min not now null omit parent parents path pick pivot reduce
  ref reverse select setpath shuffle sort sort_by sort_keys sortKeys split splitDoc split_doc split_document style sub
  tag test to_csv to_entries to_json to_number to_props to_string to_tsv to_unix to_xml to_yaml tojson toprops toxml
  toyaml trim true type tz unique unique_by upcase with with_dtf with_entries`);

const formatsOfJq = words('@text @json @html @uri @urid @csv @tsv @sh @base64 @base64d @base32 @base32d');
const formatsOfYq = words(
  '@json @jsond @yaml @yamld @xml @xmld @props @propsd @csv @csvd @tsv @tsvd @sh @uri @urid @base64 @base64d',
);

/** What a program may name, by where it is written. */
const known = {
  jq: { functions: ofJq, formats: formatsOfJq },
  // The program is one for jq if `yq` is the wrapper around it.
  yq: { functions: new Set([...ofJq, ...ofYq]), formats: new Set([...formatsOfJq, ...formatsOfYq]) },
};

const keywords = words('as reduce foreach try catch label break and or');

/** Functions that jq knows, and that reach more than its input. */
const reaching = new Set(['modulemeta', 'get_search_list']);

export const filters: Languages = {
  /** A program for `jq`: the environment that it reads. */
  jq: (written, around) => read(written, 'jq', around),
  /** The first operand of `yq`: a command, a program, or else a file. */
  'yq-first': (written, around) => {
    const name = textOf(written);
    if (name !== null && /^(?:e|ea|eval|eval-all)$/.test(name)) return [];
    const effects = read(written, 'yq', around);
    const mayBeFile = name === null || /^(?:\.{0,2}\/)?\w[\w./-]*$|^\.\.?\//.test(name);
    return mayBeFile && typeof effects !== 'string' ? [...effects, file('read', written, around)] : effects;
  },
  /** A file, or the program that follows a command. */
  'yq-more': (written, around) => read(written, 'yq', around),
};

function read(written: Word, language: 'jq' | 'yq', around: Around): Effects {
  const program = textOf(written);
  if (program === null) return 'its program is unknown';
  const tokens = filterTokens(program, language);
  // The name of a file is not a program, for its parts name nothing.
  const isName = language === 'yq' && /^(?=.*[./])(?:\w|\.{0,2}\/)[\w./@+-]*$/.test(program);
  if (tokens === null) return isName ? [] : 'its program is not understood';
  return new Reader(tokens, language, isName, around).read();
}

/** An open bracket, `if` or `def`, with the functions that the program defines within it. */
interface Frame {
  readonly open: string;
  readonly names: Set<string>;
}

const brackets: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', end: 'if' };

class Reader {
  private readonly frames: Frame[] = [{ open: '', names: new Set() }];
  private readonly effects = new Map<string, Effect>();
  private next = 0;

  constructor(
    private readonly tokens: readonly FilterToken[],
    private readonly language: 'jq' | 'yq',
    private readonly isName: boolean,
    private readonly around: Around,
  ) {}

  read(): Effects {
    while (this.next < this.tokens.length) {
      const token = this.tokens[this.next];
      this.next += 1;
      const problem = token === undefined ? null : this.take(token);
      if (problem !== null) return problem;
    }
    return this.frames.length === 1 ? [...this.effects.values()] : 'its program is not complete';
  }

  private get frame(): Frame {
    return this.frames.at(-1) as Frame;
  }

  private sign(offset = 0): string | undefined {
    const token = this.tokens[this.next + offset];
    return token?.kind === 'sign' ? token.text : undefined;
  }

  /** Why the token is not understood, or null. */
  private take({ kind, text: name, isRest = false }: FilterToken): string | null {
    if (kind === 'variable') {
      if (name === 'ENV') this.readVariable(this.fieldBehind());
      return null;
    }
    if (kind === 'format')
      return known[this.language].formats.has(name) ? null : `its format \`${name}\` is unknown`;
    if (kind === 'sign') return this.takeSign(name);
    return kind === 'word' ? this.takeWord(name, isRest) : null;
  }

  private takeSign(name: string): string | null {
    if ('([{'.includes(name)) this.frames.push({ open: name, names: new Set() });
    else if (Object.hasOwn(brackets, name)) return this.close(brackets[name] ?? '');
    else if (name === ';') {
      // It ends a definition, or an argument with its own definitions.
      if (this.frame.open === '(') this.frame.names.clear();
      else return this.close('def');
    }
    return null;
  }

  private close(open: string): string | null {
    return this.frame.open === open && this.frames.pop() !== undefined ? null : 'its brackets do not match';
  }

  private takeWord(name: string, isRest: boolean): string | null {
    const before = this.tokens[this.next - 2]?.text ?? '';
    const isKey = this.frame.open === '{' && /^[{,]$/.test(before) && /^[,}:]$/.test(this.sign() ?? '');
    if (isKey || keywords.has(name)) return null;
    if (name === 'def') return this.define();
    if (name === 'if') this.frames.push({ open: 'if', names: new Set() });
    else if (name === 'end') return this.close('if');
    else if (/^(?:then|elif|else)$/.test(name)) this.frame.names.clear();
    else if (/^(?:env|strenv|envsubst)$/.test(name)) this.readEnvironment(name);
    // A definition with another number of parameters leaves the one that jq knows.
    else if (!reaching.has(name) && this.frames.some(({ names }) => names.has(name))) return null;
    else if (this.language === 'yq' && /^load(?:_\w+)?$/.test(name)) this.load();
    else if (known[this.language].functions.has(name) || this.isName) return null;
    else if (!isRest || reaching.has(name)) return `its function \`${name}\` is unknown`;
    return null;
  }

  /** `def f: …;` or `def f(g; $x): …;` */
  private define(): string | null {
    const name = this.tokens[this.next];
    if (name?.kind !== 'word') return 'its definition is not understood';
    this.next += 1;
    this.frame.names.add(name.text);
    const names = new Set<string>();
    if (this.sign() === '(') {
      while (this.next < this.tokens.length && this.sign() !== ')') {
        const parameter = this.tokens[this.next];
        if (parameter?.kind === 'word' || parameter?.kind === 'variable') names.add(parameter.text);
        this.next += 1;
      }
      this.next += 1;
    }
    if (this.sign() !== ':') return 'its definition is not understood';
    this.next += 1;
    this.frames.push({ open: 'def', names });
    return null;
  }

  /** `env.A`, and for `yq` `env(A)`. */
  private readEnvironment(name: string): void {
    const argument = this.sign() === '(' && this.sign(2) === ')' ? this.tokens[this.next + 1] : undefined;
    if (this.language === 'jq' || this.sign() !== '(')
      this.readVariable(name === 'env' ? this.fieldBehind() : undefined);
    else {
      this.readVariable(name === 'envsubst' ? undefined : argument?.text);
      while (this.next < this.tokens.length && this.sign() !== ')') this.next += 1;
      this.next += 1;
    }
  }

  private fieldBehind(): string | undefined {
    const token = this.tokens[this.next];
    return token?.kind === 'field' ? token.text : undefined;
  }

  private readVariable(name?: string): void {
    this.effects.set(`$${name ?? ''}`, readsVariable(name));
  }

  private load(): void {
    const argument = this.tokens[this.next + 1];
    const isPlain = this.sign() === '(' && argument?.kind === 'string' && this.sign(2) === ')';
    const name = isPlain && !argument.text.includes('\\') ? argument.text : null;
    const word = name === null ? unknown('load') : text(name);
    this.effects.set(`load ${name}`, file('read', word, this.around));
  }
}
