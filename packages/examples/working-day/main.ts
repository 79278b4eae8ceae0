import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Approver, printable, type Question } from '@ambit/core';
import { callsIn } from '../calls.js';
import { runToEnd } from '../run-to-end.js';
import { withScratch } from '../scratch.js';
import { type Call, conversations } from './conversations.js';
import { makeRepository } from './repository.js';

/** The most questions in a day. */
const mostQuestions = 10;

const script = (calls: readonly Call[]) =>
  JSON.stringify({
    main: [...calls.map(([tool, args]) => ({ call: [{ tool, args }] })), { say: 'done' }],
  });

await withScratch(async ({ folder, environment }) => {
  const home = join(folder, 'home');
  const root = await makeRepository(folder, home);
  const asked: string[] = [];
  // A person who keeps only the answers about builds and tests, for the same command line.
  const answer = ({ args, keep }: Question) => {
    const command = typeof args.command === 'string' ? args.command : '';
    asked.push(command);
    const isKept = keep?.remember === 'always' && /^npm (?:test|run build)$/.test(command);
    const approved = { answer: 'approve', person: 'example' } as const;
    return isKept ? { ...approved, keep: { remember: 'always', reach: 'arguments' } as const } : approved;
  };
  const approver: Approver = { ask: async (question) => answer(question) };
  let calls = 0;
  for (const [name, turns] of Object.entries(conversations)) {
    const before = asked.length;
    const file = join(folder, 'script.yaml');
    writeFileSync(file, script(turns));
    const events = await runToEnd(`Please ${name}`, {
      root,
      policies: [join(root, 'policy.yaml')],
      workers: join(root, 'main.worker'),
      model: `script:${file}`,
      mode: 'interactive',
      approver,
      environment: { ...environment, HOME: home },
    });
    const made = callsIn(events);
    calls += made.length;
    const refused = made.filter(({ came }) => came !== 'completed');
    assert.deepEqual(refused, [], `${name}: a call was refused`);
    process.stdout.write(
      `${name.padEnd(10)} ${made.length} calls, asked: ${printable(asked.slice(before).join('; ')) || 'nothing'}\n`,
    );
  }
  assert(asked.length <= mostQuestions, `${asked.length} questions: ${asked.join('; ')}`);
  const pushed = execFileSync('git', ['log', '--oneline', 'main'], { cwd: join(root, 'remote.git') });
  assert.equal(pushed.toString().trim().split('\n').length, 3, 'three commits are pushed');
  process.stdout.write(
    `a day of ${Object.keys(conversations).length} conversations: ${calls} calls, ${asked.length} questions\n`,
  );
});
