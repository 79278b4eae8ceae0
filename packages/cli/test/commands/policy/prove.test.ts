import { describe, expect, it } from 'vitest';
import { ambit, folderOf } from '../../host.js';

const policy = `version: 1
default: needs_approval
capabilities: { fs.read: pre_approved }
workers:
  reader:
    capabilities: { net: blocked }
  writer:
    capabilities: { fs.write: { decision: pre_approved, match: { path: /w/out/** } } }
  doubling:
    capabilities: { pay: { id: sum, decision: blocked, when: { ">": [{ "+": [{ var: capability.a }, { var: capability.a }] }, 4] } } }
  twice:
    capabilities: { pay: { id: product, decision: blocked, when: { ">": [{ "*": [2, { var: capability.a }] }, 4] } } }
`;
const folder = folderOf({
  'policy.yaml': policy,
  'org.yaml': 'version: 1\ndefault: pre_approved\ncapabilities: { fs.write: needs_approval }\n',
  'bad.yaml': 'version: 1\n',
});
const run = (words: string) => ambit(['prove', ...words.split(' ')], { folder });

describe('prove --attenuates', () => {
  it('proves that a worker may do nothing beyond its caller’s permissions', async () => {
    expect(await run('--attenuates reader writer policy.yaml')).toEqual({
      exit: 0,
      out: 'proved: the rules for `reader` allow nothing that those for `writer` do not\n',
      err: '',
    });
  });

  it('names a worker that no rule names, as after a typo', async () => {
    expect(await run('raeder writer policy.yaml')).toEqual({
      exit: 0,
      out: 'proved: the rules for `raeder` allow nothing that those for `writer` do not\n',
      err: 'ambit: no rule names the worker `raeder`; the rules for all workers judge it\nhint: did you mean reader?\n',
    });
  });

  it('refutes it with a call, and explains the effect for delegation', async () => {
    expect(await run('--attenuates writer reader policy.yaml')).toEqual({
      exit: 1,
      out: `refuted: the rules for \`writer\` allow what those for \`reader\` do not
  \`writer\`: pre_approved
  \`reader\`: needs_approval
  \`writer\` acting for \`reader\`: pre_approved
  {"worker":["writer"],"tool":"other.tool","capabilities":[{"name":"fs.write","path":"/w/out"}]}
a call on many files gets the strictest decision of its files: the same holds for it if one of them
is such a file, no other one is decided more strictly, and no combination restricts them together
`,
      err: '',
    });
  });

  it('reports an undecidable condition with its rule', async () => {
    const { exit, out } = await run('--attenuates doubling twice policy.yaml --json');
    expect([exit, JSON.parse(out)]).toMatchObject([
      1,
      {
        child: 'doubling',
        parent: 'twice',
        proof: {
          status: 'unknown',
          unknown: [
            {
              capability: 'pay',
              rules: [
                { id: 'sum', at: 'policy.yaml:10:21' },
                { id: 'product', at: 'policy.yaml:12:21' },
              ],
            },
            {},
          ],
        },
      },
    ]);
  });

  it.each([
    [0, '--attenuates reader writer policy.yaml org.yaml'],
    [1, '--attenuates writer reader policy.yaml --json'],
    [1, 'writer reader policy.yaml'],
    [0, 'reader writer policy.yaml org.yaml'],
    [2, '--attenuates writer reader'],
    [2, '--attenuates Writer reader policy.yaml'],
    [2, '--attenuates writer reader bad.yaml'],
    [2, '--attenuates writer reader gone.yaml'],
  ])('exits with %i for %s', async (exit, words) => {
    expect((await run(words)).exit).toBe(exit);
  });
});
