import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { runAt, sessionAt, type Workplace, worker, workplace } from '../session.js';
import { endpoint, say, use } from './messages-endpoint.js';

const failing = (place: Workplace) => `
import { readFileSync } from 'node:fs';
const tool = (name, execute) => ({
  name, description: name, input: { json: { type: 'object' }, parse: (value) => ({ ok: true, value }) },
  describe: () => ({ capabilities: [{ name: 'crm.say' }] }), execute,
});
export default {
  name: 'crm', capabilities: [],
  tools: [
    tool('read', () => readFileSync('${place.path('out/gone/a.txt')}')),
    tool('held', () => readFileSync('/proc/self/fd/99999/gone.txt')),
    tool('state', () => { throw new Error('cannot lock ${place.state}/x.lock; see ${dirname(place.root)}/notes'); }),
    tool('said', ({ path }) => { throw new Error('no such thing: ' + path); }),
    tool('far', () => readFileSync('/var/lib/nowhere/secret-name')),
  ],
};
`;

/** What the model was told about one call, and whether the log says all of it. */
async function told(call: readonly [string, Json], change: (place: Workplace) => void = () => {}) {
  const place = workplace({
    'policy.yaml': {
      version: 1,
      default: 'pre_approved',
      capabilities: { 'fs.delete': { id: 'keep', decision: 'blocked', reason: 'nothing is deleted' } },
    },
    'main.worker': worker({
      sandbox: { paths: { out: { root: './out', mode: 'rw' } } },
      toolsets: { filesystem: {}, delegation: {}, './crm.mjs': {} },
    }),
    'taken.worker': worker(),
    'out/a.txt': 'alpha',
  });
  writeFileSync(place.path('crm.mjs'), failing(place));
  change(place);
  const { asked, options } = await endpoint([use(call), say('done')]);
  const { events } = await runAt(place, { ...options, open: true, mode: 'approve_all' });
  const results = asked.flatMap(({ messages }) => messages.flatMap(({ content }) => content));
  const texts = results.flatMap(({ type, content }) =>
    type === 'tool_result' && typeof content === 'string' ? [content] : [],
  );
  return { text: texts[0] ?? '', place, events };
}

const create = (name: string): readonly [string, Json] => [
  'worker_create',
  { name, description: 'd', instructions: 'Work.', toolsets: [] },
];

describe('text for a model', () => {
  it.each<readonly [string, readonly [string, Json], string]>([
    ['a name in use', create('taken'), 'there is a worker `taken` already'],
    ['a missing file of the root', ['read', {}], 'failed: ENOENT: no such file or directory'],
    ['a file behind an open folder', ['held', {}], 'failed: ENOENT: no such file or directory: `gone.txt`'],
    ['the state folder', ['state', {}], 'failed: cannot lock the state folder/x.lock; see ~/notes'],
    ['a file elsewhere on the machine', ['far', {}], 'failed: ENOENT: no such file or directory'],
    ['a rule’s place', ['delete_file', { path: 'out/a.txt' }], 'rule: keep (policy.yaml:1:'],
  ])('contains no path of the host: %s', async (_, call, words) => {
    const { text, place } = await told(call);
    expect(text).toContain(words);
    expect(text).not.toContain(place.root);
    expect(text).not.toContain(dirname(place.root));
    expect(text).not.toMatch(/\/proc\/|\/var\/lib/);
  });

  it('shows a path of a root in its sandbox form', async () => {
    expect((await told(['read', {}])).text).toContain('`out/gone/a.txt`');
  });

  it('keeps a path from the model itself', async () => {
    const { text } = await told(['said', { path: '/proc/self/fd/3/x and /etc/none' }]);
    expect(text).toBe('failed: no such thing: /proc/self/fd/3/x and /etc/none');
  });

  it('does not change the log', async () => {
    const { events, place } = await told(['read', {}]);
    expect(events.find(({ outcome }) => outcome === 'failed')?.error).toContain(place.path('out/gone/a.txt'));
  });

  it('contains no path if a worker cannot be written', async () => {
    const { text, place } = await told(create('fresh'), ({ path }) =>
      writeFileSync(path('generated'), 'a file'),
    );
    expect(text).toMatch(/^(failed|refused)/);
    expect(text).not.toContain(place.root);
    expect(text).not.toContain('/proc/');
  });
});

describe('worker_create, called by a program', () => {
  it('names the existing file, relative to the folder of the workers', async () => {
    const place = workplace({
      'policy.yaml': { version: 1, default: 'pre_approved' },
      'main.worker': worker({ toolsets: { delegation: {} } }),
      'script.yaml': { main: [{ say: 'x' }] },
    });
    mkdirSync(place.path('generated'));
    writeFileSync(place.path('generated/made.worker'), worker());
    const session = await sessionAt(place, { open: true, mode: 'approve_all' });
    const outcome = await session.createWorker({ name: 'made', description: 'd', instructions: 'Work.' });
    expect(outcome).toMatchObject({
      refusal: { reason: `there is a worker \`made\` already: ${join('generated', 'made.worker')}` },
    });
    rmSync(place.path('generated'), { recursive: true });
  });
});
