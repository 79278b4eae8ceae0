import type { Access, Effect } from '../../effect.js';
import { textOf } from '../../word.js';
import type { Around, Languages } from '../effects.js';
import { file } from '../language/make-effect.js';
import { inFolder } from '../words.js';
import { endsValue, type JavaScriptToken, javaScriptTokens } from './javascript-tokens.js';

export const javascript: Languages = {
  /** The text of `node -e`, described where it certainly only computes, prints, and opens files that it names. */
  node: (written, around) => {
    const text = textOf(written);
    const effects = text === null ? null : effectsOf(text, around);
    const run = { kind: 'code', language: 'js', text, ...inFolder(around.folder) } as const;
    return effects === null ? [run] : [{ ...run, isDescribed: true }, ...effects];
  },
};

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const keywords =
  setOf(`break case catch const continue default delete do else false finally for function if in instanceof let new
  null of return switch throw true try typeof undefined var void while`);

/** What a parenthesis may follow that calls nothing. */
const heads = setOf('case catch for if in instanceof of return switch throw typeof void while');

/** What is used of objects that each text has; `()` is a call, `new` a constructor, `value` a function as a value. */
const globals: Readonly<Record<string, ReadonlySet<string>>> = {
  Array: setOf('from isArray of new'),
  Boolean: setOf('() value'),
  Date: setOf('UTC new now parse'),
  Error: setOf('new'),
  Infinity: setOf('value'),
  JSON: setOf('parse stringify'),
  Map: setOf('new'),
  Math: setOf('E PI abs ceil floor hypot log log10 log2 max min pow random round sign sqrt trunc'),
  NaN: setOf('value'),
  Number: setOf('() EPSILON MAX_SAFE_INTEGER MIN_SAFE_INTEGER isFinite isInteger isNaN parseFloat value'),
  Object: setOf('entries fromEntries keys values'),
  RegExp: setOf('new'),
  Set: setOf('new'),
  String: setOf('() fromCharCode value'),
  console: setOf('dir error info log table warn'),
  isNaN: setOf('() value'),
  parseFloat: setOf('() value'),
  parseInt: setOf('() value'),
  path: setOf('basename dirname extname join'),
  process: setOf('arch argv cwd exit platform uptime version versions'),
};

/** Methods of texts, numbers, lists, maps, patterns and times. */
const methods =
  setOf(`add at charAt charCodeAt codePointAt concat endsWith entries every exec fill filter find findIndex findLast flat
  flatMap forEach get getDate getDay getFullYear getHours getMinutes getMonth getSeconds getTime has hasOwnProperty includes indexOf
  join keys lastIndexOf localeCompare map match matchAll normalize padEnd padStart pop push reduce reduceRight repeat replace
  replaceAll reverse search set shift slice some sort splice split startsWith substr substring test toFixed toISOString
  toLocaleString toLowerCase toPrecision toSorted toString toUpperCase trim trimEnd trimStart unshift values`);

/** Properties by which a text reaches the compiler. */
const hidden = /^(?:__.*|arguments|callee|caller|constructor|prototype)$/;

const ofFiles: Readonly<Record<string, Access>> = {
  existsSync: 'list',
  readFileSync: 'read',
  readdirSync: 'list',
  writeFileSync: 'write',
};

interface Program {
  readonly tokens: readonly JavaScriptToken[];
  readonly around: Around;
  readonly effects: Effect[];
  /** Names that the text declares, and whether each is a function. */
  readonly declared: ReadonlyMap<string, 'function' | 'value'>;
}

/** Null if the text is not understood. */
function effectsOf(text: string, around: Around): readonly Effect[] | null {
  const tokens = javaScriptTokens(text);
  const declared = tokens === null ? null : declaredIn(tokens);
  if (tokens === null || declared === null) return null;
  const program: Program = { tokens, around, effects: [], declared };
  return tokens.every((_, index) => isUnderstood(index, program)) ? program.effects : null;
}

/** Null if a name is declared twice, or hides one that each text has. */
function declaredIn(tokens: readonly JavaScriptToken[]): Program['declared'] | null {
  const declared = new Map<string, 'function' | 'value'>();
  let isUnique = true;
  const declare = (list: readonly JavaScriptToken[], kind: 'function' | 'value' = 'value') => {
    for (const { kind: of, text } of list) {
      if (of !== 'name' || keywords.has(text)) continue;
      isUnique &&= !Object.hasOwn(globals, text) && !others.has(text) && !hidden.test(text);
      declared.set(text, declared.has(text) ? 'value' : kind);
    }
  };
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token.kind === 'name' && /^(?:const|let|var)$/.test(token.text)) {
      const isFunction = isArrow(tokens, index + 3) && tokens[index + 2]?.text === '=';
      const isModule = moduleAt(tokens, index + 3) === next?.text && tokens[index + 2]?.text === '=';
      if (!isModule)
        declare(next?.kind === 'name' ? [next] : group(tokens, index + 1), isFunction ? 'function' : 'value');
    }
    if (token.kind === 'name' && token.text === 'function') {
      declare(next === undefined ? [] : [next], 'function');
      declare(group(tokens, index + 2));
    }
    if (token.text === 'catch') declare(group(tokens, index + 1));
    if (token.text === '=>') declare(parametersBefore(tokens, index));
  }
  return isUnique ? declared : null;
}

/** Names that a text has without a declaration. */
const others =
  setOf(`Atomics Buffer Function Promise Proxy Reflect Symbol WebAssembly clearTimeout eval exports fetch fs global
  globalThis import module queueMicrotask require setImmediate setInterval setTimeout structuredClone assert async_hooks buffer
  child_process cluster constants crypto dgram diagnostics_channel dns domain events http http2 https inspector net os perf_hooks
  punycode querystring readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib`);

/** The tokens between the bracket here and the one that closes it. */
function group(tokens: readonly JavaScriptToken[], start: number): readonly JavaScriptToken[] {
  const depth = tokens[start]?.depth ?? 0;
  const end = tokens.findIndex((each, at) => at > start && each.depth === depth);
  return tokens.slice(start + 1, end === -1 ? undefined : end);
}

function isArrow(tokens: readonly JavaScriptToken[], start: number): boolean {
  const after = tokens[start]?.text === '(' ? start + group(tokens, start).length + 2 : start + 1;
  return tokens[after]?.text === '=>';
}

function parametersBefore(tokens: readonly JavaScriptToken[], arrow: number): readonly JavaScriptToken[] {
  const before = tokens[arrow - 1];
  if (before?.text !== ')') return before === undefined ? [] : [before];
  const start = tokens.findLastIndex(
    ({ depth, text }, at) => at < arrow - 1 && text === '(' && depth === before.depth,
  );
  return tokens.slice(start + 1, arrow - 1);
}

/** The module of `require('fs')` here. */
function moduleAt(tokens: readonly JavaScriptToken[], start: number): string | null {
  const [require, open, name, close] = tokens.slice(start, start + 4);
  const isCall = require?.text === 'require' && open?.text === '(' && close?.text === ')';
  return isCall ? (name?.value?.replace(/^node:/, '') ?? null) : null;
}

function isUnderstood(index: number, program: Program): boolean {
  const { tokens, declared } = program;
  const [token, before, next] = [tokens[index], tokens[index - 1], tokens[index + 1]];
  if (token === undefined) return false;
  if (token.kind === 'sign') return isPlainSign(index, program);
  const { text, value } = token;
  // A key may be one of an object that is taken apart.
  if (token.kind === 'string') return next?.text !== ':' || (value !== undefined && !hidden.test(value));
  if (token.kind !== 'name') return true;
  if (hidden.test(text)) return false;
  if (before?.text === '.' || before?.text === '?.') return next?.text !== '(' || isMethod(index, program);
  if (keywords.has(text)) return true;
  // A key of an object.
  if (next?.text === ':' && /^[{,]$/.test(before?.text ?? '')) return true;
  if (text === 'require') return requires(index, program);
  if (text === 'fs') return isModule(index, program) || touches(index + 2, program);
  const used = Object.hasOwn(globals, text) ? globals[text] : undefined;
  if (used === undefined) return declared.has(text);
  if (text === 'path' && isModule(index, program)) return true;
  if (before?.text === 'new') return used.has('new') && next?.text === '(';
  if (next?.text === '.') return used.has(tokens[index + 2]?.text ?? '') || isOutput(index, program);
  return (
    used.has(next?.text === '(' ? '()' : 'value') &&
    !/^(?:[-+*/%&|^]|\*\*|<<|>>|\?\?|&&|\|\|)?=$/.test(next?.text ?? '')
  );
}

/** `process.stdout.write(` */
function isOutput(index: number, { tokens }: Program): boolean {
  const written = tokens.slice(index, index + 6).map(({ text }) => text);
  return /^process\.std(?:out|err)\.write\($/.test(written.join(''));
}

/** `const fs = require('fs')`: the name of a module is its own. */
function isModule(index: number, { tokens }: Program): boolean {
  const [word, name, sign] = tokens.slice(index - 1, index + 2);
  return (
    /^(?:const|let|var)$/.test(word?.text ?? '') &&
    sign?.text === '=' &&
    moduleAt(tokens, index + 2) === name?.text
  );
}

/** Brackets that call or reach something: only what is known is called, and only a plain key is looked up. */
function isPlainSign(index: number, { tokens, declared }: Program): boolean {
  const [sign, before, next, after] = [
    tokens[index],
    tokens[index - 1],
    tokens[index + 1],
    tokens[index + 2],
  ];
  const isBehind = before?.text === '}' || endsValue(before, tokens[index - 2]);
  const owner = tokens[index - 2]?.text ?? '';
  if (sign?.text === '(') {
    if (before?.kind === 'name' && /^\??\.$/.test(owner)) return true;
    if (before?.kind === 'name' && (heads.has(before.text) || owner === 'function')) return true;
    if (before?.kind !== 'name') return !isBehind && before?.text !== '?.';
    if (keywords.has(before.text)) return before.text === 'function';
    return (
      declared.get(before.text) === 'function' ||
      Object.hasOwn(globals, before.text) ||
      before.text === 'require'
    );
  }
  if (sign?.text === ']') return next?.text !== ':';
  if (sign?.text !== '[' || !(isBehind || before?.text === '?.')) return true;
  const isKey = next?.kind === 'number' || (next?.value !== undefined && !hidden.test(next.value));
  return isKey && after?.text === ']';
}

/** `.map(` and the like, or a method of an object that each text has. */
function isMethod(index: number, { tokens }: Program): boolean {
  const [text = '', owner, dot] = [tokens[index]?.text, tokens[index - 2], tokens[index - 3]];
  const isOwn = owner?.kind === 'name' && !/^\??\.$/.test(dot?.text ?? '');
  if (isOwn && Object.hasOwn(globals, owner.text)) return globals[owner.text]?.has(text) === true;
  if (Object.hasOwn(ofFiles, text))
    return (isOwn && owner.text === 'fs') || moduleAt(tokens, index - 5) === 'fs';
  return methods.has(text) || (text === 'write' && /^std(?:out|err)$/.test(owner?.text ?? ''));
}

/** `require('./a.json')` of a plain file, `require('fs').readFileSync('a')`, and a module under its own name. */
function requires(index: number, program: Program): boolean {
  const { tokens, around, effects } = program;
  const name = moduleAt(tokens, index);
  if (name === 'path' || name === 'fs') {
    const holds =
      tokens[index - 1]?.text === '=' && tokens[index - 2]?.text === name && isModule(index - 2, program);
    return holds || (name === 'fs' && tokens[index + 4]?.text === '.' && touches(index + 5, program));
  }
  // Any other file of this name would be code.
  const isNamed = name !== null && /^\.\/(?!(?:.*\/)?\.\.\/).*\.json$/.test(name);
  if (!isNamed || around.isPlainFile?.(name) !== true) return false;
  effects.push(file('read', name, around));
  // It reads the nearest manifest, too.
  for (let folder = name; folder !== '.'; ) {
    folder = folder.replace(/\/[^/]*$/, '');
    effects.push(file('read', `${folder}/package.json`, around));
    if (around.isPlainFile?.(`${folder}/package.json`) === true) return true;
  }
  return false;
}

/** `readFileSync('a', 'utf8')` and the like: the file that its first argument names. */
function touches(index: number, { tokens, around, effects }: Program): boolean {
  const [method, open, name, end] = tokens.slice(index, index + 4);
  const access = ofFiles[method?.text ?? ''];
  const isNamed = tokens[index - 1]?.text === '.' && open?.text === '(' && /^[,)]$/.test(end?.text ?? '');
  // Other options may append, or open another way.
  const isPlain =
    access === 'write' ||
    end?.text === ')' ||
    (tokens[index + 4]?.kind === 'string' && tokens[index + 5]?.text === ')');
  if (access === undefined || name?.value === undefined || !isNamed || !isPlain) return false;
  const effect = file(access, name.value, around);
  effects.push(method?.text === 'existsSync' ? { ...effect, isLook: true } : effect);
  return true;
}
