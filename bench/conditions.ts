import type { CallView, Capability, Json } from '@ambit/core';
import { loadPolicyText, type WrittenNamedRule } from '@ambit/policy';
import { parse } from '@marcbachmann/cel-js';
import { LogicEngine } from 'json-logic-engine';
import jsonLogic from 'json-logic-js';
import { partsOf, ruleCondition } from '../packages/policy/src/document/rule-condition.js';
import { compileCondition } from '../packages/policy/src/engine/compile-condition.js';
import { seeded } from './random.js';
import { type Timed, timeAll } from './timing.js';

/** A condition as policies have them, in JSON Logic and in CEL. */
interface Written {
  readonly title: string;
  readonly json: Json;
  readonly cel: string;
}

const variable = (name: string): Json => ({ var: name });
const conditions: readonly Written[] = [
  {
    title: 'one comparison',
    json: { '<=': [variable('capability.amount'), 50] },
    cel: 'capability.amount <= 50.0',
  },
  {
    title: 'three parts',
    json: {
      and: [
        { '>': [variable('capability.amount'), 20] },
        { '==': [variable('context.env'), 'ci'] },
        { in: [variable('capability.kind'), ['invoice', 'refund', 'salary']] },
      ],
    },
    cel: "capability.amount > 20.0 && context.env == 'ci' && capability.kind in ['invoice', 'refund', 'salary']",
  },
  {
    title: 'a choice with arithmetic',
    json: {
      if: [
        { '==': [variable('context.env'), 'ci'] },
        { '<': [{ '+': [variable('capability.amount'), variable('args.fee')] }, 60] },
        { '!=': [variable('capability.kind'), 'salary'] },
      ],
    },
    cel: "context.env == 'ci' ? capability.amount + args.fee < 60.0 : capability.kind != 'salary'",
  },
];

export interface ConditionTimes {
  readonly title: string;
  /** Nanoseconds an evaluation, by who evaluates. */
  readonly times: Readonly<Record<string, number>>;
}

export const ownName = 'Ambit';

/** Every contender gives the same truth for the same 1000 calls before the clock runs. */
export function compareConditions(): readonly ConditionTimes[] {
  return conditions.map(({ title, json, cel }) => {
    const scenes = scenesOf();
    const list = contendersFor(json, cel);
    const [[, reference] = ['', () => false]] = list;
    for (const [name, holds] of list)
      for (const scene of scenes)
        if (holds(scene) !== reference(scene)) throw new Error(`${name} gives another truth to ${title}`);
    return {
      title,
      times: Object.fromEntries(timeAll(list.map(([name, holds]) => timed(name, holds, scenes)))),
    };
  });
}

type Scene = CallView & { readonly capability: Capability };
type Holds = (scene: Scene) => boolean;

function contendersFor(json: Json, cel: string): readonly (readonly [string, Holds])[] {
  const own = compileCondition(ruleCondition(partsOf(written(json))));
  const built = new LogicEngine().build(json) as (scene: unknown) => unknown;
  const program = parse(cel);
  return [
    [ownName, (scene) => own(scene.capability, { request: scene }) === true],
    ['json-logic-js', (scene) => jsonLogic.apply(json as never, scene) === true],
    ['json-logic-engine, built', (scene) => built(scene) === true],
    ['@marcbachmann/cel-js, parsed', (scene) => program(scene as never) === true],
  ];
}

/** The condition as a policy file has it. */
function written(when: Json): WrittenNamedRule {
  const capabilities = { 'pay.out': { decision: 'pre_approved', when } };
  const text = JSON.stringify({ version: 1, default: 'blocked', capabilities });
  const loaded = loadPolicyText('condition.yaml', text, { home: '/home/ada', root: '/w' });
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  const [rule] = loaded.policy.document.rules;
  if (rule === undefined || !('name' in rule)) throw new Error('the policy has a rule');
  return rule;
}

function scenesOf(): readonly Scene[] {
  const random = seeded(7);
  return Array.from({ length: 1_000 }, () => ({
    capability: {
      name: 'pay.out',
      amount: Math.floor(random() * 100),
      kind: ['invoice', 'refund', 'salary', 'other'][Math.floor(random() * 4)] as string,
    },
    args: { fee: Math.floor(random() * 20) },
    tool: 'bank.pay',
    toolset: 'bank',
    worker: 'main',
    chain: ['main'],
    context: { env: random() < 0.5 ? 'ci' : 'dev' },
    now: 0,
  }));
}

function timed(name: string, holds: Holds, scenes: readonly Scene[]): Timed {
  let next = 0;
  return {
    name,
    run: (times) => {
      for (let time = 0; time < times; time += 1) {
        holds(scenes[next] as Scene);
        next = next + 1 === scenes.length ? 0 : next + 1;
      }
    },
  };
}
