import type { Question } from '@ambit/runtime';

/** A question about a file write. */
export const question: Question = {
  id: 'q1',
  call: 'c1',
  chain: ['orchestrator', 'evaluator'],
  tool: 'filesystem.write_file',
  summary: null,
  args: { path: 'out/a.md', content: 'one\ntwo and a half\nthree\n' },
  capabilities: [
    {
      capability: { name: 'fs.write', path: '/work/out/a.md', bytes: 25 },
      words: 'write /work/out/a.md',
    },
    { capability: { name: 'fs.list', path: '/work/out' }, words: 'list /work/out' },
  ],
  asked_by: [
    {
      capability: 0,
      policy: 'policy.yaml',
      decision: 'needs_approval',
      default: false,
      rules: [{ id: 'drafts', at: 'policy.yaml:12:5', decision: 'needs_approval' }],
      undecided: [],
      answer: 'any',
      answered_by: null,
    },
    {
      capability: 0,
      policy: 'org.yaml',
      decision: 'needs_approval',
      default: true,
      rules: [],
      undecided: [],
      answer: 'any',
      answered_by: null,
    },
  ],
  reason: 'drafts are looked at before they are written',
  rule: null,
  instead: null,
  keep: { remember: 'run', reach: 'folder' },
  preview: { path: '/work/out/a.md', before: 'one\ntwo\nthree\n', after: 'one\ntwo and a half\nthree\n' },
  again: null,
};
