import { realpathSync } from 'node:fs';
import type { LogEvent } from '@ambit/core';
import { expect, it } from 'vitest';
import { newerPolicies } from '../../src/policies/newer-policies.js';
import { readPolicies } from '../../src/policies/read-policies.js';
import { workplace, writeFiles } from '../session.js';

it('a changed policy that could not be recorded judges from the next call on', async () => {
  const place = workplace({ 'policy.yaml': { version: 1, default: 'needs_approval' } });
  const root = realpathSync(place.root);
  const folders = { root, home: root };
  const given = ['policy.yaml'];
  const { files } = await readPolicies(given, folders);
  const logged: LogEvent[] = [];
  let isFull = true;
  const append = async (events: readonly LogEvent[]) => {
    if (isFull) throw new Error('the disk is full');
    logged.push(...events);
  };
  const newer = newerPolicies({
    given,
    added: [],
    folders,
    files,
    reloads: 0,
    log: { append },
  });
  writeFiles(place, { 'policy.yaml': { version: 1, default: 'blocked' } });
  await expect(newer()).rejects.toThrow('the disk is full');
  isFull = false;
  expect(await newer()).toMatchObject([{ name: 'policy.yaml (reload 1)', default: { decision: 'blocked' } }]);
  expect(logged).toMatchObject([{ event: 'policy', files: [{ name: 'policy.yaml' }] }]);
  expect(await newer()).toEqual([]);
});
