import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type ClientName, clientNames } from '../../src/index.js';
import { claudeIn, hasTerminal, terminalWith } from './claude.js';
import { launch, programs, RealPlace } from './real-client.js';
import { shellCalls } from './shell-calls.js';

/** Only a person's own answer counts. */
const policy = `version: 1
default: pre_approved
capabilities:
  fs.write: { decision: needs_approval, answer: person, match: { path: ./asked } }
`;

/** A person in another terminal. */
class Terminal {
  constructor(
    readonly place: RealPlace,
    readonly client: ClientName,
  ) {}

  get project(): string {
    return join(this.place.base, `${this.client === 'claude-code' ? 'claude' : this.client}_run/proj`);
  }

  questions(): readonly OpenQuestion[] {
    const { status, stdout } = this.#run(process.execPath, [launch, 'approvals', 'list', '--json']);
    return status === 0 ? (JSON.parse(stdout) as { questions: readonly OpenQuestion[] }).questions : [];
  }

  /** Only a terminal may answer. */
  answer(answer: 'approve' | 'deny', { id }: OpenQuestion) {
    const words = [process.execPath, launch, 'approvals', answer, id];
    const { status, stdout } = this.#run('script', ['-qec', words.join(' '), '/dev/null'], 'y\n');
    return status === 0 ? 'answered' : stdout;
  }

  #run(program: string, args: readonly string[], input = '') {
    const env = { HOME: this.place.base, AMBIT_HOME: this.place.state(this.client), PATH: process.env.PATH };
    return spawnSync(program, args, { cwd: this.project, env, input, encoding: 'utf8' });
  }
}

interface OpenQuestion {
  readonly id: string;
}

interface Request {
  readonly body?: { readonly tools?: readonly unknown[] };
  readonly tools?: readonly unknown[];
}

/** The steps of the model. A request for the title of a conversation is not a step. */
function turns(...all: readonly (() => unknown)[]) {
  let at = 0;
  return (request: Request) => {
    if ((request.tools ?? request.body?.tools ?? []).length === 0) return 'Title';
    at += 1;
    return all[at - 1]?.() ?? 'done';
  };
}

describe('a question that requires a person', () => {
  // These two ask their user, but no one in print mode.
  const printing = (['claude-code', 'copilot'] as const).map((client) => [client, 'any'] as const);
  for (const [client, who] of [...clientNames.map((each) => [each, 'person'] as const), ...printing])
    it.skipIf(!programs.has(client))(
      `refuses the call in ${client}, and permits its next try once (answer: ${who})`,
      async () => {
        const place = new RealPlace(policy.replace('answer: person', `answer: ${who}`));
        const person = new Terminal(place, client);
        const tries = () => ({ tools: [shellCalls[client]('echo ran >> asked')] });
        let before = false;
        const approved: unknown[] = [];
        const { results, proj } = await place.drive(client, {
          script: turns(
            tries,
            () => {
              before = existsSync(join(person.project, 'asked'));
              for (const question of person.questions()) approved.push(person.answer('approve', question));
              return tries();
            },
            tries,
            () => 'done',
          ),
        });
        expect(before).toBe(false);
        expect(approved).toEqual(['answered']);
        expect(readFileSync(join(proj, 'asked'), 'utf8')).toBe('ran\n');
        const told = results.map(({ text }) => text.match(/ambit approvals approve/) !== null);
        expect(told).toEqual([true, false, true]);
      },
    );

  for (const [answer, text] of [
    ['approve', 'ran\n'],
    ['deny', null],
  ] as const)
    it.skipIf(!programs.has('claude-code'))(
      `holds the call in claude-code with --approvals ambit until a person answers: ${answer}`,
      async () => {
        const place = new RealPlace(policy);
        const person = new Terminal(place, 'claude-code');
        const command = [
          ...place.command('claude-code'),
          '--approvals',
          'ambit',
          '--timeout',
          '200',
        ] as const;
        let isOver = false;
        const driven = place.drive('claude-code', {
          change: { command, timeout: 220 },
          script: [{ tools: [shellCalls['claude-code']('echo ran >> asked')] }, 'done'],
        });
        void driven.finally(() => {
          isOver = true;
        });
        let open: readonly OpenQuestion[] = [];
        while (!isOver && open.length === 0) {
          await wait(200);
          open = existsSync(place.state('claude-code')) ? person.questions() : [];
          expect(existsSync(join(person.project, 'asked'))).toBe(false);
        }
        for (const question of open) expect(person.answer(answer, question)).toBe('answered');
        const { proj } = await driven;
        expect(open).toHaveLength(1);
        const file = join(proj, 'asked');
        expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(text);
      },
    );

  /** A session of `claude -p` whose call is put off. */
  const putOff = async (tries = 1) => {
    const place = new RealPlace(policy);
    const person = new Terminal(place, 'claude-code');
    const { words, started } = await claudeIn(place, {
      calls: Array.from({ length: tries }, () => shellCalls['claude-code']('echo ran >> asked')),
      more: ['--approvals', 'defer'],
    });
    const [program, ...start] = [...words, '--output-format', 'json', '-p'];
    const claude = async (...more: readonly string[]) => {
      const running = promisify(execFile)(program, [...start, ...more], { cwd: started, timeout: 120_000 });
      running.child.stdin?.end();
      return JSON.parse((await running).stdout) as { session_id: string; stop_reason: string };
    };
    const { session_id: session, stop_reason: stopped } = await claude('go');
    const [question, ...rest] = person.questions();
    if (question === undefined) throw new Error('nothing is asked');
    const file = join(started, 'asked');
    const made = () => (existsSync(file) ? readFileSync(file, 'utf8') : null);
    expect([stopped, rest, made()]).toEqual(['tool_deferred', [], null]);
    return { place, person, words, started, claude, session, question, made };
  };

  const deferring = async (then: string | null) => {
    const { place, person, claude, session, question, made } = await putOff();
    if (then === 'approve' || then === 'deny') expect(person.answer(then, question)).toBe('answered');
    else if (then !== null) place.write('policy.yaml', then);
    const resumed = () =>
      claude('--resume', session).then(
        ({ stop_reason: end }) => end,
        (error: { stderr?: string }) => /No deferred tool/.exec(error.stderr ?? '')?.[0] ?? error,
      );
    return [[await resumed(), await resumed()], made()];
  };

  const over = ['end_turn', 'No deferred tool'];
  it.skipIf(!programs.has('claude-code')).each([
    ['runs it once after an approval', 'approve', [over, 'ran\n']],
    ['does not run it after a refusal', 'deny', [over, null]],
    ['defers it again without an answer', null, [['tool_deferred', 'tool_deferred'], null]],
    ['does not run it if the policy now blocks it', 'version: 1\ndefault: blocked\n', [over, null]],
  ])('is deferred in claude-code with --approvals defer; --resume %s', async (_, then, expected) => {
    expect(await deferring(then)).toEqual(expected);
  });

  it.skipIf(!hasTerminal)(
    'refuses the call in the terminal of claude-code with --approvals defer',
    async () => {
      const place = new RealPlace(policy);
      const calls = [shellCalls['claude-code']('echo ran >> asked')];
      const { words, started } = await claudeIn(place, { calls, more: ['--approvals', 'defer'] });
      const terminal = terminalWith(place, [...words, 'go'], started);
      await terminal.shows('ALL SAID');
      expect(existsSync(join(started, 'asked'))).toBe(false);
      expect(new Terminal(place, 'claude-code').questions()).toHaveLength(1);
    },
  );

  it.skipIf(!hasTerminal).each([
    ['approve', 'ran\n'],
    ['deny', null],
    ['nobody', null],
  ] as const)(
    'drops the deferred call if a terminal resumes the session, and judges its next try: %s',
    async (then, result) => {
      const { place, person, words, started, session, question, made } = await putOff(2);
      if (then !== 'nobody') expect(person.answer(then, question)).toBe('answered');
      const terminal = terminalWith(place, [...words, '--resume', session], started);
      await terminal.shows('hook deferred Bash');
      await wait(3000);
      expect(made()).toBe(null);
      terminal.type('on', 'Enter');
      await terminal.shows('ALL SAID');
      expect(made()).toBe(result);
    },
  );
});
