import { describe, expect, it } from 'vitest';
import {
  type Admission,
  type Answer,
  type Capability,
  defaultAdmission,
  delegate,
  guard,
  type Reach,
  type Remember,
} from '../../src/index.js';
import {
  answering,
  boxOf,
  no,
  policy,
  ruleAbout,
  type Setting,
  stage,
  standing,
  write,
} from '../guard/stage.js';
import { MemoryKeeper } from './memory-keeper.js';

type Keep = NonNullable<Extract<Answer, { answer: 'approve' }>['keep']>;

const keeping = (keep: Keep) => answering({ answer: 'approve', person: 'ann', keep });

const under = (admits: Partial<Admission>) =>
  [policy({ admits: { ...defaultAdmission, ...admits } })] as const;

/** Makes one call that is approved and kept, then another; whether a person was asked about the second. */
const isAskedAgain = async (keep: Keep, calls: readonly [unknown, unknown], setting: Setting = {}) => {
  const { box, asked } = stage({
    policies: under({ remember: 'always', reach: 'capability' }),
    answers: [keeping(keep), no],
    ...setting,
  });
  for (const args of calls) await box.call({ tool: 'put', args });
  return asked.length > 1;
};

describe('a kept answer', () => {
  it('names the file that ended it, in the next question', async () => {
    let sha256 = '1';
    const files = () => [{ path: '/w/package.json', sha256 }];
    const { box, asked } = stage({
      policies: under({ remember: 'always', reach: 'capability' }),
      answers: [keeping({ remember: 'run', reach: 'arguments' }), no],
      tool: {
        describe: () => ({ capabilities: [{ name: 'proc.exec.opaque', program: 'npm', files: files() }] }),
      },
    });
    for (const now of ['1', '1', '2']) {
      sha256 = now;
      await box.call({ tool: 'put', args: { path: '/w/a' } });
    }
    expect(asked.map(({ again }) => again)).toEqual([
      null,
      'the answer that ann kept for this call ended when /w/package.json changed',
    ]);
  });

  it('names the script that ended it, in the next question', async () => {
    let sha256 = '1';
    const { box, asked } = stage({
      policies: under({ remember: 'always', reach: 'capability' }),
      answers: [keeping({ remember: 'run', reach: 'arguments' }), no],
      tool: { describe: () => ({ capabilities: [{ name: 'code.load', path: '/w/build.sh', sha256 }] }) },
    });
    for (const now of ['1', '1', '2']) {
      sha256 = now;
      await box.call({ tool: 'put', args: { path: '/w/a' } });
    }
    expect(asked.map(({ again }) => again)).toEqual([
      null,
      'the answer that ann kept for this call ended when /w/build.sh changed',
    ]);
  });

  it.each(['interactive', 'strict'] as const)(
    'names the file that ended it, in a refusal without an answer: %s',
    async (mode) => {
      const keeper = new MemoryKeeper();
      const setting = (sha256: string): Setting => ({
        policies: under({ remember: 'always', reach: 'capability' }),
        options: { keeper },
        tool: { describe: () => ({ capabilities: [{ name: 'code.load', path: '/w/build.sh', sha256 }] }) },
      });
      const call = { tool: 'put', args: { path: '/w/a' } };
      const keep = keeping({ remember: 'always', reach: 'arguments' });
      await stage({ ...setting('1'), answers: [keep] }).box.call(call);
      const gone = () => Promise.reject(new Error('nobody is there'));
      const later = stage({ ...setting('2'), mode, ...(mode === 'interactive' && { answers: [gone] }) });
      expect(await later.box.call(call)).toMatchObject({
        refusal: {
          code: mode === 'strict' ? 'strict' : 'unanswered',
          reason: expect.stringMatching(/; the answer that ann kept .* ended when \/w\/build\.sh changed$/),
        },
      });
    },
  );

  it.each<readonly [Reach, string, boolean]>([
    ['arguments', '/w/a', false],
    ['arguments', '/w/b', true],
    ['file', '/w/a', false],
    ['file', '/w/b', true],
    ['folder', '/w/b', false],
    ['folder', '/w/deep/c', false],
    ['folder', '/work', true],
    ['folder', '/w', true],
    ['folder', '/w/../etc/passwd', true],
    ['folder', '/w/./b', true],
    ['folder', '/w//b', true],
    ['program', '/w/b', false],
    ['program', '/etc/passwd', true],
    ['capability', '/etc/passwd', false],
  ])('with the reach %s has the call about %s asked about again: %s', async (reach, path, isAsked) => {
    if (reach === 'call') throw new Error('not kept');
    expect(await isAskedAgain({ remember: 'run', reach }, [{ path: '/w/a' }, { path }])).toBe(isAsked);
  });

  it('for the same arguments covers the same call after the file was created', async () => {
    let exists = false;
    const tool: Setting['tool'] = {
      describe: () => ({ capabilities: [{ ...write('/w/a'), exists }] }),
      execute: () => {
        exists = true;
        return null;
      },
    };
    const twice = [{ path: '/w/a' }, { path: '/w/a' }] as const;
    expect(await isAskedAgain({ remember: 'run', reach: 'arguments' }, twice, { tool })).toBe(false);
  });

  it('for the same arguments does not cover other arguments with the same effect', async () => {
    const calls = [
      { path: '/w/a', text: 'x' },
      { path: '/w/a', text: 'y' },
    ] as const;
    expect(await isAskedAgain({ remember: 'run', reach: 'arguments' }, calls)).toBe(true);
    expect(await isAskedAgain({ remember: 'run', reach: 'file' }, calls)).toBe(false);
  });

  it('covers no other capability, whatever its reach', async () => {
    const describe = ({ path }: { path?: unknown }): { capabilities: Capability[] } => ({
      capabilities: [{ name: path === '/w/a' ? 'fs.write' : 'fs.write.outside', path: '/w/a' }],
    });
    expect(
      await isAskedAgain({ remember: 'run', reach: 'capability' }, [{ path: '/w/a' }, { path: '/w/b' }], {
        tool: { describe },
      }),
    ).toBe(true);
  });

  it.each<readonly [Remember, Reach, Keep | null]>([
    ['always', 'capability', { remember: 'always', reach: 'capability' }],
    ['run', 'capability', { remember: 'run', reach: 'capability' }],
    ['always', 'file', { remember: 'always', reach: 'file' }],
    ['run', 'arguments', { remember: 'run', reach: 'arguments' }],
    ['call', 'capability', null],
    ['always', 'call', null],
  ])('with the widest request is cut down to %s and %s', async (remember, reach, kept) => {
    const keeper = new MemoryKeeper();
    const { box, run, log, asked } = stage({
      policies: under({ remember, reach }),
      answers: [keeping({ remember: 'always', reach: 'capability' })],
      options: { keeper },
    });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(
      [...run.asker.memory.kept, ...keeper.answers].map((one) => ({
        remember: one.remember,
        reach: one.reach,
      })),
    ).toEqual(kept === null ? [] : [kept]);
    expect(log.of('approval')).toMatchObject([{ approved: true, keep: kept }]);
    expect(asked).toMatchObject([{ keep: kept }]);
  });

  it('is cut down to the narrowest limit of the asking policies', async () => {
    const narrow = policy({
      name: 'narrow.yaml',
      admits: { ...defaultAdmission, remember: 'run', reach: 'file' },
    });
    const { box, run } = stage({
      policies: [...under({ remember: 'always', reach: 'capability' }), narrow],
      answers: [keeping({ remember: 'always', reach: 'capability' })],
    });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(run.asker.memory.kept).toMatchObject([{ remember: 'run', reach: 'file' }]);
  });

  it('is not kept if one of the questions requires a person', async () => {
    const { box, run, executed } = stage({
      policies: [policy(), policy({ name: 'p.yaml', rules: [ruleAbout('fs', { answer: 'person' })] })],
      answers: [keeping({ remember: 'run', reach: 'file' })],
    });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect([run.asker.memory.kept, executed.length]).toEqual([[], 1]);
  });

  it('does not answer a later question of another policy that requires a person', async () => {
    const later = ruleAbout('fs', { answer: 'person', condition: ({ args }) => args.text === 'more' });
    const { box, asked, executed } = stage({
      policies: [policy({ rules: [later] })],
      answers: [keeping({ remember: 'run', reach: 'file' }), no],
    });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    await box.call({ tool: 'put', args: { path: '/w/a', text: 'more' } });
    expect([asked.length, executed.length]).toEqual([2, 1]);
  });

  it('does not permit a call that became blocked', async () => {
    const later = ruleAbout('fs', { decision: 'blocked', condition: ({ args }) => args.text === 'more' });
    const { box, executed } = stage({
      policies: [policy({ rules: [later] })],
      answers: [keeping({ remember: 'run', reach: 'folder' })],
    });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    expect(await box.call({ tool: 'put', args: { path: '/w/a', text: 'more' } })).toMatchObject({
      refusal: { code: 'blocked' },
    });
    expect(executed).toHaveLength(1);
  });

  it('does not cover a delegate or another tool', async () => {
    const { box, authority, asked } = stage({ answers: [keeping({ remember: 'run', reach: 'folder' }), no] });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    const helpers = guard(boxOf([]), delegate(authority, 'helper'));
    await helpers.call({ tool: 'put', args: { path: '/w/a' } });
    const others = guard(boxOf([], { name: 'take' }), authority);
    await others.call({ tool: 'take', args: { path: '/w/a' } });
    expect(asked.map(({ chain, tool }) => [chain, tool])).toEqual([
      [['main'], 'box.put'],
      [['main', 'helper'], 'box.put'],
      [['main'], 'box.take'],
    ]);
  });

  it('is credited with the id of the answer in the log', async () => {
    const { box, log } = stage({ answers: [keeping({ remember: 'run', reach: 'file' })] });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    await box.call({ tool: 'put', args: { path: '/w/a' } });
    const [person, grant] = log.of('approval');
    expect(person).toMatchObject({ how: 'person', who: { person: 'ann', approval: 'id-2' } });
    expect(grant).toMatchObject({ how: 'grant', who: [{ by: 'kept', approval: 'id-2', person: 'ann' }] });
  });
});

describe('a standing grant', () => {
  it("answers its own policy's questions, and no other's", async () => {
    const granting = policy({ rules: [standing('box.*')] });
    const alone = stage({ policies: [granting], mode: 'strict' });
    expect((await alone.box.call({ tool: 'put', args: { path: '/w/a' } })).status).toBe('completed');
    const beside = stage({ policies: [granting, policy({ name: 'other.yaml' })], mode: 'strict' });
    expect(await beside.box.call({ tool: 'put', args: { path: '/w/a' } })).toMatchObject({
      refusal: { code: 'strict' },
    });
    expect(beside.run.history).toEqual([]);
  });

  it('does not cover other capabilities of the same call', async () => {
    const { box } = stage({
      policies: [policy({ rules: [standing('box.put'), ruleAbout('net', { decision: 'blocked' })] })],
      tool: { describe: () => ({ capabilities: [write('/w/a'), { name: 'net.connect' }] }) },
    });
    expect(await box.call({ tool: 'put', args: { path: '/w/a' } })).toMatchObject({
      refusal: { code: 'blocked' },
    });
  });
});
