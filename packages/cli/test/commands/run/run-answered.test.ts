import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunRecord, StoredQuestion } from '@ambit/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasTmux, Tmux } from '../../tmux.js';
import { StoredPlace, storedRun } from '../store/stored.js';

const files = {
  'policy.yaml': 'version: 1\ndefault: needs_approval\ncapabilities: { fs.list: pre_approved }\n',
  'w.worker': `name: w
sandbox: { paths: { out: { root: ., mode: rw } } }
toolsets: { filesystem: {} }
---
Write.
`,
  'script.yaml': `w:
  - call: [{ tool: write_file, args: { path: out/a.md, content: "hello" } }]
  - say: done
`,
};
const run = ['run', '--policy', 'policy.yaml', '--model', 'script:script.yaml', '--quiet'];
const person = userInfo().username;

let place: StoredPlace;
beforeEach(() => {
  place = new StoredPlace();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.root, name), text);
});

const text = () =>
  existsSync(join(place.root, 'a.md')) ? readFileSync(join(place.root, 'a.md'), 'utf8') : null;

/** The question that waits, once there is one. */
async function waiting(): Promise<StoredQuestion> {
  for (;;) {
    const found = await place.read((store) => store.questions());
    const [first] = found.filter(({ state }) => state === 'waiting');
    if (first !== undefined) return first;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function onlyRun(): Promise<RunRecord> {
  const [first, ...others] = await place.read((store) => store.runs());
  if (first === undefined || others.length > 0) throw new Error('one run is expected');
  return first;
}

describe('run --wait', () => {
  it('asks without a terminal, and continues when answered elsewhere', async () => {
    const ran = place.ambit(...run, '--wait', 'w', 'go');
    const { question } = await waiting();
    expect(question).toMatchObject({ chain: ['w'], tool: 'filesystem.write_file' });
    expect((await place.ambit('approvals', 'approve', question.id)).out).toBe(`approved by ${person}\n`);
    const { exit, out, err } = await ran;
    expect([exit, out]).toEqual([0, 'done\n']);
    expect(err).toMatch(/^ambit: questions wait for: ambit approvals list\n/);
    expect(text()).toBe('hello');
    const { log } = await onlyRun();
    expect((await place.ambit('log', 'query', log, '--person', person)).out).toContain(
      'filesystem.write_file',
    );
    expect((await place.ambit('log', 'verify', log)).exit).toBe(0);
  });

  it('executes the call with arguments edited elsewhere', async () => {
    const ran = place.ambit(...run, '--wait', 'w');
    const { question } = await waiting();
    const args = JSON.stringify({ ...question.args, content: 'bonjour' });
    expect((await place.ambit('approvals', 'approve', question.id, '--args', args)).exit).toBe(0);
    expect((await ran).exit).toBe(0);
    expect(text()).toBe('bonjour');
  });

  it('does not execute a call that was refused elsewhere', async () => {
    const ran = place.ambit(...run, '--wait', 'w');
    const { question } = await waiting();
    expect((await place.ambit('approvals', 'deny', question.id, '--note', 'not today')).exit).toBe(0);
    expect(await ran).toMatchObject({ exit: 0, out: 'done\n' });
    expect(text()).toBe(null);
    expect(readFileSync((await onlyRun()).log, 'utf8')).toContain('not today');
  });

  it('refuses after the time limit, and rejects a later answer', async () => {
    const ran = await place.ambit(...run, '--wait', '--timeout', '0.2', 'w');
    expect(ran.exit).toBe(0);
    expect(text()).toBe(null);
    const [{ question }] = (await place.read((store) => store.questions())) as [StoredQuestion];
    expect(await place.ambit('approvals', 'approve', question.id)).toEqual({
      exit: 1,
      out: '',
      err: `${question.id} was withdrawn: the time to answer is over, or its run has ended\n`,
    });
  });

  it.each([
    ['--wait', '--strict'],
    ['--wait', '--approve-all'],
    ['--park', '--wait'],
    ['--park', '--strict'],
  ])('rejects %s %s', async (one, other) => {
    const { exit, out, err } = await place.ambit(...run, one, other, 'w');
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain('exclude each other');
  });
});

describe('run --park and --resume', () => {
  it('ends at a waiting question, and resumes with the answer given meanwhile', async () => {
    const parked = await place.ambit(...run, '--park', 'w', 'go');
    expect([parked.exit, text()]).toEqual([1, null]);
    const { id, status, log } = await onlyRun();
    expect(status).toBe('parked');
    expect(parked.err).toContain(`${id} parked: a question waits for an answer`);
    expect(parked.err).toContain(`answer    ambit approvals list\nresume    ambit run --resume ${id}\n`);
    const { question } = await waiting();
    expect((await place.ambit('approvals', 'approve', question.id)).out).toBe(
      `approved by ${person}\nambit run --resume ${id} resumes it\n`,
    );
    expect((await place.ambit('runs', 'show', id)).out).toContain(`resume    ambit run --resume ${id}\n`);
    expect(await place.ambit('run', '--resume', id, '--park', '--quiet')).toMatchObject({
      exit: 0,
      out: 'done\n',
    });
    expect(text()).toBe('hello');
    expect((await onlyRun()).status).toBe('finished');
    expect((await place.ambit('log', 'verify', log)).exit).toBe(0);
  });

  it('names the call of an earlier process', async () => {
    await place.ambit(...run, '--park', 'w', 'go');
    const { id } = await onlyRun();
    const { question } = await waiting();
    await place.ambit('approvals', 'approve', question.id);
    const { err } = await place.ambit('run', '--resume', id, '--park');
    expect(err.split('\n').slice(0, 4)).toEqual([
      'w: script:script.yaml works',
      'w: filesystem.write_file: approved by a person',
      'w: the model has answered',
      'w: finished',
    ]);
  });

  it('parks again if there is still no answer', async () => {
    await place.ambit(...run, '--park', 'w');
    const { id } = await onlyRun();
    expect((await place.ambit('run', '--resume', id.slice(0, -3), '--park', '--quiet')).exit).toBe(1);
    expect((await onlyRun()).status).toBe('parked');
    expect((await place.read((store) => store.questions())).length).toBe(1);
  });

  it('resumes in a stricter mode, and refuses a looser one', async () => {
    await place.ambit(...run, '--park', 'w');
    const { id } = await onlyRun();
    const looser = await place.ambit('run', '--resume', id, '--approve-all');
    expect([looser.exit, looser.out, text()]).toEqual([2, '', null]);
    expect(looser.err).toContain('continues only in the same or a stricter one');
    expect((await place.ambit('run', '--resume', id, '--strict')).exit).toBe(0);
    expect(text()).toBe(null);
    // Nobody asks any more what was asked before.
    expect((await place.read((store) => store.questions())).map(({ state }) => state)).toEqual(['withdrawn']);
  });

  it.each([
    [['--resume', 'nothing', '--park'], 'there is no run `nothing` here'],
    [['--resume', '', '--park'], "the value of option '--resume <RUN>' is empty"],
    [
      ['--resume', '--park'],
      "option '--resume <RUN>' argument missing\nhint: did you mean --resume <RUN> --park?\n",
    ],
    [['--resume', 'ID', '--park', 'other'], 'with another `workers`'],
    [['--resume', 'ID', '--park', 'w', 'come'], 'with another input'],
    [['--resume', 'ID', '--park', '--model', 'script:other.yaml'], 'with another `model`'],
    [['--resume', 'ID', '--park', '--context', 'a=b'], 'with another `context`'],
    [['--resume', 'ID', '--park', '--folder', 'out=x'], 'with another `folders`'],
    [['--resume', 'ID', '--park', '--log', 'x.jsonl'], 'with another `log`'],
    [['--resume', 'ID', '--park', '--attach', 'w.worker'], 'already has its attachments'],
    [['--resume', 'ID'], 'give --strict to refuse what needs approval, --wait to answer'],
    [['--policy', 'policy.yaml'], 'no worker given'],
  ])('rejects %j', async (flags, why) => {
    writeFileSync(join(place.root, 'other.worker'), 'toolsets: {}\n---\nWork.\n');
    await place.ambit(...run, '--park', 'w', 'go');
    const { id } = await onlyRun();
    const { exit, out, err } = await place.ambit('run', ...flags.map((flag) => (flag === 'ID' ? id : flag)));
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain(why);
    expect((await onlyRun()).status).toBe('parked');
  });

  it('resumes in the last mode without a flag', async () => {
    await place.ambit(...run, '--park', 'w');
    const { id } = await onlyRun();
    await place.filled(async (store) => {
      const [begun] = (await store.steps(id)).flatMap((step) => (step.step === 'events' ? step.events : []));
      if (begun?.event !== 'run') throw new Error('it begins with the run');
      await store.append(id, [{ step: 'events', events: [{ ...begun, mode: 'strict', resumed: 1 }] }]);
    });
    expect(await place.ambit('run', '--resume', id)).toMatchObject({ exit: 0, out: 'done\n' });
    expect(text()).toBe(null);
  });

  it('accepts its original options again', async () => {
    const told = [...run, '--folder', 'out=.', '--context', 'a=b', '--log', 'my.jsonl'];
    await place.ambit(...told, '--park', 'w', 'go');
    const { id } = await onlyRun();
    const { question } = await waiting();
    await place.ambit('approvals', 'approve', question.id);
    expect(await place.ambit(...told, '--park', '--resume', id, 'w.worker', 'go')).toMatchObject({
      exit: 0,
      out: 'done\n',
    });
    expect(text()).toBe('hello');
  });

  it('does not resume a run that has ended', async () => {
    await place.ambit(...run, '--strict', 'w');
    const { id } = await onlyRun();
    const { exit, err } = await place.ambit('run', '--resume', id);
    expect(exit).toBe(2);
    expect(err).toContain('has ended: finished');
    // One in which people were asked ends the same, and wants no terminal to say so.
    await place.filled((store) => store.begin(storedRun('m9-over')));
    await place.filled((store) => store.setStatus('m9-over', 'finished', Date.now()));
    const over = {
      exit: 2,
      out: '',
      err: 'ambit: the run m9-over has ended: finished\nhint: start another\n',
    };
    expect(await place.ambit('run', '--resume', 'm9')).toEqual(over);
  });
});

describe.skipIf(!hasTmux)('a question at a terminal', () => {
  let terminal: Tmux | null = null;
  afterEach(() => terminal?.end());
  const program = fileURLToPath(new URL('../../../../../bin/ambit', import.meta.url));

  const running = () => {
    const home = `AMBIT_HOME='${place.environment.AMBIT_HOME}'`;
    const then = `${home} "$0" "$@"; echo "EXIT $? $(stty -a | grep -o -e '-*icanon')"`;
    terminal = new Tmux(['sh', '-c', then, program, ...run, 'w', 'go'], place.root);
    return terminal;
  };

  it('can be answered from another terminal, and closes here', async () => {
    const tmux = running();
    await tmux.shows('v  show everything');
    const { question } = await waiting();
    expect((await place.ambit('approvals', 'approve', question.id)).exit).toBe(0);
    const screen = await tmux.shows('EXIT');
    expect(screen).toMatch(/^EXIT 0 icanon/m);
    expect(screen).toContain(`this question is closed: ${person} approved it\n`);
    expect(text()).toBe('hello');
  });

  it('rejects an answer from elsewhere after an answer here', async () => {
    const tmux = running();
    await tmux.shows('v  show everything');
    const { question } = await waiting();
    tmux.type('o');
    await tmux.shows('EXIT');
    const late = await place.ambit('approvals', 'deny', question.id);
    expect([late.exit, late.err]).toEqual([1, `${question.id} was answered before: approved by ${person}\n`]);
    expect(text()).toBe('hello');
  });
});
