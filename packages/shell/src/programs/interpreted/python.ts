import type { Effect } from '../../effect.js';
import { textOf } from '../../word.js';
import type { Around, Languages } from '../effects.js';
import { file } from '../language/make-effect.js';
import { inFolder } from '../words.js';
import { type PythonToken, pythonTokens } from './python-tokens.js';

export const python: Languages = {
  /** Described where it certainly only computes, prints, and opens files that it names. */
  python: (written, around) => {
    const text = textOf(written);
    const effects = text === null ? null : effectsOf(text, around);
    const run = { kind: 'code', language: 'python', text, ...inFolder(around.folder) } as const;
    return effects === null ? [run] : [{ ...run, isDescribed: true }, ...effects];
  },
};

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const keywords =
  setOf(`False None True and as assert break continue def del elif else except finally for global if in is lambda
  nonlocal not or pass raise return try while with yield`);

/** Builtins that touch no file, and give no attribute by its name. */
const builtins =
  setOf(`abs all any ascii bin bool bytearray bytes callable chr complex dict divmod enumerate exit filter float
  format frozenset hash hex id int isinstance issubclass iter len list map max min next object oct ord pow print quit range repr
  reversed round set slice sorted str sum tuple type zip __name__ ArithmeticError AssertionError AttributeError EOFError Exception
  FileNotFoundError ImportError IndexError IOError KeyError KeyboardInterrupt LookupError NameError NotImplementedError OSError
  OverflowError PermissionError RuntimeError StopIteration SystemExit TypeError UnicodeDecodeError ValueError ZeroDivisionError`);

/** Builtins that a variable of the same name hides only in a part of a text. */
const others =
  /^(?:breakpoint|classmethod|compile|copyright|credits|delattr|dir|eval|exec|getattr|globals|help|input|license|locals|memoryview|open|property|setattr|staticmethod|super|vars)$|__/;

/** What modules have that only computes. Nothing here opens a file by its name, or looks up an attribute by one. */
const modules: Readonly<Record<string, ReadonlySet<string>>> = {
  ast: setOf('parse literal_eval'),
  base64: setOf('b64encode b64decode urlsafe_b64encode urlsafe_b64decode b32encode b32decode'),
  binascii: setOf('hexlify unhexlify'),
  collections: setOf('ChainMap Counter OrderedDict defaultdict deque namedtuple'),
  csv: setOf('DictReader DictWriter reader writer QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE'),
  datetime: setOf('date datetime time timedelta timezone UTC'),
  decimal: setOf('Decimal'),
  difflib: setOf('ndiff unified_diff get_close_matches'),
  fractions: setOf('Fraction'),
  functools: setOf('cmp_to_key lru_cache reduce'),
  hashlib: setOf('md5 sha1 sha224 sha256 sha384 sha512'),
  html: setOf('escape unescape'),
  io: setOf('BytesIO StringIO'),
  itertools: setOf(
    'accumulate chain combinations count cycle groupby islice permutations product repeat zip_longest',
  ),
  json: setOf('JSONDecodeError dump dumps load loads'),
  math: setOf(
    'ceil comb cos e exp fabs factorial floor gcd hypot inf isclose isnan log log10 log2 nan pi pow prod sin sqrt tan',
  ),
  operator: setOf('itemgetter'),
  pathlib: setOf('Path'),
  pprint: setOf('pformat pprint'),
  random: setOf('choice randint random sample seed shuffle uniform'),
  re: setOf(
    'A DOTALL I IGNORECASE M MULTILINE S VERBOSE X compile escape findall finditer fullmatch match search split sub subn',
  ),
  statistics: setOf('mean median mode pstdev stdev variance'),
  string: setOf('ascii_letters ascii_lowercase ascii_uppercase digits punctuation'),
  sys: setOf('argv byteorder exit maxsize platform stderr stdin stdout version version_info'),
  textwrap: setOf('dedent fill indent shorten wrap'),
  time: setOf('gmtime localtime monotonic perf_counter sleep strftime time'),
  tomllib: setOf('load loads'),
  yaml: setOf('safe_dump safe_load safe_load_all'),
  zlib: setOf('adler32 compress crc32 decompress'),
};

/** Attributes of texts, numbers, lists, maps, open files, matches, digests and times. */
const attributes =
  setOf(`add append appendleft as_integer_ratio bit_length buffer capitalize casefold center chain clear close copy
  count date day days decode dedent difference digest discard elements encode end endswith extend fieldnames find findall finditer
  flush from_bytes from_iterable fromisoformat fromkeys fromtimestamp fullmatch get getvalue group groupdict groups hex hexdigest
  hour index insert intersection is_integer isalnum isalpha isdigit isdisjoint isoformat isspace issubset issuperset istitle isupper
  islower items join keys ljust lower lstrip maketrans match microsecond minute month most_common now numerator partition pop
  popitem popleft read readline readlines remove removeprefix removesuffix replace reverse rfind rindex rjust rotate rpartition
  rsplit rstrip search second seconds seek setdefault sort span split splitlines start startswith strftime strip strptime sub subn
  swapcase symmetric_difference timestamp title to_bytes today total total_seconds translate union update upper utc utcnow values
  weekday write writeheader writelines writerow writerows year zfill`);

/** What is done with a path that the text names. */
const ofPaths: Readonly<Record<string, 'read' | 'write'>> = {
  read_bytes: 'read',
  read_text: 'read',
  write_bytes: 'write',
  write_text: 'write',
};

interface Program {
  readonly tokens: readonly PythonToken[];
  readonly around: Around;
  readonly effects: Effect[];
  /** How often each name is bound, or may be. */
  readonly bound: ReadonlyMap<string, number>;
  /** Names of modules, and of what is imported from them. */
  readonly imported: ReadonlyMap<string, string>;
}

/** Null if the text is not understood. */
function effectsOf(text: string, around: Around): readonly Effect[] | null {
  const tokens = pythonTokens(text);
  const imports = tokens === null ? null : importsOf(tokens);
  if (tokens === null || imports === null) return null;
  const { rest, imported } = imports;
  const program: Program = { tokens: rest, around, effects: [], bound: boundIn(rest), imported };
  const isHidden = [...program.bound.keys()].some((each) => others.test(each) || imported.has(each));
  if (isHidden || !rest.every((_, index) => isUnderstood(index, program))) return null;
  // What is imported is sought in the folder first.
  return imported.size === 0 ? program.effects : [file('list', '.', around), ...program.effects];
}

/** `import a, b` and `from a import b, c`, as whole statements without other names; the other tokens. */
function importsOf(tokens: readonly PythonToken[]) {
  const imported = new Map<string, string>();
  const rest: PythonToken[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'start') continue;
    const next = tokens.findIndex(({ kind }, at) => at > index && kind === 'start');
    const statement = tokens.slice(index + 1, next === -1 ? undefined : next);
    const written = statement.map(({ text }) => text).join(' ');
    const [, from, names] = /^(?:from ([a-z]\w*) )?import (\w+(?: , \w+)*)$/.exec(written) ?? [];
    if (names === undefined) rest.push(token, ...statement);
    for (const name of names?.split(' , ') ?? []) {
      const module = Object.hasOwn(modules, from ?? name) ? modules[from ?? name] : undefined;
      if (module === undefined || (from !== undefined && !module.has(name)) || imported.has(name))
        return null;
      imported.set(name, from === undefined ? 'module' : from);
    }
  }
  return { rest, imported };
}

/** Every name that the text may bind: too many rather than too few. `__` for a form that is not understood. */
function boundIn(tokens: readonly PythonToken[]): ReadonlyMap<string, number> {
  const bound = new Map<string, number>();
  const bind = (list: readonly PythonToken[]) => {
    for (const [index, { kind, text }] of list.entries())
      if (kind === 'name' && !keywords.has(text) && list[index - 1]?.text !== '.')
        bound.set(text, (bound.get(text) ?? 0) + 1);
  };
  let begin = 0;
  for (const [index, { kind, text, depth }] of tokens.entries()) {
    // Before a colon stands a condition, or a name with its type.
    const isAfterKeyword = text === ':' && depth === 0 && keywords.has(tokens[begin]?.text ?? '');
    if (kind === 'start' || isAfterKeyword) begin = index + 1;
    if (depth === 0 && /^(?:\*\*|\/\/|>>|<<|[-+*/%&|^@])?=$/.test(text)) {
      bind(tokens.slice(begin, index));
      begin = index + 1;
    }
    if (text === ':=') bind(tokens.slice(index - 1, index));
    if (kind !== 'name') continue;
    const end = text === 'for' ? 'in' : /^(?:def|lambda)$/.test(text) ? ':' : null;
    const last = tokens.findIndex((each, at) => at > index && each.text === end && each.depth <= depth);
    if (end !== null) bind(tokens.slice(index + 1, last === -1 ? undefined : last));
    const [target] = tokens.slice(index + 1);
    if (text === 'as') bind(target?.kind === 'name' ? [target] : [{ kind: 'name', text: '__', depth }]);
  }
  return bound;
}

function isUnderstood(index: number, program: Program): boolean {
  const { tokens, bound, imported } = program;
  const [token, before, next] = [tokens[index], tokens[index - 1], tokens[index + 1]];
  if (token?.kind !== 'name') return true;
  const { text } = token;
  if (before?.text === '.') return isAttribute(index, program);
  if (text === 'open') return opens(index, program);
  if (keywords.has(text)) return true;
  // These words may begin statements.
  const isSoft = before?.kind === 'start' && /^(?:match|case|type)$/.test(text);
  if (isSoft && !/^(?:[.,]|=)$/.test(next?.text ?? '')) return false;
  if (token.depth > 0 && next?.text === '=' && /^[(,]$/.test(before?.text ?? '')) return text !== 'opener';
  const from = imported.get(text);
  if (text === 'Path' && from === 'pathlib') return reaches(index, pathAt(index, program), program);
  if (from === 'module') return next?.text === '.';
  if (from !== undefined || builtins.has(text)) return true;
  const path = pathNamed(text, program);
  const isDefinition = before?.kind === 'start' && next?.text === '=';
  return path === null || isDefinition ? bound.has(text) : reaches(index, path, program);
}

function isAttribute(index: number, program: Program): boolean {
  const { tokens, imported } = program;
  const [text = '', owner, before] = [tokens[index]?.text, tokens[index - 2], tokens[index - 3]];
  const isModule = owner?.kind === 'name' && before?.text !== '.' && imported.get(owner.text) === 'module';
  if (isModule && text === 'Path') return reaches(index, pathAt(index, program), program);
  if (isModule) return modules[owner.text]?.has(text) === true;
  // The path before it was found to be read or written here.
  if (Object.hasOwn(ofPaths, text))
    return owner?.kind === 'name'
      ? pathNamed(owner.text, program) !== null
      : tokens[index - 5]?.text === 'Path';
  // A field of a format can look up attributes.
  const isPlain = owner?.value !== undefined && before?.kind !== 'string';
  if (text === 'format') return isPlain && !/\{[^{}:!]*[.[{]|:[^}]*\{/.test(owner.value);
  return attributes.has(text);
}

/** The path of `Path('a')` that begins here; null for another one. */
function pathAt(index: number, { tokens }: Program): string | null {
  const [open, name, close] = tokens.slice(index + 1, index + 4);
  return open?.text === '(' && close?.text === ')' ? (name?.value ?? null) : null;
}

/** Where the only statement `name = …` begins what it assigns; null if the name may hold something else. */
function assignedAt(name: string, { tokens, bound }: Program): number | null {
  const at = tokens.findIndex(({ text }, index) => text === name && tokens[index - 1]?.kind === 'start');
  return at !== -1 && bound.get(name) === 1 && tokens[at + 1]?.text === '=' ? at + 2 : null;
}

/** The path in a variable that holds `Path('a')` and nothing else. */
function pathNamed(name: string, program: Program): string | null {
  const { tokens, imported } = program;
  const at = assignedAt(name, program);
  if (at === null) return null;
  const isLong = tokens[at]?.text === 'pathlib' && tokens[at + 1]?.text === '.';
  const start = isLong ? at + 2 : at;
  const isPath = tokens[start]?.text === 'Path' && (isLong || imported.get('Path') === 'pathlib');
  return isPath && (tokens[start + 4]?.kind ?? 'start') === 'start' ? pathAt(start, program) : null;
}

/** Whether a path is read or written right here, or only put into its variable. */
function reaches(index: number, path: string | null, program: Program): boolean {
  const { tokens, around, effects } = program;
  const isCall = tokens[index]?.text === 'Path';
  const [dot, method, open] = tokens.slice(isCall ? index + 4 : index + 1);
  const access = dot?.text === '.' && open?.text === '(' ? ofPaths[method?.text ?? ''] : undefined;
  if (path === null) return false;
  if (access !== undefined) effects.push(file(access, path, around));
  const start = tokens[index - 1]?.text === '.' ? index - 2 : index;
  const name = tokens[start - 2]?.text ?? '';
  return (
    access !== undefined ||
    (isCall && assignedAt(name, program) === start && pathNamed(name, program) === path)
  );
}

/** `open('a')` and `open('a', 'w', encoding='utf-8')`. */
function opens(index: number, program: Program): boolean {
  const { tokens, around, effects } = program;
  const [open, named] = tokens.slice(index + 1, index + 3);
  if (open?.text !== '(' || named === undefined) return false;
  const end = tokens.findIndex(({ text, depth }, at) => at > index && text === ')' && depth === open.depth);
  const rest = tokens.slice(index + 3, end).map(({ text }) => text);
  const found =
    /^(?:, '([rwaxbt+]+)')?(?: ?, (?:mode = '([rwaxbt+]+)'|(?:encoding|errors|newline) = '[\w-]*'))*$/.exec(
      rest.join(' '),
    );
  const path = named.value ?? (named.kind === 'name' ? constant(named.text, program) : null);
  if (found === null || path === null) return false;
  const how = found[1] ?? found[2] ?? 'r';
  if (/[wax+]/.test(how)) effects.push(file('write', path, around));
  if (/[r+]/.test(how)) effects.push(file('read', path, around));
  return true;
}

/** The text of a variable that holds one text and nothing else. */
function constant(name: string, program: Program): string | null {
  const at = assignedAt(name, program) ?? -1;
  const [value, end] = at === -1 ? [] : program.tokens.slice(at, at + 2);
  return (end?.kind ?? 'start') === 'start' ? (value?.value ?? null) : null;
}
