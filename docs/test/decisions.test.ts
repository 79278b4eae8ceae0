import { describe, expect, it } from 'vitest';
import { documents } from './documents.js';

const records = documents().filter(({ path }) => path.startsWith('docs/decisions/0'));

describe('a decision record', () => {
  it('exists for each major choice, numbered without gaps', () => {
    const numbers = records.map(({ path }) => Number(path.slice('docs/decisions/'.length).slice(0, 4)));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(numbers.length).toBeGreaterThan(10);
  });

  it.each(records)('$path has a date, context, alternatives, decision and consequences', ({ text }) => {
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(text).toMatch(/^# \d+\. \S.*\n\nDate: \d{4}-\d{2}-\d{2}\n/);
    expect(headings).toEqual(['Context', 'Alternatives', 'Choice', 'Consequences']);
  });
});
