import type { Json, KeptAnswer, Question } from '@ambit/core';
import type { AskedQuestion, Step, StoredAnswer, StoredRun } from '../../src/store/store.js';

export function run(id: string): StoredRun {
  return {
    id,
    begun: 1000,
    worker: 'main',
    mode: 'interactive',
    log: '/w/.ambit/log/a.jsonl',
    pid: 42,
    options: { policies: ['policy.yaml'] },
  };
}

export function executing(call: string): Step {
  return { step: 'executing', call };
}

export function asked(id: string, digest = 'one'): AskedQuestion {
  return { run: 'a', question: question(id), digest, asked: 1000 };
}

export function question(id: string): Question {
  return {
    id,
    call: 'c1',
    chain: ['main'],
    tool: 'filesystem.write_file',
    summary: 'write a.md',
    args: { path: 'a.md', content: 'x' },
    capabilities: [{ capability: { name: 'fs.write', path: '/w/a.md' }, words: 'writes /w/a.md' }],
    asked_by: [],
    reason: null,
    instead: null,
    keep: null,
    preview: null,
    again: null,
  } as unknown as Question;
}

export function given(digest: string, person = 'ada') {
  return { digest, answer: { answer: 'approve', person }, at: 2000 } as const;
}

export function kept(approval: string): StoredAnswer {
  const answer = {
    source: 'kept',
    approval,
    person: 'ada',
    chain: ['main'],
    tool: 'filesystem.write_file',
    args: { path: 'a.md' },
    shown: [{ name: 'fs.write', path: '/w/a.md' }],
    remember: 'always',
    reach: 'file',
    policies: ['policy.yaml'],
  } as const satisfies KeptAnswer;
  return { answer, run: 'a', at: 1000, tool: 'aa', policies: ['bb'], revoked: null };
}

export function nested(depth: number): Json {
  return depth === 0 ? 'in' : [nested(depth - 1)];
}
