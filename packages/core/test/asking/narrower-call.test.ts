import { describe, expect, it } from 'vitest';
import type { Capability, Description } from '../../src/index.js';
import { no, policy, ruleAbout, type Setting, stage, yes } from '../guard/stage.js';

const named =
  'make a narrower call: name its files, without variables and without the output of a program; list them with a separate call first, and put `--` before text that may begin with a dash';

/** Blocks environment files, and is undecided where the file is unknown. */
const secrets = ruleAbout('fs.read', {
  decision: 'blocked',
  id: 'no-secrets',
  reason: 'secrets are not read',
  condition: ({ capability }) =>
    typeof capability.path === 'string'
      ? capability.path.includes('.env')
      : { undecided: 'fact `path` is unknown' },
});

const reads = (path: Capability['path']): Capability => ({ name: 'fs.read', path }) as Capability;

async function refusalOf(description: Description, rule = secrets, more: Setting = {}) {
  const { box } = stage({
    policies: [policy({ rules: [rule, ruleAbout('fs.read', { decision: 'pre_approved' })] })],
    tool: { describe: () => description },
    ...more,
  });
  const outcome = await box.call({ tool: 'put', args: { path: '/w/a' } });
  if (outcome.status !== 'refused') throw new Error(outcome.status);
  const { code, reason, instead } = outcome.refusal;
  return { code, reason, instead };
}

describe('a refusal by an undecided rule', () => {
  it('says that files are unknown, and suggests naming them', async () => {
    expect(await refusalOf({ capabilities: [reads({ paths: ['/w/a'], open: true })] })).toEqual({
      code: 'blocked',
      reason: 'secrets are not read: files that are not known before the call runs, besides 1 known one',
      instead: named,
    });
  });

  it('adds this suggestion to that of the rule', async () => {
    const rule = { ...secrets, instead: 'use the vault' };
    const refusal = await refusalOf({ capabilities: [reads({ paths: [], open: true })] }, rule);
    expect(refusal.instead).toBe(`use the vault; or ${named}`);
  });

  it('is added also where a rule blocks any file', async () => {
    const rule = { ...secrets, condition: () => true as const, instead: 'use the vault' };
    const refusal = await refusalOf({ capabilities: [reads({ paths: [], open: true })] }, rule);
    expect(refusal.instead).toBe(`use the vault; or ${named}`);
    const known = await refusalOf({ capabilities: [reads('/w/.env')] }, rule);
    expect(known.instead).toBe('use the vault');
  });

  it('says what is unknown about a program', async () => {
    const rule = ruleAbout('proc.exec.opaque', { decision: 'needs_approval', reason: 'it is unknown' });
    const description = { capabilities: [{ name: 'proc.exec.opaque', why: '`$v` may be any option' }] };
    expect(await refusalOf(description as Description, rule, { mode: 'strict' })).toMatchObject({
      reason: 'it is unknown: `$v` may be any option',
    });
  });

  it('names any other unknown fact', async () => {
    const rule = { ...secrets, condition: () => ({ undecided: 'no fact `bytes`' }) };
    expect(await refusalOf({ capabilities: [reads('/w/a')] }, rule)).toEqual({
      code: 'blocked',
      reason: 'secrets are not read: no fact `bytes`',
      instead: 'make a call in which this is known: no fact `bytes`',
    });
  });

  it('is the tool’s own refusal if the tool cannot name the file', async () => {
    const cannot = '`src/a.ts` begins with no root; did you mean `repo/src/a.ts`?';
    expect(await refusalOf({ capabilities: [{ name: 'fs.read' }], cannot })).toEqual({
      code: 'cannot',
      reason: cannot,
      instead: null,
    });
  });

  it.each<[string, Capability, typeof secrets]>([
    ['blocked for certain', reads('/w/.env'), secrets],
    [
      'blocked because another fact is unknown',
      reads('/w/a'),
      { ...secrets, condition: () => ({ undecided: 'no fact `bytes`' }) },
    ],
    [
      'about something other than a file',
      { name: 'net.connect' },
      { ...ruleAbout('net', { decision: 'blocked' }), condition: () => ({ undecided: 'no fact `host`' }) },
    ],
  ])('does not reveal what the tool found out if the call is %s', async (_, capability, rule) => {
    const refusal = await refusalOf({ capabilities: [capability], cannot: 'there is no such file' }, rule);
    expect(refusal.code).toBe('blocked');
    expect(JSON.stringify(refusal)).not.toContain('no such file');
  });
});

describe('a refusal because of some files of a set', () => {
  const set = (names: readonly string[]) => reads({ paths: names.map((name) => `/w/${name}`) });

  it('suggests which files to omit', async () => {
    expect(await refusalOf({ capabilities: [set(['a.ts', 'config/.env', 'src/b.ts'])] })).toEqual({
      code: 'blocked',
      reason: 'secrets are not read: config/.env (1 of 3 files)',
      instead: 'make a narrower call: leave out config/.env, or name the files that it needs',
    });
  });

  it('names the first three files if all are blocked', async () => {
    const refusal = await refusalOf({
      capabilities: [set(['.env', '.env.a', '.env.b', '.env.c', '.env.d'])],
    });
    expect(refusal.reason).toBe('secrets are not read: .env, .env.a, .env.b, … (5 of 5 files)');
    expect(refusal.instead).toBe(
      'make a narrower call: leave out .env, .env.a, .env.b and 2 more, or name the files that it needs',
    );
  });

  it('adds nothing to the suggestion of the rule', async () => {
    const rule = { ...secrets, instead: 'use the vault' };
    expect((await refusalOf({ capabilities: [set(['.env', 'a'])] }, rule)).instead).toBe('use the vault');
  });

  it('names a file that is refused alone, beside a set of all files', async () => {
    const secret = ruleAbout('secret.read', {
      decision: 'blocked',
      id: 'no-secrets',
      reason: 'secrets are not read',
    });
    const capabilities = [
      set(['a.ts', 'config/key', 'src/b.ts']),
      { name: 'secret.read', path: '/w/config/key' },
    ];
    const rules = [secret, ruleAbout('fs.read', { decision: 'pre_approved' })];
    const more: Setting = { policies: [policy({ rules })] };
    expect(await refusalOf({ capabilities } as Description, secret, more)).toEqual({
      code: 'blocked',
      reason: 'secrets are not read: config/key',
      instead: 'make a narrower call: leave out config/key, or name the files that it needs',
    });
    const single = [reads('/w/config/key'), { name: 'secret.read', path: '/w/config/key' }];
    expect(await refusalOf({ capabilities: single } as Description, secret, more)).toEqual({
      code: 'blocked',
      reason: 'secrets are not read',
      instead: null,
    });
  });

  it('suggests no part of a call that a person refused', async () => {
    const rule = { ...secrets, decision: 'needs_approval' } as const;
    const refusal = await refusalOf({ capabilities: [set(['.env', 'a'])] }, rule, { answers: [no] });
    expect(refusal).toMatchObject({ code: 'denied', instead: null });
  });
});

describe('a narrower second call', () => {
  it('is judged and asked about on its own after a person refused the first', async () => {
    const { box, asked, executed } = stage({
      answers: [no, yes],
      tool: {
        describe: ({ path }) => ({
          capabilities: [reads(path === '/w' ? { paths: [], open: true } : '/w/a')],
        }),
      },
    });
    expect(await box.call({ tool: 'put', args: { path: '/w' } })).toMatchObject({
      refusal: { code: 'denied' },
    });
    expect(await box.call({ tool: 'put', args: { path: '/w/a' } })).toMatchObject({ status: 'completed' });
    expect([asked.length, executed.length]).toEqual([2, 1]);
  });

  it('runs without a question if it is permitted with known files', async () => {
    const { box, asked } = stage({
      policies: [policy({ rules: [secrets, ruleAbout('fs.read', { decision: 'pre_approved' })] })],
      tool: {
        describe: ({ path }) => ({
          capabilities: [reads(path === '/w' ? { paths: [], open: true } : '/w/a')],
        }),
      },
    });
    expect(await box.call({ tool: 'put', args: { path: '/w' } })).toMatchObject({
      refusal: { code: 'blocked' },
    });
    expect(await box.call({ tool: 'put', args: { path: '/w/a' } })).toMatchObject({ status: 'completed' });
    expect(asked).toEqual([]);
  });
});
