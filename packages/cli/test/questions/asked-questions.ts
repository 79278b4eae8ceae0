import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Answer, Json } from '@ambit/core';
import { type Approver, open, type Question } from '@ambit/runtime';
import { temporaryFolder } from '../../../../test/temporary-folder.js';

/** What a model calls: the tool, and its arguments. */
export type Call = readonly [tool: string, args: Json];

export interface Scene {
  readonly files?: Readonly<Record<string, string>>;
  readonly toolsets: string;
  /** A turn of the model each. */
  readonly turns: readonly (readonly Call[])[];
  /** To the first, second, … question; the last is repeated. No to all by default. */
  readonly answers?: readonly object[];
  readonly policy?: object;
}

/** The questions that a run asks, as a person is shown them; its folder is `/work`, and its ids are `CALL-1`, … */
export async function questionsOf(scene: Scene): Promise<readonly Question[]> {
  const folder = temporaryFolder('ambit-asked-');
  const root = join(folder, 'work');
  const files = {
    'main.worker': `name: main
sandbox: { paths: { in: { root: ./in, mode: ro }, out: { root: ./out, mode: rw } } }
toolsets:
${scene.toolsets}
---
Work.
`,
    'policy.yaml': JSON.stringify({
      version: 1,
      default: 'needs_approval',
      grants: { remember: 'always', reach: 'capability' },
      ...scene.policy,
    }),
    'script.yaml': JSON.stringify({
      main: [
        ...scene.turns.map((calls) => ({ call: calls.map(([tool, args]) => ({ tool, args })) })),
        { say: 'done' },
      ],
    }),
    'in/.keep': '',
    'out/.keep': '',
    ...scene.files,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const asked: Question[] = [];
  const answers = scene.answers ?? [{ answer: 'refuse' }];
  const approver: Approver = {
    ask: (question) => {
      asked.push(question);
      const answer = answers[Math.min(asked.length, answers.length) - 1];
      return Promise.resolve({ ...answer, person: 'ana' } as unknown as Answer);
    },
  };
  const opened = await open({
    root,
    policies: ['policy.yaml'],
    workers: join(root, 'main.worker'),
    model: 'script:script.yaml',
    mode: 'interactive',
    approver,
    environment: { HOME: folder, AMBIT_HOME: join(folder, 'state'), PATH: process.env.PATH ?? '' },
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  await opened.session.run({});
  await opened.session.close();
  return asked.map((question) => {
    const calls = new Map<string, string>();
    const text = JSON.stringify(question)
      .replaceAll(root, '/work')
      .replace(/"at":\d+/g, '"at":0')
      .replace(/[0-9a-f]{64}/g, 'd'.repeat(64))
      .replace(/[0-9a-z]{8}-[0-9a-f]{12}/g, (id) => {
        if (!calls.has(id)) calls.set(id, `CALL-${calls.size + 1}`);
        return calls.get(id) ?? id;
      });
    return JSON.parse(text) as Question;
  });
}
