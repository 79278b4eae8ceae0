import { defaultAdmission, type Policy } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { open } from '../../src/index.js';
import { calls, callsIn, openAt, out, runAt, worker, workplace, write } from '../session.js';

const files = {
  'policy.yaml': { version: 1, default: 'pre_approved' },
  'main.worker': worker({ sandbox: out, toolsets: { filesystem: {} } }),
  'script.yaml': { main: [calls(write('out/a')), { say: 'done' }] },
} as const;

const own: Policy = {
  name: 'own',
  default: { decision: 'needs_approval', answer: 'any' },
  rules: [],
  carries: [],
  admits: defaultAdmission,
};

const rule = {
  about: 'capability',
  name: 'fs.write',
  below: false,
  id: 'r',
  at: 'program.ts:1:1',
  decision: 'blocked',
  answer: 'any',
  reason: null,
  instead: null,
  worker: null,
  inherit: true,
  observe: false,
  condition: () => true,
} as const;

/** Every problem of `open`, as a text. */
async function problemsOf(options: object): Promise<readonly string[]> {
  const opened = await openAt(workplace(files), options as never);
  if (opened.ok) await opened.session.close();
  return opened.ok ? ['opened'] : opened.problems.map(({ code, message }) => `${code} ${message}`);
}

describe('options from an untyped program', () => {
  it.each<readonly [string, object, readonly string[]]>([
    [
      'a misspelled decision, a text as the default and as workers',
      {
        policies: [
          { ...own, rules: [{ ...rule, decision: 'block' }] },
          { ...own, name: 'other', default: 'blocked' },
          { ...own, name: 'third', admits: { ...defaultAdmission, workers: 'plain.echoes' } },
        ],
      },
      [
        'BAD_POLICY policy `own`, `rules[0].decision`: `block` is not a decision',
        'BAD_POLICY policy `other`, `default`: `blocked` is not an object',
        'BAD_POLICY policy `third`, `admits.workers`: `plain.echoes` is not true, false or a list of tools',
      ],
    ],
    [
      'an invalid policy',
      { policies: [null] },
      ['BAD_POLICY policy 1 of those made in code: `null` is not an object'],
    ],
    ['policies that are not a list', { policies: own }, ['BAD_OPTION `policies` is not a list of policies']],
    [
      'a symbol as the mode',
      { mode: Symbol('strict') },
      ['BAD_MODE a value of the type symbol is not a mode'],
    ],
    [
      'an approver that cannot be asked',
      { approver: { ask: 'yes' } },
      ['BAD_APPROVER `approver` must be null or have a function `ask`'],
    ],
    [
      'an option with a slip, and one of another kind',
      { approvr: null, park: 'yes' },
      ['BAD_OPTION unknown option `approvr`', 'BAD_OPTION `park` is not true or false'],
    ],
    [
      'a context that is not plain JSON',
      { context: { at: new Date(0) } },
      ['BAD_OPTION `context` is not an object of plain JSON values'],
    ],
  ])('are reported with a problem for each mistake: %s', async (_, options, expected) => {
    expect(await problemsOf(options)).toEqual(expected);
  });

  it('may be missing entirely', async () => {
    const opened = await open({} as never);
    expect(opened.ok ? [] : opened.problems.map(({ code }) => code)).toEqual([
      'BAD_OPTION',
      'BAD_OPTION',
      'BAD_OPTION',
      'BAD_MODE',
    ]);
  });

  it('are fixed when the run is opened, whatever the program changes later', async () => {
    const changing = { ...own, rules: [{ ...rule }] as { decision: string }[] };
    const place = workplace(files);
    const options = { policies: [changing], mode: 'approve_all' as const };
    const opening = openAt(place, options as never);
    changing.rules = [];
    const opened = await opening;
    if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
    (options.policies as unknown[]).length = 0;
    await opened.session.run({});
    await opened.session.close();
    expect(place.text('out/a')).toBeNull();
  });

  it('judge beside files', async () => {
    const place = workplace(files);
    const ran = await runAt(place, {
      policies: ['policy.yaml', { ...own, rules: [rule] }],
      mode: 'approve_all',
    });
    expect(callsIn(ran.events)).toEqual([['main', 'filesystem.write_file', 'blocked', 'blocked']]);
  });
});
