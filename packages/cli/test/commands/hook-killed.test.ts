import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { verifyLog } from '@ambit/audit';
import { openStateFolder, openStore } from '@ambit/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../../dist/launch.cjs', import.meta.url));
const policy = `version: 1
default: blocked
capabilities:
  secret.read: pre_approved
  fs.read: pre_approved
  fs.write:
    - { decision: pre_approved, match: { path: ./out/** } }
    - { decision: needs_approval, match: { path: ./asked }, answer: person }
together:
  - { id: leak, capabilities: [secret.read, fs.write], within: run, decision: blocked }
`;

/** A session of an agent, judged by a process for each call, or by a resident judge. */
class Session {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'killed-')));
  readonly project = join(this.base, 'project');
  readonly state = join(this.base, 'state');
  readonly places = ['--home', this.base, '--state', this.state] as const;
  /** What the model was last told. */
  told = '';
  #calls = 0;

  constructor() {
    onTestFinished(() => rm(this.base, { recursive: true, force: true, maxRetries: 20 }));
    mkdirSync(join(this.project, '.git'), { recursive: true });
    mkdirSync(this.state, { mode: 0o700 });
    writeFileSync(join(this.base, 'policy.yaml'), policy);
  }

  get log(): string {
    const folder = join(this.state, 'log');
    return join(folder, readdirSync(folder)[0] ?? '', 'claude-code-s.jsonl');
  }

  async resident(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [program, 'hook', '--resident', ...this.places], {
      env: {},
      stdio: 'ignore',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    while (!existsSync(join(this.state, 'resident', 'judge.sock'))) await wait(20);
    return child;
  }

  /** Answers one call. `victim` is killed as soon as the log has more; `own` is the hook of this call. */
  async answer(
    tool: string,
    file: string,
    victim: ChildProcess | 'own' | null = null,
  ): Promise<string | undefined> {
    const more = victim === null || victim === 'own' ? [] : ['--resident'];
    const words = ['claude-code', ...this.places, '--policy', join(this.base, 'policy.yaml'), ...more];
    const before = existsSync(join(this.state, 'log')) ? statSync(this.log).size : 0;
    const child = spawn(process.execPath, [program, 'hook', ...words], { env: {}, cwd: '/' });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    const over = new Promise<void>((resolve) => child.once('close', () => resolve()));
    this.#calls += 1;
    child.stdin.end(
      JSON.stringify({
        session_id: 's',
        cwd: this.project,
        hook_event_name: 'PreToolUse',
        tool_name: tool,
        tool_input: { file_path: join(this.project, file), ...(tool === 'Write' ? { content: 'x' } : {}) },
        tool_use_id: `toolu_0000000${this.#calls}`,
      }),
    );
    if (victim !== null) {
      while (child.exitCode === null && statSync(this.log).size === before) await wait(0);
      (victim === 'own' ? child : victim).kill('SIGKILL');
    }
    await over;
    this.told = stdout;
    return /"permissionDecision":"(\w+)"/.exec(stdout)?.[1];
  }

  async #store(): ReturnType<typeof openStore> {
    const environment = { HOME: this.base, AMBIT_HOME: this.state };
    return openStore(await openStateFolder(environment, this.project));
  }

  /** Whether a hook has taken an answer. */
  async hasTaken(): Promise<boolean> {
    const store = await this.#store();
    const runs = new Set((await store.questions()).map(({ run }) => run));
    const steps = await Promise.all([...runs].map((run) => store.steps(run)));
    await store.close();
    return steps.flat().some(({ step }) => step === 'taken');
  }

  async approve(): Promise<void> {
    const store = await this.#store();
    const asked = (await store.questions()).find(({ state }) => state === 'waiting');
    if (asked === undefined) throw new Error('nothing is asked');
    const answer = { answer: 'approve', person: 'ada' } as const;
    await store.answer(asked.question.id, { digest: asked.digest, answer, at: Date.now() });
    await store.close();
  }
}

describe.each(['the hook', 'the resident judge'])(
  '%s, killed after its decision',
  { timeout: 600_000 },
  (who) => {
    const victimIn = (session: Session) => (who === 'the hook' ? ('own' as const) : session.resident());

    it('leaves a valid log, in which the call counts for the next ones', async () => {
      const session = new Session();
      await session.answer('Read', 'plain');
      await session.answer('Write', 'out/x', await victimIn(session));
      expect(await verifyLog(session.log)).toMatchObject({ ok: true });
      expect(await session.answer('Read', '.env')).toBe('deny');
      expect(await session.answer('Write', 'out/y')).toBe('allow');
      expect(await verifyLog(session.log)).toMatchObject({ ok: true });
    });

    it('permits one call at most by one approval, and the session goes on', async () => {
      const session = new Session();
      expect(await session.answer('Write', 'asked')).toBe('deny');
      await session.approve();
      const answers = [await session.answer('Write', 'asked', await victimIn(session))];
      for (const _ of [1, 2]) answers.push(await session.answer('Write', 'asked'));
      expect(answers.filter((decision) => decision === 'allow').length).toBeLessThan(2);
      const approvals = readFileSync(session.log, 'utf8').split('"approved":true').length - 1;
      expect(approvals).toBeLessThan(2);
      // Where the hook was killed before it took the answer, its open call makes that void, and the refusal says so. It may
      // also be killed between taking it and recording that.
      if (approvals === 0 && !(await session.hasTaken()))
        expect(session.told).toContain('does not count: since it was asked, a call was interrupted');
      // It asks again, and a new answer lets it go on.
      await session.approve();
      expect(await session.answer('Write', 'asked')).toBe('allow');
    });
  },
);
