import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '@ambit/core';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { explore } from '../../../../../test/depth.js';
import { parse, rehashed } from '../../../../audit/test/signed.js';
import { ambit, folderOf } from '../../host.js';

const files = {
  'policy.yaml': `version: 1
default: needs_approval
capabilities:
  fs.list: pre_approved
  fs.delete: blocked
  fs.write: { decision: needs_approval, match: { path: ./out/** } }
`,
  'w.worker':
    'name: w\nsandbox: { paths: { out: { root: ./out, mode: rw } } }\ntoolsets: { filesystem: {} }\n---\nW.\n',
  'script.yaml': `w:
  - call: [{ tool: list_files, args: { path: out } }]
  - call: [{ tool: write_file, args: { path: out/a.md, content: a } }, { tool: delete_file, args: { path: out/b.md } }]
  - say: done
`,
  'out/b.md': 'b',
};

/** What reads logs, with `LOG` for the log. */
const readers: readonly (readonly string[])[] = [
  ['log', 'verify', 'LOG'],
  ['log', 'show', '2', '--log', 'LOG'],
  ['log', 'tail', 'LOG'],
  ['log', 'query', 'LOG'],
  ['log', 'stats', 'LOG'],
  ['log', 'stats', 'LOG', '--load'],
  ['log', 'export', 'LOG', '--format', 'csv'],
  ['log', 'export', 'LOG', '--format', 'ocsf'],
  ['replay', 'LOG', '--policy', 'policy.yaml'],
  ['learn', 'LOG', '--policy', 'policy.yaml'],
  ['report', 'LOG', '--out', 'page.html'],
  ['explain', '--log', 'LOG', '--seq', '2', '--policy', 'policy.yaml'],
  ['diff', 'policy.yaml', 'policy.yaml', '--log', 'LOG'],
];

let folder = '';
let lines: readonly string[] = [];
const cli = (...argv: readonly string[]) =>
  ambit(argv, { folder, environment: { AMBIT_HOME: join(folder, 'state') } });

beforeAll(async () => {
  folder = folderOf(files);
  const policies = ['--policy', 'policy.yaml', '--model', 'script:script.yaml'];
  const run = await cli('run', 'w', 'go', ...policies, '--approve-all', '--quiet', '--log', 'good.jsonl');
  expect(run).toMatchObject({ exit: 0 });
  lines = readFileSync(join(folder, 'good.jsonl'), 'utf8').split('\n').slice(0, -1);
});

const digest = 'a'.repeat(64);
const strange: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1, 1.5, 1e308, '', 'x', '__proto__', '\u202e\u001b[2J', [], {}),
  fc.constantFrom<Json>(
    [null],
    [[]],
    [{}],
    ['x'],
    { name: 5 },
    [{ name: '' }],
    { paths: [] },
    { paths: [1] },
  ),
  fc.constantFrom<Json>({ folder: 'x', count: -1, digest: '../x' }, { folder: '/w', count: 3, digest }),
  fc.constantFrom<Json>('blocked', 'pre_approved', 'decision', 'approval', 'outcome', 'end', 'run', 'policy'),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

/** The value with another one somewhere in it, or without one of its members. */
function changed(value: Json, steps: readonly number[], other: Json | undefined): Json | undefined {
  const [step = 0, ...rest] = steps;
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined || steps.length === 0) return other;
  const inner = changed((value as JsonObject)[key] as Json, rest, other);
  if (Array.isArray(value)) return value.toSpliced(Number(key), 1, ...(inner === undefined ? [] : [inner]));
  const others = Object.entries(value as JsonObject).map(([name, each]) => [
    name,
    name === key ? inner : each,
  ]);
  return Object.fromEntries(others.filter(([, each]) => each !== undefined)) as JsonObject;
}

describe('a log with correct hashes and any JSON value in any place', () => {
  it.each(readers.map((argv) => [argv.join(' '), argv] as const))(
    'ends with an exit code: %s',
    async (_, argv) => {
      const place = fc.record({
        line: fc.nat(lines.length - 1),
        steps: fc.array(fc.nat(30), { minLength: 1, maxLength: 7 }),
        value: fc.option(strange, { nil: undefined }),
        more: argv.includes('verify') ? fc.constant([]) : fc.subarray(['--unverified']),
      });
      await fc.assert(
        fc.asyncProperty(place, async ({ line, steps, value, more }) => {
          const entries = lines.map(parse);
          entries[line] = changed(entries[line] as JsonObject, steps, value) as JsonObject;
          writeFileSync(join(folder, 'LOG'), `${rehashed(entries).join('\n')}\n`);
          const { exit, out, err } = await cli(...argv, ...more);
          expect([0, 1, 2]).toContain(exit);
          expect(`${out}\n${err}`).not.toMatch(/^\s+at |TypeError|undefined|\[object|NaN/mu);
        }),
        explore(100),
      );
    },
  );
});
