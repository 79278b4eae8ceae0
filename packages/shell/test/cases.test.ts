import { describe, expect, test } from 'vitest';
import { casesOf } from './cases.js';
import { commandOf, type Row, reported, score } from './reference.js';

const rows = casesOf<Row>('shell.jsonl');

describe.skipIf(rows.length === 0)(
  'shell.run › the labelled command lines (skipped where ../shared/cases is missing)',
  () => {
    test.each(rows.map((row) => [row.id, row] as const))('%s', async (_, row) => {
      const { cwd, home } = row;
      const capabilities = await reported(commandOf(row), { cwd, home });
      const { is_sound, is_precise, ...rest } = score(row, capabilities);
      if (row.arguable === true) return;
      expect({ is_sound, is_precise, ...(is_sound && is_precise ? {} : { ...rest, capabilities }) }).toEqual({
        is_sound: true,
        is_precise: true,
      });
    });
  },
);
