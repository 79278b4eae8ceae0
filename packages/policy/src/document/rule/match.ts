import { isNonEmpty } from '@ambit/core';
import type { FactPatterns, Match } from '../../condition/pattern.js';
import { patternsSchema, readPatterns } from '../../condition/read-pattern.js';
import type { Grammar } from '../../grammar/grammar.js';
import { nearFact } from '../../grammar/names.js';
import { expectKind, type Reading, type Reporting } from '../../grammar/reading.js';
import { quote } from '../../text/escape.js';
import type { Entry } from '../../text/tree.js';

export const match: Grammar<Match, Reading & { readonly capability: string | null }> = {
  schema: {
    type: 'object',
    additionalProperties: patternsSchema,
    description: 'patterns by fact; all must match',
  },
  read: (node, at) => {
    const map = expectKind(node, ['map'], at);
    const facts = (map?.entries ?? []).map((fact) => readFact(fact, at.capability ?? '', at));
    const read = facts.filter((fact) => fact !== undefined);
    return isNonEmpty(read) && read.length === facts.length ? read : undefined;
  },
};

function readFact(entry: Entry, capability: string, reading: Reading): FactPatterns | undefined {
  const isFact = checkFactName(entry, capability, reading);
  // A misspelled name is read as the intended one, so its pattern is checked against that.
  const fact = nearFact(entry.key, capability) ?? entry.key;
  const patterns = readPatterns(entry.value, { fact, capability, reading });
  return isFact && patterns !== undefined ? { fact: entry.key, patterns } : undefined;
}

/** Reports a name that cannot be a fact, or that differs from a fact by one letter. */
export function checkFactName({ key, keySpan }: Entry, capability: string, { problems }: Reporting): boolean {
  if (key === 'name' || key.trim() === '') {
    problems.add('BAD_FACT', keySpan, {
      message: `unknown fact ${quote(key)}`,
      help: key === 'name' ? 'the key above a rule names its capability' : null,
    });
    return false;
  }
  const near = nearFact(key, capability);
  if (near === null) return true;
  problems.add('UNKNOWN_FACT', keySpan, {
    message: `${quote(key)} is not a fact of \`${capability}\``,
    help: `did you mean \`${near}\`?`,
  });
  return false;
}
