import { createEngine } from '@ambit/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { core, type Engine } from '../../../core/test/engine.js';
import { lawsOfDeciding } from '../../../core/test/laws/of-deciding.js';
import { lawsOfGrants } from '../../../core/test/laws/of-grants.js';
import { lawsOfFileSets } from '../../../core/test/laws/of-sets.js';

describe('the fast engine keeps the law', () => {
  const fast: Engine = { ...core, decide: createEngine().decide };

  it.each(
    [...lawsOfDeciding, ...lawsOfFileSets, ...lawsOfGrants].map(
      ({ title, check }) => [title, check] as const,
    ),
  )(
    '%s',
    async (_, check) => {
      const details = await check(fast, explore(400));
      expect(fc.defaultReportMessage(details) ?? 'no counterexample').toBe('no counterexample');
    },
    600_000,
  );
});
