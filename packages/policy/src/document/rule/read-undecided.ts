import type { Decision } from '@ambit/core';
import { type Reading, readWord } from '../../grammar/reading.js';
import type { Entry } from '../../text/tree.js';
import type { UndecidedBlock } from '../document.js';
import type { ReadRule } from './read-rule.js';

/** `undecided:` of a rule or of a file; undefined where it is missing or wrong. */
export function readUndecided(entry: Entry | undefined, reading: Reading): UndecidedBlock | undefined {
  if (entry === undefined) return undefined;
  const what = 'what a block does where it is undecided';
  return readWord(entry.value, ['needs_approval', 'blocked'], { reading, code: 'UNKNOWN_VALUE', what });
}

/** Reports a key that means nothing: on a rule that does not block, or beside `answer: any`. */
export function refuseUndecided(
  { undecided, answer }: { readonly undecided?: Entry; readonly answer?: Entry },
  decision: Decision | undefined,
  { problems }: Reading,
): void {
  if (undecided === undefined || decision === undefined) return;
  if (decision !== 'blocked')
    problems.add('MISPLACED_KEY', undecided.keySpan, {
      message: '`undecided` is for rules that block',
      help: 'an undecided rule that asks, asks; an undecided permission permits nothing',
    });
  else if (isWord(undecided, 'needs_approval') && isWord(answer, 'any'))
    problems.add('MISPLACED_KEY', undecided.keySpan, {
      message: '`undecided: needs_approval` asks a person, and this rule says `answer: any`',
      help: 'remove `answer: any`',
    });
}

/** Blocks that do not say what they do where they are undecided do what their file says. */
export function withUndecided(read: ReadRule, ofFile: UndecidedBlock): ReadRule {
  const { rule } = read;
  return {
    ...read,
    rule: { ...rule, undecided: rule.decision === 'blocked' ? (rule.undecided ?? ofFile) : null },
  };
}

function isWord(entry: Entry | undefined, word: string): boolean {
  return entry?.value.kind === 'text' && entry.value.value === word;
}
