import type { Names, NumberOutput } from '../../word.js';

/** The lines that may be printed for these lines; null if they are unknown. */
export function editLines(edit: Edit, { texts, open }: Names): Names | null {
  if (!texts.every((line) => /^[\x20-\x7e]*$/.test(line))) return null;
  return { texts: [...new Set(texts.flatMap(edit))], open, under: null };
}

/** What may be printed for a line. */
export type Edit = (line: string) => readonly string[];

/** `cut -d C -f N`. A line without the delimiter stays as it is. */
export function fieldOf([delimiter = '', number = '']: readonly string[]): Edit | null {
  if (!/^[!-~]$/.test(delimiter) || !/^[1-9]\d?$/.test(number)) return null;
  return (line) => [line.includes(delimiter) ? (line.split(delimiter)[Number(number) - 1] ?? '') : line];
}

/** `tr FROM INTO`: each character becomes the one at its place, or the last; none stays if INTO is empty. */
export function translationOf(from: string, into: string): Edit | null {
  const [set, others] = [charactersOf(from), charactersOf(into)];
  if (set === null || others === null) return null;
  const to = new Map(set.map((character, at) => [character, others[at] ?? others.at(-1) ?? '']));
  return (line) => [[...line].map((character) => to.get(character) ?? character).join('')];
}

/** The characters of a set for `tr`; null if a part of it has another meaning. */
function charactersOf(set: string): readonly string[] | null {
  const whole = set.replace('[:upper:]', 'A-Z').replace('[:lower:]', 'a-z');
  const parts = whole.match(/A-Z|a-z|0-9|[\w .,:;/@+=%#!?*&"'-]/g) ?? [];
  if (parts.join('') !== whole || parts.slice(1, -1).includes('-')) return null;
  return parts.flatMap((part) => {
    const [first, last] = [part.charCodeAt(0), part.charCodeAt(part.length - 1)];
    return Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at));
  });
}

/** What a program for `awk` prints of each line that it chooses: the line, or a field between two texts. */
type Printed = 'lines' | { readonly before: string; readonly field: number | 'last'; readonly after: string };

const expression = /\/(?:[^/\\\n]|\\[^\n])+\//.source;
const test = [
  `!?${expression}`,
  /!?\w+\[\$\d\]\+\+/.source,
  /!?(?:NF|\$\d|length(?:\(\$\d\))?)/.source,
  `\\$?\\w+(?: *% *[1-9]\\d*)? *(?:[<>]=?|[!=]=) *(?:\\w+|"[^"\\\\\\n]*")`,
  `\\$\\d+ *!?~ *${expression}`,
].join('|');
const condition = new RegExp(`^(?:(?:${test})(?: *(?:&&|\\|\\|) *(?:${test}))*)?$`);
const printing = /^ *(?:"([\w./-]*)" *)?\$(\d|NF)(?: *"([\w./-]*)")? *;? *$/;

/** What a program for `awk` does with the lines that it chooses; empty for its default, null if it is not understood. */
function actionOf(program: string): string | null {
  const [all, when = '', action = ''] =
    /^([^{}]*(?:\/[^/{}]*[{}][^/{}]*\/)?[^{}]*)(?:\{([^{}]+)\})?$/.exec(program.trim()) ?? [];
  return all && condition.test(when.trim()) ? action : null;
}

/** What a program for `awk` prints that prints only numbers of lines; null for others. `assigned`: the variables of `-v`. */
export function numbersByAwk(program: string, assigned: readonly string[]): NumberOutput | null {
  const [, exit] = /^ *print +NR *(; *exit *)?;? *$/.exec(actionOf(program) ?? '') ?? ['', null];
  // Names that begin with a small letter mean nothing to awk.
  if (exit === null || !assigned.every((each) => /^[a-z]\w*=/.test(each))) return null;
  return { kind: 'number', ...(exit === undefined ? { areMany: true } : { mayBeMissing: true }) };
}

/** Null for any other program. */
export function printedByAwk(program: string): Printed | null {
  const action = actionOf(program);
  if (action === null) return null;
  const [, printed] = /^ *print\b(.*)$/.exec(action || 'print') ?? [];
  if (printed === undefined) return null;
  const [, before = '', field = '0', after = ''] = printing.exec(printed) ?? [];
  if (field === '0' && /^ *(?:\$0 *)?;? *$/.test(printed)) return 'lines';
  return field === '0' ? null : { before, field: field === 'NF' ? 'last' : Number(field), after };
}

const choosing =
  /^\s*(?:(?:(?:\d+|\$)(?:,(?:\d+|\$))?|\/(?:[\w .:@^$*#<>=!,;"'-]|\\[sSwW./])+\/)!?)?[pdq]\s*(?:;|$)/;
const substituting = /^\s*s([/|#,])((?:\\[^\n]|(?!\1)[^\\\n])+)\1((?:(?!\1)[\w .:@/-])*)\1(g?)p?\s*(?:;|$)/;

/** Whether a script only chooses which lines are printed, unchanged. */
export function choosesLines(script: string): boolean {
  let rest = script;
  for (let [chosen] = choosing.exec(rest) ?? []; chosen; [chosen] = choosing.exec(rest) ?? [])
    rest = rest.slice(chosen.length);
  return rest === '' && script !== '';
}

/** A script of substitutions, and of commands that only choose lines; null if it is not understood. */
export function editOf(script: string): Edit | null {
  const [, , signs] = /^s([/|#,])\^\[([* +]+)\]\*\1\1$/.exec(script) ?? [];
  if (signs !== undefined) return (line) => [line.replace(new RegExp(`^[${signs}]*`), '')];
  const changes: ((line: string) => string)[] = [];
  let rest = script;
  while (rest !== '') {
    const [chosen] = choosing.exec(rest) ?? [];
    const [all = chosen ?? '', , pattern = '', by = '', flags] = substituting.exec(rest) ?? [];
    if (all === '') return null;
    if (chosen === undefined) {
      const expression = patternOf(pattern);
      if (expression === null) return null;
      changes.push((line) => line.replace(new RegExp(expression, flags), () => by));
    }
    rest = rest.slice(all.length);
  }
  // `p` and `q` print the line before later commands change it.
  const isEarly = /[pq]\s*(?:;|$)/.test(script);
  return (line) => {
    const forms = [line];
    for (const change of changes) forms.push(change(forms.at(-1) ?? line));
    return isEarly ? forms : forms.slice(-1);
  };
}

/**
 * A pattern that means the same to JavaScript as to `sed`, with `-E` and without: plain characters, escaped signs,
 * `.` and lists. With one `*`, the first match is the longest.
 */
function patternOf(pattern: string): string | null {
  const [, start = '', body = '', end = ''] = /^(\^?)(.*?)((?<!\\)\$|)$/.exec(pattern) ?? [];
  const atom = /[\w :@,#/%="'<>;&!-]|\\[./$*^[\]-]|\.|\[\^?(?:a-z|A-Z|0-9|[A-Za-z0-9_./ :@])+-?\]/g;
  // Besides what `*` repeats there is another character, so no match is empty.
  return /^(?:x+|x+\*x+|x+x\*)$/.test(body.replace(atom, 'x')) ? start + body + end : null;
}
