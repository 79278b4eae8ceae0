import type { CommandExpansionPart } from 'unbash';
import { type Here, subshell } from '../here.js';
import { numberGap } from '../variable.js';
import type { Word } from '../word.js';
import type { Expansion } from './atoms.js';
import { asPieces, compact, type Piece } from './fields.js';
import { piecesOfParameter } from './parameter.js';

/** What something in a word stands for. Runs it where it is a command. */
export function piecesOfPart(part: Expansion, isQuoted: boolean, here: Here): readonly Piece[] {
  const { report } = here.walk;
  switch (part.type) {
    case 'SimpleExpansion':
      return piecesOfParameter({ name: part.text.slice(1), part: null, text: part.text }, isQuoted, here);
    case 'ParameterExpansion':
      return piecesOfParameter({ name: part.parameter, part, text: part.text }, isQuoted, here);
    case 'CommandExpansion':
      return asPieces(substituted(part, here), isQuoted, here);
    case 'ArithmeticExpansion':
      here.walk.arithmetic(part.expression ?? null, here);
      if (part.expression === undefined && !/^\$(?:\(\(\s*\)\)|\[\s*\])$/.test(part.text))
        report.opaque(part.text, 'the expression cannot be read');
      return [{ gap: numberGap(part.text), is_quoted: isQuoted }];
    case 'ProcessSubstitution': {
      here.walk.seen.is_concurrent = true;
      if (part.script === undefined) report.opaque(part.text, 'the command cannot be read');
      else
        here.walk.script(part.script, subshell(here, part.operator === '>' ? { input: { text: null } } : {}));
      here.walk.seen.writes_beside ||= part.operator === '>';
      return [{ text: substitutedFile, is_quoted: true }];
    }
  }
}

/** What a program is given in place of `<(…)`; the number is anything. */
export const substitutedFile = '/dev/fd/63';

function substituted(part: CommandExpansionPart, here: Here): Word {
  const { report } = here.walk;
  const unknown: Word = { parts: [{ kind: 'text', text: part.text }] };
  // It is read when it is asked for.
  if (!report.spend(part.text.length / 50)) return unknown;
  if (part.script === undefined) {
    report.opaque(part.text, 'the command cannot be read');
    return unknown;
  }
  // Newer shells run `${ …; }` in place; this one takes it for an error.
  if (part.text.startsWith('${')) report.opaque(part.text, 'shells read this differently');
  const { output } = here.walk.script(part.script, subshell(here, { depth: here.depth + 1 }));
  return output === null ? unknown : withoutLineEnds(output);
}

function withoutLineEnds({ parts }: Word): Word {
  const last = parts[parts.length - 1];
  if (typeof last !== 'string') return { parts };
  return compact([...parts.slice(0, -1), last.replace(/\n+$/, '')]);
}
