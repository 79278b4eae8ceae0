import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStateFolder, openStore } from '@ambit/runtime';
import { onTestFinished } from 'vitest';
import {
  type ScriptedModel,
  type ScriptedTurn,
  startScriptedModel,
} from '../../../examples/scripted-model.js';
import { type JudgeOptions, openJudge } from '../../src/sdk/judge.js';

/** One tool, `act`, judged by its argument: what is `fine` runs, what is `odd` is asked about, the rest is blocked. */
export const actPolicy = `version: 1
default: blocked
capabilities:
  tool.call:
    - id: fine
      decision: pre_approved
      match: { tool: app.act }
      when: { '===': [{ var: args.what }, fine] }
    - id: odd
      decision: needs_approval
      reason: odd things need a look
      match: { tool: app.act }
      when: { '===': [{ var: args.what }, odd] }
`;

/** A project and a state folder of a test, with judges in them. */
export class SdkPlace {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'sdk-')));
  readonly root = join(this.base, 'project');
  readonly state = join(this.base, 'state');
  readonly policy = join(this.base, 'policy.yaml');

  constructor(policy: string = actPolicy) {
    onTestFinished(() => rm(this.base, { recursive: true, force: true, maxRetries: 20 }));
    mkdirSync(this.root);
    writeFileSync(this.policy, policy);
  }

  judge(more: Partial<JudgeOptions> = {}) {
    const { policy, root, state } = this;
    return openJudge({ policies: [policy], session: 'session-1', root, state, timeout: 60_000, ...more });
  }

  /** The events of a session's log. */
  events(session = 'session-1'): readonly Record<string, unknown>[] {
    const folder = join(this.state, 'log');
    const [project = ''] = readdirSync(folder);
    const lines = readFileSync(join(folder, project, `agent-${session}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Events after the first two, which say that the run begins, in short. */
  told(session = 'session-1'): readonly string[] {
    return this.events(session)
      .slice(2)
      .map(({ event, decision, outcome, how }) => [event, decision ?? outcome ?? how].join(' '));
  }

  /** A person approves the open question in another terminal, or has done so at this time. */
  async approve(at = Date.now()): Promise<void> {
    const store = await openStore(
      await openStateFolder({ ...process.env, AMBIT_HOME: this.state }, this.root),
    );
    const question = (await store.questions()).find(({ state }) => state === 'waiting');
    if (question === undefined) throw new Error('nothing is asked');
    const answer = { answer: 'approve', person: 'ada' } as const;
    await store.answer(question.question.id, { digest: question.digest, answer, at });
    await store.close();
  }
}

/** A scripted model that ends with the test. */
export async function scripted(turns: readonly ScriptedTurn[]): Promise<ScriptedModel> {
  const model = await startScriptedModel(turns);
  onTestFinished(() => model.close());
  return model;
}

/** A turn that calls `act` with each of these. */
export function acting(...whats: readonly string[]): ScriptedTurn {
  return { calls: whats.map((what) => ({ name: 'act', input: { what } })) };
}
