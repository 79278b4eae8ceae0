import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import type { Json } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import {
  asking,
  calls,
  callsIn,
  carriedBy,
  type Files,
  reasonsIn,
  runAt,
  type Workplace,
  worker,
  workplace,
  write,
  yes,
} from '../session.js';

const input = { paths: { input: { root: './in', mode: 'ro' } } };
const share = (attachments: readonly string[]): Json => calls(['helper', { input: 'score', attachments }]);
const open = {
  version: 1,
  default: 'needs_approval',
  capabilities: {
    'worker.call': 'pre_approved',
    'data.share': 'pre_approved',
    'fs.read': 'pre_approved',
    'content.untrusted': 'pre_approved',
  },
};
const files: Files = {
  'policy.yaml': open,
  'main.worker': worker({ sandbox: input, toolsets: { helper: {} } }),
  'helper.worker': worker(),
  'in/a.txt': 'alpha',
  'in/b.txt': 'beta',
  'secret.txt': 'secret',
};

const handing = (attachments: readonly string[], more: Files = {}): Files => ({
  ...files,
  // What the helper says shows what it was given: a turn for a text takes part where that text was read.
  'script.yaml': {
    main: [share(attachments), { say: 'done' }],
    helper: [{ for: 'score', say: 'scored' }],
  },
  ...more,
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The outcome of the only call, and why. */
async function handedOver(place: Workplace) {
  const { events } = await runAt(place);
  return [callsIn(events)[0]?.[3], ...reasonsIn(events)];
}

describe('an attachment', () => {
  it.each(['input/a.txt/', 'input/a.txt/.', 'input/a.txt/x/..'])(
    'does not refer to a file by a folder’s path: %s',
    async (name) => {
      expect(await handedOver(workplace(handing([name])))).toEqual([
        'cannot',
        expect.stringContaining('is not a folder, and the path names a folder'),
      ]);
    },
  );

  it('is a `data.share` with path, bytes, worker and digest, besides the read', async () => {
    const place = workplace(handing(['input/a.txt', 'input/b.txt']));
    const { events } = await runAt(place);
    expect(callsIn(events)).toEqual([['main', 'worker.helper', 'pre_approved', 'completed']]);
    const carried = ([name, text]: readonly [string, string]) => [
      {
        name: 'data.share',
        path: place.path(name),
        bytes: text.length,
        worker: 'helper',
        sha256: sha256(text),
      },
      { name: 'fs.read', path: place.path(name), by: 'toolset:worker' },
      { name: 'content.untrusted', source: place.path(name) },
    ];
    expect(carriedBy(events, 'worker.helper')).toEqual([
      { name: 'worker.call', worker: 'helper', attachments: 2 },
      ...carried(['in/a.txt', 'alpha']),
      ...carried(['in/b.txt', 'beta']),
    ]);
  });

  it('is not untrusted content if the root says so', async () => {
    const sandbox = { paths: { input: { ...input.paths.input, untrusted: false } } };
    const main = worker({ sandbox, toolsets: { helper: {} } });
    const { events } = await runAt(workplace(handing(['input/a.txt'], { 'main.worker': main })));
    expect(carriedBy(events, 'worker.helper').map(({ name }) => name)).toEqual([
      'worker.call',
      'data.share',
      'fs.read',
    ]);
  });

  it('is a secret if its path is one', async () => {
    const { events } = await runAt(workplace(handing(['input/.env'], { 'in/.env': 'KEY=1' })));
    expect(carriedBy(events, 'worker.helper').map(({ name }) => name)).toContain('secret.read');
    expect(callsIn(events)[0]?.slice(2)).toEqual(['needs_approval', 'strict']);
  });

  it.each([
    ['outside of the roots', 'secret.txt', 'begins with no root'],
    ['outside of a root by `..`', 'input/../secret.txt', 'leaves the root'],
    ['far above a root', 'input/../../../../etc/passwd', 'leaves the root'],
    ['absolute', '/etc/passwd', 'is an absolute path'],
    ["in a root of the callee's", 'output/a.txt', 'begins with no root'],
    ['missing', 'input/gone.txt', 'does not exist'],
    ['a folder', 'input/folder', 'is a folder'],
    ['a root itself', 'input', 'is a root itself'],
    ['a pipe', 'input/pipe.txt', 'is neither a file nor a folder'],
    ['a link out of the root', 'input/link.txt', 'leads out of the sandbox through a link'],
    ['in a linked folder outside of the root', 'input/way/secret.txt', 'leads out of the sandbox'],
    ['a link to nothing', 'input/dangling.txt', 'does not exist'],
    ['nothing', '', 'begins with no root'],
    ['a path with a line break', 'input/a.txt\n', 'does not exist'],
  ])('is refused without effect and recorded if it is %s', async (_, name, reason) => {
    const helper = worker({ sandbox: { paths: { output: { root: './out', mode: 'rw' } } } });
    const place = workplace(handing([name], { 'helper.worker': helper, 'out/a.txt': 'x' }));
    mkdirSync(place.path('in/folder'));
    execFileSync('mkfifo', [place.path('in/pipe.txt')]);
    symlinkSync('../secret.txt', place.path('in/link.txt'));
    symlinkSync('..', place.path('in/way'));
    symlinkSync('nowhere', place.path('in/dangling.txt'));
    expect(await handedOver(place)).toEqual(['cannot', expect.stringContaining(reason)]);
  });

  it('reports both paths if a link leads to it in the root', async () => {
    const place = workplace(handing(['input/link.txt']));
    symlinkSync('a.txt', place.path('in/link.txt'));
    const { events } = await runAt(place);
    const shared = carriedBy(events, 'worker.helper').filter(({ name }) => name === 'data.share');
    expect(shared.map(({ path }) => path)).toEqual([place.path('in/link.txt'), place.path('in/a.txt')]);
  });

  it('must match the suffixes and the size of its root', async () => {
    const sandbox = { paths: { input: { ...input.paths.input, suffixes: ['.txt'], max_file_bytes: 4 } } };
    const main = worker({ sandbox, toolsets: { helper: {} } });
    const more = { 'main.worker': main, 'in/a.md': 'x' };
    expect((await handedOver(workplace(handing(['input/b.txt'], more))))[0]).toBe('completed');
    expect((await handedOver(workplace(handing(['input/a.md'], more))))[0]).toBe('cannot');
    expect(await handedOver(workplace(handing(['input/a.txt'], more)))).toEqual([
      'cannot',
      '`input/a.txt` holds 5 bytes, and at most 4 may be read',
    ]);
  });

  describe.each([
    ['caller', 'main'],
    ['callee', 'helper'],
  ])('under the limits of the %s', (_, name) => {
    const limited = (attachments: Json, names: readonly string[]) => {
      const place = workplace(
        handing(names, {
          'main.worker': worker({
            sandbox: input,
            toolsets: { helper: {} },
            ...(name === 'main' ? { attachments } : {}),
          }),
          'helper.worker': worker(name === 'helper' ? { attachments } : {}),
          'in/c.PDF': 'gamma',
          'in/d.tar.gz': 'delta',
        }),
      );
      symlinkSync('a.txt', place.path('in/a.md'));
      return place;
    };
    const both = ['input/a.txt', 'input/b.txt'];

    it.each([
      ['too many', { max_count: 1 }, both, `${name} takes at most 1 attachments at once, not 2`],
      [
        'one too many',
        { max_count: 0 },
        ['input/a.txt'],
        `${name} takes at most 0 attachments at once, not 1`,
      ],
      [
        'too many of the same',
        { max_count: 2 },
        ['input/a.txt', 'input/a.txt', 'input/a.txt'],
        `${name} takes at most 2 attachments at once, not 3`,
      ],
      [
        'too large together',
        { max_total_bytes: 8 },
        both,
        `${name} takes at most 8 bytes of attachments at once, not 9`,
      ],
      [
        'denied',
        { deny: ['.txt'] },
        both,
        `${name} takes no attachment like \`input/a.txt\`: none that ends in .txt`,
      ],
      [
        'denied, and named with a slash at its end',
        { deny: ['.txt'] },
        ['input/a.txt/'],
        '`input/a.txt` is not a folder, and the path names a folder: leave out what follows the name',
      ],
      [
        'denied, and named with more behind it that says nothing',
        { deny: ['.txt'] },
        ['input//a.txt/./.'],
        '`input/a.txt` is not a folder, and the path names a folder: leave out what follows the name',
      ],
      [
        'denied, through a link with another name',
        { deny: ['.txt'] },
        ['input/a.md'],
        `${name} takes no attachment like \`input/a.md\`: none that ends in .txt`,
      ],
      [
        'not allowed, through a link with another name',
        { allow: ['.md'] },
        ['input/a.md'],
        `${name} takes no attachment like \`input/a.md\`: only .md`,
      ],
      [
        'denied in other letters',
        { deny: ['.pdf'] },
        ['input/c.PDF'],
        `${name} takes no attachment like \`input/c.PDF\`: none that ends in .pdf`,
      ],
      [
        'denied by the end of its end',
        { deny: ['.gz'] },
        ['input/d.tar.gz'],
        `${name} takes no attachment like \`input/d.tar.gz\`: none that ends in .gz`,
      ],
      [
        'not allowed',
        { allow: ['.pdf'] },
        both,
        `${name} takes no attachment like \`input/a.txt\`: only .pdf`,
      ],
      [
        'allowed and denied',
        { allow: ['.txt'], deny: ['.txt'] },
        both,
        `${name} takes no attachment like \`input/a.txt\`: none that ends in .txt`,
      ],
    ])('it is refused if it is %s', async (_title, attachments, names, reason) => {
      expect(await handedOver(limited(attachments, names))).toEqual(['cannot', reason]);
    });

    it.each([
      ['count', { max_count: 2 }],
      ['bytes', { max_total_bytes: 9 }],
      ['suffix', { allow: ['.txt'], deny: ['.pdf'] }],
    ])('it is handed over if just within the %s', async (_title, attachments) => {
      expect(await handedOver(limited(attachments, both))).toEqual(['completed']);
    });
  });

  it.each<[string, string | Buffer, string]>([
    ['empty', '', '`input/x.pdf` is empty'],
    [
      'neither a PDF, nor an image, nor text',
      Buffer.from('%PDX\0\xff', 'latin1'),
      '`input/x.pdf` is neither a PDF, nor an image, nor text: no model can read it',
    ],
  ])('is refused before any question if it is %s', async (_, content, reason) => {
    const place = workplace(
      handing(['input/a.txt', 'input/x.pdf'], { 'policy.yaml': { version: 1, default: 'needs_approval' } }),
    );
    writeFileSync(place.path('in/x.pdf'), content);
    const { approver, questions } = asking(() => yes);
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect([callsIn(events)[0]?.[3], ...reasonsIn(events), questions.length]).toEqual(['cannot', reason, 0]);
  });

  it('is not read if there are too many', async () => {
    const place = workplace(
      handing(
        Array.from({ length: 20_000 }, () => 'input/big.txt'),
        { 'in/big.txt': 'x'.repeat(1_000_000) },
      ),
    );
    expect(await handedOver(place)).toEqual([
      'cannot',
      'main takes at most 10 attachments at once, not 20000',
    ]);
  });
});

describe('an attachment that changes during a question', () => {
  const asked = { ...open, capabilities: { ...open.capabilities, 'data.share': 'needs_approval' } };

  it.each([
    ['by its content', ({ path }: Workplace) => writeFileSync(path('in/a.txt'), 'other')],
    ['for another file', ({ path }: Workplace) => renameSync(path('in/b.txt'), path('in/a.txt'))],
    [
      'for a link to another file',
      ({ path }: Workplace) => {
        unlinkSync(path('in/a.txt'));
        symlinkSync('b.txt', path('in/a.txt'));
      },
    ],
  ])('is asked about again if replaced %s', async (_, change) => {
    const place = workplace(handing(['input/a.txt'], { 'policy.yaml': asked }));
    const { approver, questions } = asking(() => {
      if (questions.length === 1) change(place);
      return questions.length === 1 ? yes : { answer: 'refuse', person: 'ada' };
    });
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(questions.map(({ again }) => again)).toEqual([null, 'the call changed while it waited']);
    expect(callsIn(events)[0]?.[3]).toBe('denied');
  });

  it('is not handed over if it now leads out of the root', async () => {
    const place = workplace(handing(['input/a.txt'], { 'policy.yaml': asked }));
    const { approver, questions } = asking(() => {
      unlinkSync(place.path('in/a.txt'));
      symlinkSync('../secret.txt', place.path('in/a.txt'));
      return yes;
    });
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect([questions.length, callsIn(events)[0]?.[3]]).toEqual([1, 'cannot']);
  });

  it('is not handed over if it is missing', async () => {
    const place = workplace(handing(['input/a.txt'], { 'policy.yaml': asked }));
    const { approver } = asking(() => {
      unlinkSync(place.path('in/a.txt'));
      return yes;
    });
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(callsIn(events)[0]?.[3]).toBe('cannot');
  });

  it('is abandoned if it changes each time', async () => {
    const place = workplace(handing(['input/a.txt'], { 'policy.yaml': asked }));
    const { approver, questions } = asking(() => {
      writeFileSync(place.path('in/a.txt'), `version ${questions.length}`);
      return yes;
    });
    const { events } = await runAt(place, { mode: 'interactive', approver });
    expect(callsIn(events)[0]?.[3]).toBe('unsettled');
  });

  it('is not handed over if it changes after the judgement, even before the call begins', async () => {
    const place = workplace(handing(['input/a.txt']));
    const started: string[] = [];
    const { events } = await runAt(place, {
      onEvent: (event) => {
        if (event.type === 'worker_started') started.push(event.chain.join(' > '));
        // The decision is durable, and nothing has been done yet.
        if (event.type === 'recorded' && event.event.event === 'decision')
          writeFileSync(place.path('in/a.txt'), 'other');
      },
    });
    expect(reasonsIn(events)).toEqual(['input/a.txt changed after the call was judged']);
    expect([callsIn(events)[0]?.[3], started]).toEqual(['failed', ['main']]);
  });
});

describe('the approvals of a root', () => {
  const root = (more: object) => ({ paths: { input: { root: './in', mode: 'rw', ...more } } });

  it.each([
    ['read_approval: true', { read_approval: true }, 'needs_approval'],
    ['read_approval: false', { read_approval: false }, 'pre_approved'],
    ['write_approval: true', { write_approval: true }, 'pre_approved'],
  ])('restrict the sharing of its files: %s', async (_, more, decision) => {
    const main = worker({ sandbox: root(more), toolsets: { helper: {} } });
    const { events } = await runAt(workplace(handing(['input/a.txt'], { 'main.worker': main })));
    expect(callsIn(events)[0]?.[2]).toBe(decision);
  });

  it('restrict a delegate that shares the same file from its own root', async () => {
    const main = worker({ sandbox: root({ read_approval: true }), toolsets: { helper: {} } });
    const helper = worker({
      sandbox: { paths: { all: { root: '.', mode: 'ro' } } },
      toolsets: { third: {} },
    });
    const place = workplace({
      ...files,
      'main.worker': main,
      'helper.worker': helper,
      'third.worker': worker(),
      'script.yaml': {
        main: [calls(['helper', { input: 'x' }]), { say: 'done' }],
        helper: [
          calls(['third', { input: 'x', attachments: ['all/in/a.txt'] }]),
          calls(['third', { input: 'x', attachments: ['all/secret.txt'] }]),
          { say: 'done' },
        ],
        third: [{ say: 'seen' }],
      },
    });
    const { events } = await runAt(place);
    expect(callsIn(events)).toEqual([
      ['main', 'worker.helper', 'pre_approved', 'completed'],
      ['main > helper', 'worker.third', 'needs_approval', 'strict'],
      ['main > helper', 'worker.third', 'pre_approved', 'completed'],
    ]);
  });

  it.each([
    ['write_approval: true', { write_approval: true }, 'needs_approval'],
    ['write_approval: false', { write_approval: false }, 'pre_approved'],
    ['read_approval: true', { read_approval: true }, 'pre_approved'],
  ])('restrict writing and deleting, also by a delegate with a wider root: %s', async (_, more, decision) => {
    const policy = {
      version: 1,
      default: 'blocked',
      capabilities: {
        'worker.call': 'pre_approved',
        'fs.write': 'pre_approved',
        'fs.delete': 'pre_approved',
      },
    };
    const both = (root: string) => [
      calls(write(`${root}/a.txt`)),
      calls(['delete_file', { path: `${root}/b.txt` }]),
    ];
    const place = workplace({
      ...files,
      'policy.yaml': policy,
      'main.worker': worker({ sandbox: root(more), toolsets: { filesystem: {}, helper: {} } }),
      'helper.worker': worker({
        sandbox: { paths: { all: { root: '.', mode: 'rw' } } },
        toolsets: { filesystem: {} },
      }),
      'in/x/a.txt': '1',
      'in/x/b.txt': '1',
      'script.yaml': {
        main: [...both('input'), calls(['helper', { input: 'x' }]), { say: 'done' }],
        helper: [...both('all/in/x'), ...both('all/beside'), { say: 'done' }],
      },
      'beside/b.txt': '1',
    });
    const { events } = await runAt(place);
    expect(callsIn(events).map(([chain, tool, judged]) => [chain, tool.split('.')[1], judged])).toEqual([
      ['main', 'write_file', decision],
      ['main', 'delete_file', decision],
      ['main', 'helper', 'pre_approved'],
      ['main > helper', 'write_file', decision],
      ['main > helper', 'delete_file', decision],
      ['main > helper', 'write_file', 'pre_approved'],
      ['main > helper', 'delete_file', 'pre_approved'],
    ]);
  });
});
