import { describe, expect, it } from 'vitest';
import { diagnosticSections } from '../../../../test/diagnostics.js';
import { diagnosticCodes } from '../../src/text/codes.js';

describe('docs/diagnostics.md', () => {
  it('has a section for each code, in alphabetical order, and no other', () => {
    expect(diagnosticSections.map(({ code }) => code)).toEqual([...diagnosticCodes].sort());
  });
});
