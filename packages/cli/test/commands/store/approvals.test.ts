import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { openStateFolder } from '@ambit/runtime';
import { beforeEach, describe, expect, it } from 'vitest';
import { questionText } from '../../../src/questions/question-text.js';
import { ambit } from '../../host.js';
import { question } from '../../questions/question.js';
import { asked, StoredPlace, storedRun } from './stored.js';

const person = userInfo().username;
const digest = 'd'.repeat(64);

let place: StoredPlace;
beforeEach(() => {
  place = new StoredPlace();
});

/** The answer in the store, or null. */
const answerTo = (id: string) => place.read(async (store) => (await store.question(id))?.answer ?? null);

describe('ambit approvals list', () => {
  it('shows waiting questions, oldest first, and all on demand', async () => {
    await place.filled(async (store) => {
      const shell = { tool: 'shell.run', chain: ['main'] as const, args: { command: 'make all\n./run' } };
      await store.ask(asked('q1'));
      await store.ask(asked('q2', { ...shell, calls: ['c1', 'c2'] }));
      await store.ask(asked('q3'));
      await store.ask(asked('q6', { tool: 'mcp-tiny.echo', args: { text: 'hey' } }));
      await store.ask(asked('q4'));
      await store.ask(asked('q5'));
      const keep = { remember: 'always', reach: 'file', until: 0 } as const;
      await store.answer('q5', { digest, answer: { answer: 'approve', person: 'bob', keep }, at: 1 });
      await store.answer('q3', { digest, answer: { answer: 'refuse', person: 'bob', note: 'no' }, at: 1 });
      await store.withdraw('q4', 1);
    });
    const waiting = await place.ambit('approvals', 'list');
    expect({ ...waiting, out: waiting.out.replace(/asked \d+ \w+ ago/g, 'asked some time ago') }).toEqual({
      exit: 0,
      out: `q1  waiting, asked some time ago, run r1
  orchestrator › evaluator wants to call filesystem.write_file
  to write /work/out/a.md

q2  waiting, asked some time ago, run r1
  main wants to call shell.run, 2 times: an answer is for all of them: make
  all\\u{a}./run
  to write /work/out/a.md

q6  waiting, asked some time ago, run r1
  orchestrator › evaluator wants to call mcp-tiny.echo
  to write /work/out/a.md

`,
      err: 'ambit approvals show ID; then approve ID, or deny ID\n',
    });
    const all = await place.ambit('approvals', 'list', '--all');
    expect(all.out.match(/^q.*(?=, asked)/gm)).toEqual([
      'q1  waiting',
      'q2  waiting',
      'q3  refused by bob: no',
      'q6  waiting',
      'q4  withdrawn',
      'q5  approved by bob, kept (always, file, until 1970-01-01T00:00:00.000Z)',
    ]);
  });

  it('gives one JSON document', async () => {
    await place.filled((store) => store.ask(asked('q1')));
    const { exit, out, err } = await place.ambit('approvals', 'list', '--json');
    expect([exit, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual({
      questions: [
        {
          id: 'q1',
          run: 'r1',
          state: 'waiting',
          asked: asked('q1').asked,
          closed: null,
          digest,
          answer: null,
          question: { ...question, id: 'q1' },
        },
      ],
    });
  });

  it('reports that nothing waits, and creates no folder', async () => {
    expect(await place.ambit('approvals', 'list')).toEqual({
      exit: 0,
      out: '',
      err: 'no open questions here\n',
    });
    expect(await place.ambit('approvals', 'list', '--json')).toEqual({
      exit: 0,
      out: '{"questions":[]}\n',
      err: '',
    });
    await expect(place.read(async (store) => (await store.questions()).length)).resolves.toBe(0);
  });

  it.each([
    ['client', 2, true],
    ['client', 1, false],
    ['interactive', 2, false],
  ])('says of a session (%s) with %i calls that they end each other: %s', async (mode, count, isSaid) => {
    await place.filled(async (store) => {
      await store.begin(storedRun('r1', { mode }));
      for (const id of ['q1', 'q2'].slice(0, count)) await store.ask(asked(id));
    });
    const { err } = await place.ambit('approvals', 'list');
    expect(err.includes('a call that changes something ends the other approvals')).toBe(isSaid);
  });

  it('approves only at a terminal', async () => {
    await place.filled(async (store) => {
      await store.begin(storedRun('r1'));
      await store.ask(asked('q1'));
    });
    const { exit, err } = await ambit(['approvals', 'approve', 'q1'], {
      folder: place.root,
      environment: place.environment,
    });
    expect([exit, err]).toEqual([
      2,
      'ambit: cannot ask: stdin and stderr are not a terminal; nothing was changed\nhint: run this in a terminal yourself\n',
    ]);
    expect(await answerTo('q1')).toBeNull();
  });

  it('prints no control or invisible characters', async () => {
    const evil = '\u001b[2J\u202e';
    await place.filled((store) =>
      store.ask(
        asked('q1', { capabilities: [{ capability: { name: 'fs.write' }, words: evil }], tool: evil }),
      ),
    );
    for (const argv of [
      ['list'],
      ['show', 'q1'],
      ['list', '--json'],
      ['show', 'q1', '--json'],
      ['approve', 'q1'],
    ]) {
      const { out } = await place.ambit('approvals', ...argv);
      expect(out).not.toContain('\u001b');
      expect(out).not.toContain('\u202e');
    }
  });

  it('names the damaged store', async () => {
    const folder = await openStateFolder(place.environment, place.root);
    writeFileSync(join(folder, 'runs.db'), 'no database\n'.repeat(999), { mode: 0o600 });
    const { exit, out, err } = await place.ambit('approvals', 'list');
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain(`${join(folder, 'runs.db')} is damaged`);
  });

  it('reads no file of the working folder', async () => {
    mkdirSync(join(place.root, '.ambit'));
    writeFileSync(join(place.root, '.ambit', 'runs.db'), 'brought by a checkout');
    expect((await place.ambit('approvals', 'list')).exit).toBe(0);
  });
});

describe('ambit approvals show', () => {
  it('shows a question exactly as its terminal does, and how to answer it', async () => {
    const long = { args: { content: Array.from({ length: 60 }, (_, line) => `line ${line}`) } };
    await place.filled((store) => store.ask(asked('q1', long)));
    const { exit, out, err } = await place.ambit('approvals', 'show', 'q1');
    const shown = questionText({ ...question, ...long, id: 'q1' }, { width: 80, colour: false, whole: true });
    expect([exit, err]).toEqual([0, '']);
    expect(out.startsWith(shown)).toBe(true);
    expect(out.slice(shown.length)).toMatch(
      /\nAsked 2026-11-21T10:00:00\.000Z by the run r1\. To answer:\n {2}ambit approvals approve q1 --digest dddddddddddd\n {2}ambit approvals deny q1 --digest dddddddddddd --note TEXT\n {2}and with approve, to keep the answer: --keep run\n {2}which covers later calls of filesystem\.write_file by orchestrator › evaluator\n {4}--reach arguments {2}\S/,
    );
  });

  it('shows the answer of a closed question', async () => {
    await place.filled(async (store) => {
      await store.ask(asked('q1', { keep: null }));
      await store.answer('q1', { digest, answer: { answer: 'approve', person: 'bob' }, at: 0 });
    });
    const { out } = await place.ambit('approvals', 'show', 'q1');
    expect(out.trimEnd().split('\n').at(-1)).toBe('approved by bob, 1970-01-01T00:00:00.000Z');
  });

  it('accepts a unique prefix of an id, and suggests others', async () => {
    await place.filled(async (store) => {
      for (const id of ['m9x-aa.1', 'm9x-ab.1', 'm9y.1', 'm9y.10']) await store.ask(asked(id));
    });
    const id = async (wanted: string) => {
      const { exit, out, err } = await place.ambit('approvals', 'show', wanted, '--json');
      if (exit === 0) return (JSON.parse(out) as { id: string }).id;
      const { error } = JSON.parse(out) as { error: unknown };
      return [exit, error, err];
    };
    expect(await id('m9x-aa')).toBe('m9x-aa.1');
    // An id that is the beginning of another is still an id.
    expect(await id('m9y.1')).toBe('m9y.1');
    expect(await id('m9x')).toEqual([
      2,
      { message: '2 questions begin with `m9x`', hint: 'one of m9x-aa.1, m9x-ab.1' },
      'ambit: 2 questions begin with `m9x`\nhint: one of m9x-aa.1, m9x-ab.1\n',
    ]);
    expect(await id('m9x-ad')).toEqual([
      2,
      { message: 'there is no question `m9x-ad` here', hint: 'did you mean m9x-aa.1 or m9x-ab.1?' },
      'ambit: there is no question `m9x-ad` here\nhint: did you mean m9x-aa.1 or m9x-ab.1?\n',
    ]);
    expect(await id('zzz')).toEqual([
      2,
      { message: 'there is no question `zzz` here', hint: 'ambit approvals list --all' },
      'ambit: there is no question `zzz` here\nhint: ambit approvals list --all\n',
    ]);
    expect((await id(''))[2]).toBe('ambit: the argument ID is empty\nhint: ambit approvals show --help\n');
  });
});

describe('ambit approvals approve', () => {
  beforeEach(() => place.filled((store) => store.ask(asked('q1'))));

  it('answers in the name of the user of the operating system', async () => {
    expect(await place.ambit('approvals', 'approve', 'q1')).toEqual({
      exit: 0,
      out: `approved by ${person}\n`,
      err: '',
    });
    expect(await answerTo('q1')).toEqual({ answer: 'approve', person });
  });

  it('gives one JSON document', async () => {
    const { exit, out } = await place.ambit('approvals', 'approve', 'q1', '--json');
    expect([exit, JSON.parse(out)]).toEqual([
      0,
      { id: 'q1', run: 'r1', taken: 'taken', answer: { answer: 'approve', person } },
    ]);
  });

  it.each(['finished', 'stopped'] as const)('does not suggest to resume a run that is %s', async (status) => {
    await place.filled(async (store) => {
      await store.begin(storedRun('r1'));
      await store.setStatus('r1', status, Date.now());
    });
    expect((await place.ambit('approvals', 'approve', 'q1')).out).toBe(`approved by ${person}\n`);
  });

  it('says how to resume the run', async () => {
    await place.filled((store) => store.begin(storedRun('r1')));
    expect((await place.ambit('approvals', 'approve', 'q1')).out).toBe(
      `approved by ${person}\nambit run --resume r1 resumes it\n`,
    );
  });

  it.each([
    [
      'approve',
      '\nif it was refused meanwhile, the agent must make the same call again, within ten minutes\n',
    ],
    ['deny', '\n'],
  ])('says whether the agent of a hook must call again: %s', async (verb, end) => {
    await place.filled((store) => store.begin({ ...storedRun('r1'), mode: 'client' }));
    const { out } = await place.ambit('approvals', verb, 'q1');
    expect(out.slice(out.indexOf('\n'))).toBe(end);
  });

  it('can edit the arguments', async () => {
    const args = '{"path": "out/b.md", "__proto__": 1}';
    expect((await place.ambit('approvals', 'approve', 'q1', '--args', args)).exit).toBe(0);
    expect(await answerTo('q1')).toEqual({ answer: 'approve', person, args: JSON.parse(args) });
  });

  it.each([
    [['--keep', 'run'], { remember: 'run', reach: 'arguments' }],
    [['--keep', 'run', '--reach', 'file'], { remember: 'run', reach: 'file' }],
    [['--keep', 'run', '--reach', 'folder'], { remember: 'run', reach: 'folder' }],
    [
      ['--keep', 'run', '--reach', 'file', '--until', '2999-01-01T00:00:00Z'],
      { remember: 'run', reach: 'file', until: Date.UTC(2999, 0) },
    ],
  ])('keeps the answer with %j', async (flags, keep) => {
    expect((await place.ambit('approvals', 'approve', 'q1', ...flags)).exit).toBe(0);
    expect(await answerTo('q1')).toEqual({ answer: 'approve', person, keep });
  });

  it.each([
    [['--keep', 'always'], 'the policies that ask let an answer be kept for the run at most'],
    [['--keep', 'run', '--reach', 'capability'], 'cannot be kept as far as `capability`'],
    [['--keep', 'run', '--reach', 'call'], 'cannot be kept as far as `call`'],
    [['--keep', 'run', '--reach', 'everything'], 'one of arguments, file, folder'],
    [['--keep', 'run', '--until', '2001-01-01T00:00:00Z'], '--until is in the past'],
    [['--keep', 'run', '--until', 'tomorrow'], 'Expected a date'],
    [['--keep', 'forever'], 'Allowed choices are run, always'],
    [['--reach', 'file'], '--reach and --until say how an answer is kept'],
    [['--until', '2999-01-01T00:00:00Z'], '--reach and --until say how an answer is kept'],
    [['--args', '{"path": "a"}', '--keep', 'run'], 'holds for this call alone'],
    [['--args', '[1]'], '--args is not a JSON object'],
    [['--args', '{'], '--args is not JSON'],
    [['--digest', 'zz'], 'Expected a digest in hex'],
    [['--digest', ''], 'Expected a digest in hex'],
    [['--digest', 'ddddddd'], 'Expected a digest in hex'],
    [['--note', 'x'], 'unknown option'],
  ])('refuses %j, and leaves the question open', async (flags, why) => {
    const { exit, out, err } = await place.ambit('approvals', 'approve', 'q1', ...flags);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain(why);
    expect(await answerTo('q1')).toBe(null);
  });

  it('keeps no answer if the policies do not admit one', async () => {
    await place.filled((store) => store.ask(asked('q2', { keep: null })));
    const { exit, err } = await place.ambit('approvals', 'approve', 'q2', '--keep', 'run');
    expect([exit, err]).toEqual([
      2,
      'ambit: an answer to this question holds for this call alone\nhint: leave --keep out\n',
    ]);
    expect(await answerTo('q2')).toBe(null);
  });

  it('reports an earlier answer and who gave it', async () => {
    await place.ambit('approvals', 'deny', 'q1', '--note', 'not\u001b[2J now');
    expect(await place.ambit('approvals', 'approve', 'q1')).toEqual({
      exit: 1,
      out: '',
      err: `q1 was answered before: refused by ${person}: not\\u{1b}[2J now\n`,
    });
    expect(await answerTo('q1')).toMatchObject({ answer: 'refuse' });
    const { exit, out } = await place.ambit('approvals', 'approve', 'q1', '--keep', 'always', '--json');
    expect([exit, JSON.parse(out)]).toMatchObject([
      1,
      { taken: 'answered_before', answer: { answer: 'refuse' } },
    ]);
  });

  it('reports that a question is no longer open', async () => {
    await place.filled((store) => store.withdraw('q1', 5));
    expect(await place.ambit('approvals', 'approve', 'q1')).toEqual({
      exit: 1,
      out: '',
      err: 'q1 was withdrawn: the time to answer is over, or its run has ended\n',
    });
    expect(await answerTo('q1')).toBe(null);
  });

  it('answers only the question that was shown', async () => {
    const shown =
      (await place.ambit('approvals', 'show', 'q1')).out.match(/approve q1 --digest (\w+)/)?.[1] ?? '';
    await place.filled((store) => store.ask(asked('q1', { args: { path: '/etc/passwd' } }, 'e'.repeat(64))));
    expect(await place.ambit('approvals', 'approve', 'q1', '--digest', shown)).toEqual({
      exit: 1,
      out: '',
      err: 'q1 has changed; read it again with ambit approvals show q1\n',
    });
    expect(await answerTo('q1')).toBe(null);
    expect((await place.ambit('approvals', 'approve', 'q1', '--digest', 'EEEEEEEE')).exit).toBe(0);
  });
});

describe('ambit approvals deny', () => {
  beforeEach(() => place.filled((store) => store.ask(asked('q1'))));

  it.each([
    [[], { answer: 'refuse', person }],
    [['--note', 'use the vault'], { answer: 'refuse', person, note: 'use the vault' }],
    [['--ask-again'], { answer: 'refuse', person, ask_again: true }],
  ])('refuses the call with %j', async (flags, answer) => {
    expect((await place.ambit('approvals', 'deny', 'q1', ...flags)).exit).toBe(0);
    expect(await answerTo('q1')).toEqual(answer);
  });
});
