import { userInfo } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { ambit } from '../../host.js';
import { asked, StoredPlace, storedRun } from './stored.js';

const person = userInfo().username;

let place: StoredPlace;
beforeEach(async () => {
  place = new StoredPlace();
  await place.filled(async (store) => {
    await store.begin(storedRun('r1'));
    await store.begin(storedRun('r2'));
    await store.ask(asked('q1', { tool: 'shell.run', args: { command: 'make one' } }));
    await store.ask(
      asked('q2', { args: { content: Array.from({ length: 60 }, (_, line) => `line ${line}`) } }),
    );
    await store.ask({ ...asked('q3'), run: 'r2' });
  });
});

const answers = () =>
  place.read(async (store) => (await store.questions()).map(({ answer }) => answer?.answer ?? null));

const approve = (stdin: string, ...argv: readonly string[]) =>
  ambit(['approvals', 'approve', ...argv], {
    folder: place.root,
    environment: place.environment,
    isTerminal: true,
    stdin,
  });

describe('ambit approvals approve --run', () => {
  it('shows all open questions of the run, asks once, and approves exactly those', async () => {
    const { exit, out, err } = await approve('y\n', '--run', 'r1');
    expect([exit, out]).toEqual([
      0,
      `q1  approved by ${person}\nq2  approved by ${person}\nambit run --resume r1 resumes it\n`,
    ]);
    for (const shown of ['make one', 'line 0', 'line 59', 'approve these 2 calls, each once? [y/N]'])
      expect(err).toContain(shown);
    expect(await answers()).toEqual(['approve', 'approve', null]);
    expect(await approve('y\n', '--run', 'r1')).toEqual({
      exit: 1,
      out: 'the run r1 has no open questions\n',
      err: '',
    });
  });

  it.each(['n\n', '\n', ''])('approves nothing on %j', async (stdin) => {
    const { exit, out } = await approve(stdin, '--run', 'r1');
    expect([exit, out]).toEqual([1, '2 questions not approved\n']);
    expect(await answers()).toEqual([null, null, null]);
  });

  it('prints one JSON document', async () => {
    const { exit, out } = await approve('y\n', '--run', 'r1', '--json');
    const taken = ['q1', 'q2'].map((id) => ({ id, taken: 'taken' }));
    expect([exit, JSON.parse(out)]).toEqual([0, { run: 'r1', answers: taken }]);
  });

  it.each([
    [['q1', '--run', 'r1']],
    [['--run', 'r1', '--keep', 'run']],
    [['--run', 'r1', '--digest', 'dddddddd']],
    [['--run', 'nobody']],
    [[]],
  ])('refuses %j', async (argv) => {
    expect((await approve('y\n', ...argv)).exit).toBe(2);
    expect(await answers()).toEqual([null, null, null]);
  });

  it('needs a terminal', async () => {
    const { exit } = await ambit(['approvals', 'approve', '--run', 'r1'], {
      folder: place.root,
      environment: place.environment,
      stdin: 'y\n',
    });
    expect([exit, await answers()]).toEqual([2, [null, null, null]]);
  });
});
