import * as z from 'zod';
import type { ToolRule } from '../../src/decide/rule.js';
import {
  type Answer,
  type Approver,
  type Authority,
  type Capability,
  type CapabilityRule,
  type Decision,
  defaultAdmission,
  defineTool,
  defineToolset,
  entryAuthority,
  type GuardedToolset,
  guard,
  type Json,
  type JsonObject,
  type Policy,
  plainRule,
  type Question,
  Run,
  type RunOptions,
  type Tool,
  type Toolset,
} from '../../src/index.js';
import { ArrayLog } from './array-log.js';
import { ManualClock } from './manual-clock.js';

/** A run with a toolset `box`, and everything that a test may want to look at. */
export interface Stage {
  readonly run: Run;
  readonly authority: Authority;
  readonly box: GuardedToolset;
  readonly log: ArrayLog;
  readonly clock: ManualClock;
  /** What was executed, in order: a call is on it when `execute` was entered. */
  readonly executed: readonly JsonObject[];
  /** The questions that the approver got. */
  readonly asked: readonly Question[];
}

export interface Setting {
  readonly policies?: RunOptions['policies'];
  readonly mode?: RunOptions['mode'];
  /** The approver's reaction to its first, second, … question; the last one is repeated. No approver by default. */
  readonly answers?: readonly Approver['ask'][];
  readonly log?: ArrayLog;
  readonly tool?: Partial<Tool>;
  readonly options?: Partial<RunOptions>;
  readonly authority?: (run: Run) => Authority;
}

export function stage(setting: Setting = {}): Stage {
  const { log = new ArrayLog(), mode = 'interactive', answers } = setting;
  const clock = new ManualClock();
  const executed: JsonObject[] = [];
  const asked: Question[] = [];
  let ids = 0;
  const run = new Run({
    policies: setting.policies ?? [asking],
    mode,
    approver: answers === undefined ? null : approverOf(answers, asked),
    log,
    context: {},
    clock,
    newId: () => `id-${++ids}`,
    ...setting.options,
  });
  const authority = setting.authority?.(run) ?? entryAuthority(run, 'main');
  const box = guard(boxOf(executed, setting.tool), authority);
  return { run, authority, box, log, clock, executed, asked };
}

/** A toolset of one tool, `box.put {path, text?}`, that says and does what it is told. */
export function boxOf(executed: JsonObject[], tool: Partial<Tool> = {}): Toolset {
  const put = defineTool({
    name: 'put',
    description: 'puts a text somewhere',
    input: z.strictObject({ path: z.string(), text: z.string().default('') }),
    describe: ({ path }): { capabilities: Capability[] } => ({ capabilities: [write(path)] }),
    execute: (args): Json => {
      executed.push(args);
      return 'done';
    },
  });
  const watched: Tool = {
    ...(put as unknown as Tool),
    ...tool,
    execute: (args, context) => {
      if (tool.execute === undefined) return (put as unknown as Tool).execute(args, context);
      executed.push(args);
      return tool.execute(args, context);
    },
  };
  return defineToolset({ name: 'box', tools: [watched] });
}

export function write(path: string): Capability {
  return { name: 'fs.write', path };
}

export function policy(changes: Partial<Policy> = {}): Policy {
  return {
    name: 'policy.yaml',
    default: { decision: 'needs_approval', answer: 'any' },
    rules: [],
    carries: [],
    admits: defaultAdmission,
    ...changes,
  };
}

/** Asks about everything. */
export const asking = policy();

export function deciding(decision: Decision): Policy {
  return policy({ rules: [ruleAbout('fs', { decision, below: true })] });
}

export function ruleAbout(name: string, changes: Partial<CapabilityRule> = {}): CapabilityRule {
  return {
    about: 'capability',
    name,
    below: false,
    id: `about-${name}`,
    at: 'policy.yaml:3:5',
    decision: 'needs_approval',
    ...plainRule,
    condition: () => true,
    ...changes,
  };
}

/** A tool rule that says `pre_approved`. */
export function standing(tool: string): ToolRule {
  const { below: _, about: __, ...said } = ruleAbout('fs', { decision: 'pre_approved', id: 'standing' });
  return { ...said, about: 'tool', name: tool, condition: () => true };
}

export const yes: Approver['ask'] = () => Promise.resolve({ answer: 'approve', person: 'ann' });

export const no: Approver['ask'] = () =>
  Promise.resolve({ answer: 'refuse', person: 'ann', note: 'not today' });

export function answering(answer: unknown): Approver['ask'] {
  return () => Promise.resolve(answer as Answer);
}

function approverOf(answers: readonly Approver['ask'][], asked: Question[]): Approver {
  return {
    ask: (question, signal) => {
      asked.push(question);
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? no;
      return answer(question, signal);
    },
  };
}
