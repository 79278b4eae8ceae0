import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { guardedInOneCall, guardedMembers } from '../../src/places/guarded.js';

function folder(): string {
  const made = temporaryFolder('guarded-');
  for (const name of ['one', 'other']) mkdirSync(join(made, name));
  return made;
}

describe('a guarded place behind a link that changes', () => {
  it('is found where the link leads now, but in one call where it led first', () => {
    const at = folder();
    const [link, ...targets] = ['link', 'one/policy.yaml', 'other/policy.yaml'].map((name) => join(at, name));
    const lead = (to: string) => {
      rmSync(link as string, { force: true });
      symlinkSync(to, link as string);
    };
    const places = [{ path: join(link as string, 'policy.yaml'), what: 'policy file' }];
    const inOneCall = guardedInOneCall(places);
    const isGuarded = (of: typeof places | typeof inOneCall) =>
      targets.map((path) => guardedMembers([path], of).length > 0);
    lead('one');
    expect([isGuarded(places), isGuarded(inOneCall)]).toEqual([
      [true, false],
      [true, false],
    ]);
    lead('other');
    expect([isGuarded(places), isGuarded(inOneCall)]).toEqual([
      [false, true],
      [true, false],
    ]);
    expect(isGuarded(guardedInOneCall(places))).toEqual([false, true]);
  });
});
