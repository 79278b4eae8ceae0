import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore, tries } from '../../../test/depth.js';
import { core } from './engine.js';
import { laws } from './laws/index.js';

describe('law', () => {
  for (const { title, check } of laws) {
    it(title, async () => {
      const details = await check(core, explore(3000));
      expect(fc.defaultReportMessage(details) ?? 'no counterexample').toBe('no counterexample');
      expect(details.numRuns).toBeGreaterThanOrEqual(tries(3000));
    });
  }
});
