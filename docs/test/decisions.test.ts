import { describe, expect, it } from 'vitest';
import { documents } from './documents.js';

const records = documents().filter(({ path }) => path.startsWith('docs/decisions/0'));

describe('a record of a decision', () => {
  it('exists for each of the large choices, numbered without a gap', () => {
    const numbers = records.map(({ path }) => Number(path.slice('docs/decisions/'.length).slice(0, 4)));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(numbers.length).toBeGreaterThan(10);
  });

  it.each(records)(
    '$path says when, why, what else there was, what was chosen, and what follows',
    ({ text }) => {
      const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
      expect(text).toMatch(/^# \d+\. \S.*\n\nDate: \d{4}-\d{2}-\d{2}\n/);
      expect(headings).toEqual(['Context', 'Alternatives', 'Choice', 'Consequences']);
    },
  );
});
