import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { questionText } from '../../src/questions/question-text.js';
import { questionsOf, type Scene } from './asked-questions.js';

const filesystem = '  filesystem: {}';
const write = (path: string, content = 'x\n') => ['write_file', { path, content }] as const;
const serve = fileURLToPath(new URL('../../../toolsets/test/mcp/serve.mjs', import.meta.url));

/** By the name of the file that holds what is shown. */
const scenes: Readonly<Record<string, Scene>> = {
  'file-write': {
    toolsets: filesystem,
    files: { 'out/a.md': 'one\ntwo\n' },
    turns: [[write('out/a.md', 'one\nthree\n')]],
  },
  'worker-call-with-attachments': {
    toolsets: '  delegation: { allow_workers: [helper] }',
    files: {
      'main.worker': `name: main
sandbox: { paths: { in: { root: ./in, mode: ro, read_approval: true } } }
toolsets: { delegation: { allow_workers: [helper] } }
---
Work.
`,
      'helper.worker': 'name: helper\ndescription: Scores\n---\nScore.\n',
      'in/a.txt': 'aaa',
      'in/b.txt': 'bbbb',
    },
    turns: [
      [['worker_call', { worker: 'helper', input: 'score them', attachments: ['in/a.txt', 'in/b.txt'] }]],
    ],
    answers: [{ answer: 'approve' }],
    policy: { capabilities: { 'fs.read': 'pre_approved', 'content.untrusted': 'pre_approved' } },
  },
  'worker-creation': {
    toolsets: '  filesystem: {}\n  delegation: { allow_workers: [] }',
    turns: [
      [
        [
          'worker_create',
          {
            name: 'helper',
            instructions: 'Score decks.',
            description: 'Scores',
            toolsets: { filesystem: {} },
          },
        ],
      ],
    ],
  },
  'shell-command': {
    toolsets: '  shell: {}',
    files: { 'out/notes.txt': 'b\na\n' },
    turns: [[['run', { command: "sort notes.txt 'other notes.txt' > sorted.txt" }]]],
  },
  http: { toolsets: '  http: {}', turns: [[['fetch', { url: 'https://a.example/x?q=1' }]]] },
  mcp: {
    toolsets: `  mcp-notes: { command: ${JSON.stringify(process.execPath)}, args: [server.mjs] }`,
    files: {
      'server.mjs': `import { serve, tool } from ${JSON.stringify(serve)};
serve({ tools: [tool('search', { description: 'Searches the notes.' })] });
`,
    },
    turns: [[['search', { text: 'decks' }]]],
    policy: { tools: { 'toolset.start': 'pre_approved' } },
  },
  // Once no, then twice at once; edited into something else; refused, and something else.
  'equal-calls-edited-and-asked-again': {
    toolsets: filesystem,
    turns: [[write('out/a.md')], [write('out/a.md'), write('out/a.md')], [write('out/b.md')]],
    answers: [
      { answer: 'refuse', ask_again: true, note: 'not yet' },
      { answer: 'approve', args: { path: 'out/c.md', content: 'y\n' } },
      { answer: 'refuse' },
    ],
  },
};

describe('the shown question', () => {
  it.each(Object.entries(scenes))('of %s equals its golden text', async (name, scene) => {
    const questions = await questionsOf(scene);
    const texts = questions.map((question) =>
      questionText(question, { width: 80, colour: false, whole: false }),
    );
    const golden = new URL(`./golden/${name}.txt`, import.meta.url);
    expect(texts.join('\n')).toBe(readFileSync(golden, 'utf8'));
    expect(texts.flatMap((text) => text.split('\n')).filter((line) => line.length > 80)).toEqual([]);
  });
});
