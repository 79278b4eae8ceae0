import { type Answer, defineTool, defineToolset } from '@ambit/core';
import * as z from 'zod';
import { type Question, resume } from '../src/index.js';
import type { Store } from '../src/store/store.js';
import { calls, type Files, no, type Options, sessionAt, type Workplace, worker, yes } from './session.js';

/** A tool with an effect that must not be repeated. */
export function ledger() {
  const lines: string[] = [];
  const add = defineTool({
    name: 'add',
    description: 'adds a line',
    input: z.strictObject({ line: z.string() }),
    describe: ({ line }) => ({ capabilities: [{ name: 'ledger.add', line }] }),
    execute: ({ line }) => {
      lines.push(line);
      return `added ${line}`;
    },
  });
  return { lines, toolset: defineToolset({ name: 'ledger', tools: [add] }) };
}

export const add = (line: string) => ['add', { line }] as const;

export const files: Files = {
  'policy.yaml': {
    version: 1,
    default: 'needs_approval',
    capabilities: { 'ledger.add': 'needs_approval', 'worker.call': 'pre_approved' },
  },
  'main.worker': worker({ toolsets: { ledger: {}, helper: {} } }),
  'helper.worker': worker({ toolsets: { ledger: {} } }),
  'script.yaml': {
    main: [
      calls(add('one'), add('two')),
      calls(['helper', { input: 'go' }], add('three')),
      { say: 'all is done' },
    ],
    helper: [calls(add('four')), calls(add('five')), { say: 'helped' }],
  },
};

export const everything = ['five', 'four', 'one', 'three', 'two'];

/** A store that is gone after so many steps: the last of them was kept or not, and the process does not know. */
export function dying(store: Store, after: number, isKept: boolean): Store {
  let left = after;
  const alive = <T>(work: () => Promise<T>): Promise<T> =>
    left < 0 ? Promise.reject(new Error('the process is gone')) : work();
  return {
    ...store,
    append: async (run, steps) => {
      left -= 1;
      if (left < 0 && !(left === -1 && isKept)) throw new Error('the process is gone');
      await store.append(run, steps);
      if (left < 0) throw new Error('the process is gone');
    },
    setStatus: (...given) => alive(() => store.setStatus(...given)),
  };
}

export interface Asked {
  readonly questions: Question[];
  readonly answers: Map<string, number>;
}

/** Says yes, but to nothing that may be done already; counts how often it was asked about each line. */
export function approving(asked: Asked) {
  return async (question: Question): Promise<Answer> => {
    asked.questions.push(question);
    const line = question.args.line as string;
    asked.answers.set(line, (asked.answers.get(line) ?? 0) + 1);
    return question.again === null ? yes : no;
  };
}

export const nobodyAsked = (): Asked => ({ questions: [], answers: new Map() });

export async function interrupted(place: Workplace, options: Options): Promise<string> {
  const session = await sessionAt(place, options);
  await session.run({ input: 'work' });
  await session.close();
  return session.id;
}

export async function resumed(place: Workplace, run: string, options: Partial<Parameters<typeof resume>[1]>) {
  const opened = await resume(run, { root: place.root, environment: environmentOf(place), ...options });
  if (!opened.ok) throw new Error(opened.problems.map(({ message }) => message).join('\n'));
  const result = await opened.session.run({});
  await opened.session.close();
  return { ...result, log: opened.session.log, id: opened.session.id };
}

export function environmentOf({ state }: Workplace) {
  return { HOME: `${state}/..`, AMBIT_HOME: state };
}
