import type { Json } from '@ambit/core';
import { type Expression, loadPolicyText } from '@ambit/policy';
import { parse } from '@marcbachmann/cel-js';
import { LogicEngine } from 'json-logic-engine';
import jsonLogic from 'json-logic-js';
import { evaluateCondition } from '../packages/policy/src/condition/evaluate.js';
import { seeded } from './random.js';
import { type Timed, timeAll } from './timing.js';

/** A condition as policies have them, in JSON Logic and in CEL. */
interface Written {
  readonly title: string;
  readonly json: Json;
  readonly cel: string;
}

const variable = (name: string): Json => ({ var: name });
const written: readonly Written[] = [
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
  return written.map(({ title, json, cel }) => {
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

type Holds = (scene: Json) => boolean;

function contendersFor(json: Json, cel: string): readonly (readonly [string, Holds])[] {
  const expression = expressionOf(json);
  const built = new LogicEngine().build(json) as (scene: unknown) => unknown;
  const program = parse(cel);
  return [
    [ownName, (scene) => evaluateCondition(expression, scene) === true],
    ['json-logic-js', (scene) => jsonLogic.apply(json as never, scene) === true],
    ['json-logic-engine, built', (scene) => built(scene) === true],
    ['@marcbachmann/cel-js, parsed', (scene) => program(scene as never) === true],
  ];
}

function expressionOf(json: Json): Expression {
  const rule = { decision: 'pre_approved', when: json };
  const text = JSON.stringify({ version: 1, default: 'blocked', capabilities: { 'pay.out': rule } });
  const loaded = loadPolicyText('condition.yaml', text, { home: '/home/ada', root: '/w' });
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message);
  const [first] = loaded.policy.document.rules;
  if (first?.when == null) throw new Error('the rule has a condition');
  return first.when.expression;
}

function scenesOf(): readonly Json[] {
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
  }));
}

function timed(name: string, holds: Holds, scenes: readonly Json[]): Timed {
  let next = 0;
  return {
    name,
    run: (times) => {
      for (let time = 0; time < times; time += 1) {
        holds(scenes[next] as Json);
        next = next + 1 === scenes.length ? 0 : next + 1;
      }
    },
  };
}
