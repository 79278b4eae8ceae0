import { parseTimestamp } from '@ambit/core';
import { quote } from '../text/escape.js';
import type { Grammar } from './grammar.js';
import { text } from './values.js';

/** Milliseconds since 1970. */
export const instant = instantIn(text);

export function instantIn(text: Grammar<string>): Grammar<number> {
  return {
    schema: {
      type: 'string',
      format: 'date-time',
      pattern: '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d)$',
    },
    read: (node, at) => {
      const written = text.read(node, at);
      const parsed = written === undefined ? null : parseTimestamp(written);
      if (parsed !== null || written === undefined) return parsed ?? undefined;
      return at.problems.add('BAD_TIME', node.span, {
        message: `${quote(written)} is not a date and time`,
        help: 'RFC 3339: 2026-11-20T10:00:00Z',
      });
    },
  };
}
