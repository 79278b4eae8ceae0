import { describe, expect, it } from 'vitest';
import { explore, some } from '../../../test/depth.js';
import { core } from './engine.js';
import { laws } from './laws/index.js';
import { restatement } from './laws/restatement.js';
import { mutants } from './mutants/index.js';
import { seed } from './seed.js';

const all = [...laws, restatement];

const lawWith = (words: string) => {
  const [found, ...others] = all.filter(({ title }) => title.includes(words));
  if (found === undefined || others.length > 0) throw new Error(`not one law says: ${words}`);
  return found;
};

describe('a broken engine in which', () => {
  it.each(some(mutants).map(({ mistake, engine, dies }) => [mistake, lawWith(dies), engine] as const))(
    '%s breaks its law',
    async (_, { check }, engine) => {
      const details = await check(engine(), { numRuns: 200_000, endOnFailure: true, seed });
      expect(details.failed).toBe(true);
    },
  );
});

describe('the table of broken engines', () => {
  it('has one for each law', () => {
    const dead = new Set(mutants.map(({ dies }) => lawWith(dies).title));
    expect(all.map(({ title }) => title).filter((title) => !dead.has(title))).toEqual([]);
    expect(new Set(mutants.map(({ mistake }) => mistake)).size).toBe(mutants.length);
  });

  it('is about laws that core keeps', async () => {
    const broken = await Promise.all(
      all.map(async ({ title, check }) => ((await check(core, explore(1000, seed))).failed ? title : null)),
    );
    expect(broken.filter((title) => title !== null)).toEqual([]);
  });
});
