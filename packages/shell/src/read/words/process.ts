import { Outside } from '../../state/outside.js';
import { beside, type Scope } from '../../state/scope.js';
import { type Output, type UnknownWord, unknown, unknownOutput } from '../../word.js';
import type { WrittenWord } from './atoms.js';

/** `<(…)` or `>(…)`. */
type Process = Extract<NonNullable<WrittenWord['parts']>[number], { type: 'ProcessSubstitution' }>;

/** The substitution if it is the whole word; null for any other word. */
export function processIn({ text, parts }: WrittenWord): Process | null {
  const [only, ...others] = parts ?? [];
  if (only?.type !== 'ProcessSubstitution' || others.length > 0) return null;
  return only.text === text ? only : null;
}

/** The name of the pipe from which a program reads what the commands write, or the other way: `/dev/fd/63`. */
export function pipeWord({ text, operator }: Process, gives: Output): UnknownWord {
  return unknown(text, { start: '/', gives, ...(operator === '>' && { takes: true }) });
}

/** Walks the commands, which run beside all that follow. Returns what the pipe gives. */
export function walkProcess({ script, text, operator }: Process, around: Scope): Output {
  const scope = operator === '<' ? around : { ...around, input: { output: unknownOutput } };
  if (scope.isPosix) throw new Outside('other shells lack process substitutions', text);
  if (script === undefined || !standsAlone(text, scope))
    throw new Outside('a process substitution beside other text is not described', text);
  scope.walk.notes.isConcurrent = true;
  const changes = { isRead: true, depth: scope.depth + 1 };
  return beside(scope, changes, (inner) => inner.walk.script(script, inner));
}

/** The most characters between a blank and the word: lines that continue. */
const nearby = 20;

/**
 * Whether blanks or operators surround it. The parser ends a word before it and after it, where the shell continues it. Each
 * place with the same text counts.
 */
function standsAlone(text: string, { source, walk }: Scope): boolean {
  let at = source.indexOf(text);
  const isFound = at !== -1;
  for (; at !== -1; at = source.indexOf(text, at + 1)) {
    walk.report.spend(1);
    const end = at + text.length;
    if (!/(?<!\\)[ \t](?:\\\n)*$/.test(source.slice(Math.max(0, at - nearby), at))) return false;
    if (!/^(?:[ \t\n;&|)]|$)/.test(source.slice(end, end + 1))) return false;
  }
  return isFound;
}
