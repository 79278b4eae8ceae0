import { describe, expect, it } from 'vitest';
import { isDeep } from '../../../../../test/depth.js';
import { ambit, folderOf } from '../../host.js';

const head = 'version: 1\ndefault: needs_approval\n';
const largest = 8_000_000;

/** A policy of exactly so many bytes. */
function policyOf(bytes: number): string {
  const text = `${head}capabilities: { fs.read: pre_approved }\n#`;
  return text.padEnd(bytes, 'x');
}

async function decisions(policy: string, calls: readonly string[]) {
  const files = { 'p.yaml': policy };
  const { exit, out } = await ambit(['decide', '--policy', 'p.yaml'], {
    files,
    stdin: `${calls.join('\n')}\n`,
  });
  const lines = out.trim().split('\n');
  return [
    exit,
    ...lines.map((line) => {
      const { decision, error } = JSON.parse(line) as { decision?: string; error?: { code: string } };
      return decision ?? error?.code;
    }),
  ];
}

describe('an input file', () => {
  it.each([
    ['policy', 'check', 'p.yaml'],
    ['suite', 'test', 'p.test.yaml'],
  ])('(a %s) is refused if one byte too large, and read at the limit', async (_, command, name) => {
    const at = await ambit([command, name], { files: { [name]: policyOf(largest) } });
    expect(at.out).not.toContain('TOO_LARGE');
    const over = await ambit([command, name], { files: { [name]: policyOf(largest + 1) } });
    expect([over.exit, over.out]).toEqual([2, expect.stringContaining('TOO_LARGE')]);
  });

  it.each([
    [
      'a condition nested a thousand deep',
      `capabilities: { a.b: { decision: blocked, when: ${'{"!":['.repeat(1000)}true${']}'.repeat(1000)} } }`,
    ],
    ['a hundred thousand brackets', `capabilities: ${'['.repeat(100_000)}`],
    ['a thousand maps', `capabilities: ${'{a: '.repeat(1000)}1${'}'.repeat(1000)}`],
  ])('with %s is refused, with a place', async (_, rest) => {
    const { exit, out, err } = await ambit(['check', 'p.yaml'], { files: { 'p.yaml': `${head}${rest}\n` } });
    expect([exit, out, err]).toEqual([2, expect.stringMatching(/^p\.yaml:3:\d+ TOO_DEEP /), '']);
  });

  it.skipIf(!isDeep)('with a glob of a megabyte loads, or is refused with a short line', async () => {
    for (const glob of ['a'.repeat(1_000_000), '*a'.repeat(500_000), '/**'.repeat(300_000)]) {
      const policy = `${head}capabilities: { fs.read: { decision: pre_approved, match: { path: "/${glob}" } } }\n`;
      const { exit, out } = await ambit(['check', 'p.yaml'], { files: { 'p.yaml': policy } });
      expect([0, 1, 2]).toContain(exit);
      expect(out.length).toBeLessThan(2000);
      if (exit === 2) continue;
      const path = `/${'a'.repeat(1_000_000)}`;
      const call = JSON.stringify({ tool: 'x.y', capabilities: [{ name: 'fs.read', path }] });
      expect((await decisions(policy, [call]))[1]).toMatch(/pre_approved|needs_approval/);
    }
  });
});

describe('a number in a policy', () => {
  const rule = (n: string) =>
    `${head}capabilities: { a.d: { decision: pre_approved, match: { n: ${n} } } }\n`;

  it.each(['.nan', '.inf', '-.inf', '1e400', '9007199254740993', '-9007199254740993'])(
    '%s is refused, with its place',
    async (n) => {
      const { exit, out } = await ambit(['check', 'p.yaml'], { files: { 'p.yaml': rule(n) } });
      expect([exit, out]).toEqual([2, expect.stringMatching(/^p\.yaml:3:\d+ [A-Z_]+ /)]);
    },
  );

  it('-0 is 0', async () => {
    const call = (n: string) => `{"tool":"x.y","capabilities":[{"name":"a.d","n":${n}}]}`;
    const said = [0, 'pre_approved', 'pre_approved', 'needs_approval'];
    for (const n of ['-0', '-0.0', '0'])
      expect(await decisions(rule(n), [call('0'), call('-0'), call('1')])).toEqual(said);
  });
});

describe('a call', () => {
  const policy = `${head}capabilities:
  a.b: pre_approved
  a.c: { decision: blocked, match: { n: { from: 1 } } }
  a.d: { decision: pre_approved, match: { n: { from: 0, to: 10 } } }
  a.e: { decision: pre_approved, match: { t: "*" } }
`;
  const call = (capability: string) => `{"tool":"x.y","capabilities":[${capability}]}`;

  it('with ten thousand capabilities is decided by the strictest one', async () => {
    const many = Array.from({ length: 9_999 }, (_, index) => `{"name":"a.b","n":${index}}`).join();
    expect(await decisions(policy, [call(many), call(`${many},{"name":"a.c","n":1}`)])).toEqual([
      0,
      'pre_approved',
      'blocked',
    ]);
  });

  it.each([
    ['-0', 'pre_approved'],
    ['9007199254740993', 'not_plain'],
    ['1e400', 'not_plain'],
    ['-1e400', 'not_plain'],
    ['NaN', 'bad_json'],
    ['"\\ud800"', 'needs_approval'],
    ['null', 'needs_approval'],
  ])('with the number %s is compared with the bound 10 of a permission: %s', async (n, said) => {
    expect((await decisions(policy, [call(`{"name":"a.d","n":${n}}`)]))[1]).toBe(said);
  });

  it('with a lone surrogate is answered with valid text', async () => {
    const { out } = await ambit(['decide', '--policy', 'p.yaml'], {
      files: { 'p.yaml': policy },
      stdin: `${call('{"name":"a.e","t":"\\ud800"}')}\n${call('{"name":"a.b"}')}\n`,
    });
    // With the flag `u`, halves of a pair count only where the other half is missing.
    expect(out).not.toMatch(/\p{Cs}/u);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => typeof JSON.parse(line)),
    ).toEqual(['object', 'object']);
  });

  it('that is very deep, endless or not an object is an error of its line only', async () => {
    const deep = `{"tool":"x.y","args":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`;
    const said = await decisions(policy, [
      deep,
      `{"tool":"${'x'.repeat(100_000)}"}`,
      '[]',
      call('{"name":"a.b"}'),
    ]);
    expect([said[0], said.at(-1)]).toEqual([1, 'pre_approved']);
    expect(said.slice(1, 4).every((each) => typeof each === 'string')).toBe(true);
  });

  it('is explained without control characters, whatever it contains', async () => {
    const folder = folderOf({ 'p.yaml': policy });
    for (const odd of [
      '{"name":"a.e","t":"\\u001b[2J\\u202e\\ud800"}',
      '{"name":"a.d","n":-0}',
      '{"name":"a.d","n":1e17}',
    ]) {
      const { exit, out, err } = await ambit(['explain', '--policy', 'p.yaml', call(odd)], { folder });
      expect([exit, err]).toEqual([0, '']);
      expect(
        [...out].filter((character) => /[\p{Cc}\p{Cf}\p{Cs}]/u.test(character) && character !== '\n'),
      ).toEqual([]);
    }
  });
});
