import { describe, expect, it } from 'vitest';
import { ambit, folderOf, jsonLines } from '../../host.js';

const old = `version: 1
default: needs_approval
capabilities:
  fs.write:
    - { id: out, decision: pre_approved, match: { path: /w/out/* } }
  net: { id: no-net, decision: blocked }
`;
const looser = old.replace('/w/out/*', '[/w/out/*, /w/o/*]');
const stricter = `${old}  fs.delete: { id: no-deleting, decision: blocked }\n`;
const same = `version: 1
default: needs_approval
capabilities:
  net: { id: none, decision: blocked }
  net.connect: { id: idle, decision: needs_approval }
  fs.write: { id: out, decision: pre_approved, match: { path: [/w/out/?*] } }
`;
/** Sums are compared with each other, which no list of single facts decides. */
const sums = (limit: number) =>
  `version: 1
default: needs_approval
capabilities:
  pay: { id: sum, decision: blocked, when: { ">": [{ "*": [{ var: capability.a }, { var: capability.a }] }, ${limit}] } }
`;
const sets = `version: 1
default: pre_approved
capabilities:
  fs.read: { id: key, decision: blocked, match: { path: /k } }
together:
  - { id: two, decision: needs_approval, capabilities: [{ name: fs.read, match: { path: /a } }, { name: fs.read, match: { path: /b } }] }
`;
const files = {
  'old.yaml': old,
  'looser.yaml': looser,
  'stricter.yaml': stricter,
  'same.yaml': same,
  'negative.yaml': sums(-1),
  'zero.yaml': sums(-2),
  'open.yaml': 'version: 1\ndefault: pre_approved\n',
  'all.yaml': 'version: 1\ndefault: pre_approved\ncapabilities: { fs: blocked, net: blocked }\n',
  'sets.yaml': sets,
  'sets-now.yaml': `${sets.split('together')[0]}`.replace('id: key', 'undecided: needs_approval, id: key'),
  'bad.yaml': 'version: 1\ndefault: alow\n',
};
const folder = folderOf(files);
const run = (words: string) => ambit(words.split(' '), { folder });

describe('diff', () => {
  it('groups changed decisions by edit, each with an example call', async () => {
    expect(await run('diff old.yaml looser.yaml')).toEqual({
      exit: 0,
      out: `1 class of calls is decided differently: 1 looser

changed the rule \`out\` (looser.yaml:5:7, was old.yaml:5:7)
  looser: fs.write
    from needs_approval to pre_approved
    {"worker":["main"],"tool":"other.tool","capabilities":[{"name":"fs.write","path":"/w/o/x"}]}

a call on many files gets the strictest decision of its files: the same holds for it if one of them
is such a file, no other one is decided more strictly, and no combination restricts them together
`,
      err: '',
    });
  });

  it('shows sets of files where only these are decided differently', async () => {
    const { out } = await run('diff sets.yaml sets-now.yaml');
    expect(out).toContain(`
  looser: fs.read
    from blocked to needs_approval (by a person)
    unknown files anywhere
    {"worker":["main"],"tool":"other.tool","capabilities":[{"name":"fs.read","path":{"paths":[],"open":true}}]}
`);
    expect(out).toContain(`
  looser: fs.read together with fs.read
    from needs_approval (by a person) to pre_approved
    {"worker":["main"],"tool":"other.tool","capabilities":[{"name":"fs.read","path":{"paths":["/a","/b"]}}]}
`);
  });

  it('reports equal policies only if no call differs, and lists edits without effect', async () => {
    expect(await run('diff old.yaml same.yaml --fail-on any')).toEqual({
      exit: 0,
      out: `equal: no call can tell the two apart

no call is decided differently because of
  added the rule \`idle\` (same.yaml:5:3)
  changed the rule \`out\` (same.yaml:6:3, was old.yaml:5:7)
`,
      err: '',
    });
  });

  it('names the rule of each undecided difference', async () => {
    expect(await run('diff negative.yaml zero.yaml')).toMatchObject({
      exit: 0,
      out: expect.stringMatching(
        /^no difference was found: 2 not settled\n\nnot settled, [^\n]*\n {2}pay: a condition cannot be split .*\n {4}because of `sum` \(negative.yaml:4:3\)\n {4}because of `sum` \(zero.yaml:4:3\)\n/,
      ),
    });
  });

  it.each([
    [0, 'old.yaml looser.yaml'],
    [1, 'old.yaml looser.yaml --fail-on looser'],
    [0, 'old.yaml looser.yaml --fail-on stricter'],
    [1, 'old.yaml looser.yaml --fail-on any'],
    [0, 'old.yaml stricter.yaml --fail-on looser'],
    [1, 'old.yaml stricter.yaml --fail-on stricter'],
    [0, 'old.yaml same.yaml --fail-on any'],
    [1, 'negative.yaml zero.yaml --fail-on looser'],
    [1, 'negative.yaml zero.yaml --fail-on stricter'],
    [1, 'negative.yaml zero.yaml --fail-on any'],
    [0, 'old.yaml looser.yaml --with all.yaml --fail-on any'],
    [0, 'old.yaml looser.yaml --new all.yaml --fail-on looser'],
    [1, 'old.yaml old.yaml --old all.yaml --fail-on looser'],
    [0, 'old.yaml old.yaml --old open.yaml --fail-on any'],
    [2, 'old.yaml looser.yaml --fail-on loser'],
    [2, 'old.yaml'],
    [2, 'old.yaml bad.yaml'],
    [2, 'old.yaml gone.yaml'],
    [2, 'old.yaml looser.yaml third.yaml'],
  ])('exits with %i for %s', async (exit, words) => {
    expect((await run(`diff ${words}`)).exit).toBe(exit);
  });

  it('prints one document with --json, whose calls are decided as stated', async () => {
    const { out } = await run('diff old.yaml looser.yaml --json');
    const document = JSON.parse(out) as {
      changes: readonly { call: object; from: { decision: string }; to: { decision: string } }[];
    };
    expect(document).toEqual({
      old: ['old.yaml'],
      new: ['looser.yaml'],
      equal: false,
      counts: { looser: 1, stricter: 0, other: 0 },
      changes: [
        {
          edits: [0],
          capability: 'fs.write',
          from: { decision: 'needs_approval', answer: 'any' },
          to: { decision: 'pre_approved', answer: null },
          direction: 'looser',
          cells: 1,
          call: {
            worker: ['main'],
            tool: 'other.tool',
            capabilities: [{ name: 'fs.write', path: '/w/o/x' }],
          },
        },
      ],
      unknown: [],
      edits: [{ kind: 'rule', what: 'changed', id: 'out', old: 'old.yaml:5:7', new: 'looser.yaml:5:7' }],
    });
    const decisions = async (policy: string) => {
      const stdin = document.changes.map(({ call }) => `${JSON.stringify(call)}\n`).join('');
      const decided = await ambit(['decide', '--policy', policy], { folder, stdin });
      return jsonLines(decided.out).map((line) => (line as { decision: string }).decision);
    };
    expect(await decisions('old.yaml')).toEqual(document.changes.map(({ from }) => from.decision));
    expect(await decisions('looser.yaml')).toEqual(document.changes.map(({ to }) => to.decision));
  });

  it('escapes control and invisible characters of the policies', async () => {
    const name = 'a\u202eb\u001b[2J\u{e0041}';
    // In a policy they stand as escapes.
    const written = String.raw`"a\u202eb\u001b[2J\U000E0041"`;
    const rule = (decision: string) =>
      `version: 1\ndefault: needs_approval\ncapabilities: { x: { decision: ${decision}, match: { of: ${written} } } }\n`;
    const { out } = await ambit(['diff', 'a.yaml', 'b.yaml'], {
      files: { 'a.yaml': rule('blocked'), 'b.yaml': rule('pre_approved') },
    });
    expect([...out].filter((character) => character !== '\n' && !/[ -~]/.test(character))).toEqual([]);
    const line = out.split('\n').find((each) => each.trim().startsWith('{')) as string;
    expect(JSON.parse(line)).toMatchObject({ capabilities: [{ name: 'x', of: name }] });
  });
});
