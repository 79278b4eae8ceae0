import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { starterPolicy } from '@ambit/policy';
import { collectProblems } from '@ambit/policy/internal';
import { parseYaml, toJson } from '@ambit/policy/yaml';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { sectionOf, sectionsAbout } from '../../../../../test/diagnostics.js';
import { committedFiles, root } from '../../../../../test/repository.js';
import { ambit, folderOf } from '../../host.js';

const kinds = ['policy', 'suite', 'worker', 'log'] as const;
type Kind = (typeof kinds)[number];
const validators = new Map<Kind, (value: unknown) => readonly string[]>();

beforeAll(async () => {
  for (const kind of kinds) {
    const { out } = await ambit(['schema', kind]);
    // An unknown keyword, or a format that nothing checks, is an error here.
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
    formats.default(ajv);
    const validate = ajv.compile(JSON.parse(out) as object);
    validators.set(kind, (value) =>
      validate(value)
        ? []
        : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
    );
  }
});

/** The errors that a JSON Schema validator reports for a value. */
function against(kind: Kind, value: unknown): readonly string[] {
  const validate = validators.get(kind);
  if (validate === undefined) throw new Error(`there is no schema of ${kind}`);
  return validate(value);
}

function read(text: string): unknown {
  const node = parseYaml(text, collectProblems());
  if (node === null) throw new Error('the sample is not YAML');
  return toJson(node);
}

const committed = committedFiles().filter((path) => path.startsWith('packages/examples/'));

/** The files of the examples whose names end so. */
function examples(ending: string): readonly (readonly [string, string])[] {
  return committed
    .filter((path) => path.endsWith(ending))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
}

/** What documents show in fences of this kind. */
function shown(fence: string): readonly (readonly [string, string])[] {
  return ['docs/policy-reference.md', 'README.md', 'docs/policies-from-code.md', 'docs/runtime.md'].flatMap(
    (name) =>
      [
        ...readFileSync(join(root, name), 'utf8').matchAll(
          new RegExp(`^\`\`\`${fence}\n([\\s\\S]*?)^\`\`\`$`, 'gm'),
        ),
      ].map(([, text = '']) => [name, text] as const),
  );
}

/** The part of a worker file that has a shape: what stands above its line `---`. */
function head(worker: string): string {
  return worker.replace(/^---\n/, '').split(/^---$/m)[0] ?? '';
}

describe('the schema of policies', () => {
  it('accepts the starter policy, and those of the examples and documents', () => {
    const samples = [['starter', starterPolicy()] as const, ...examples('policy.yaml'), ...shown('yaml')];
    expect(samples.length).toBeGreaterThan(20);
    for (const [name, text] of samples) expect([name, against('policy', read(text))]).toEqual([name, []]);
  });

  it.each([
    ['UNKNOWN_KEY', /additional properties/],
    ['UNKNOWN_DECISION', /allowed values/],
    ['UNKNOWN_VERSION', /equal to constant/],
    ['MISSING_KEY', /required property/],
    ['WRONG_TYPE', /must be/],
    ['BAD_TIME', /date-time/],
    ['PERMISSIVE_COMBINATION', /allowed values/],
  ] as const)('has something against %s', (code, what) => {
    expect(against('policy', read(sectionOf(code).avoid)).join('\n')).toMatch(what);
  });

  it('accepts the examples to prefer on the page of diagnostics', () => {
    for (const { code, prefer } of sectionsAbout('policy'))
      expect([code, against('policy', read(prefer))]).toEqual([code, []]);
  });
});

describe('the schema of suites', () => {
  it('accepts the suites of the examples and documents', () => {
    const samples = [...examples('.test.yaml'), ...shown('yaml suite')];
    expect(samples.length).toBeGreaterThanOrEqual(4);
    for (const [name, text] of samples) expect([name, against('suite', read(text))]).toEqual([name, []]);
  });

  it.each([
    ['policy: p.yaml\ncases: []\n', /fewer than 1/],
    ['policy: p.yaml\ncases: [{ name: a, call: { tool: x.y }, expect: allowed }]\n', /allowed values/],
    ['cases: [{ name: a, call: { tool: x.y }, expect: blocked }]\n', /required property 'policy'/],
    [
      'policy: p.yaml\ncases: [{ name: a, cal: { tool: x.y }, expect: blocked }]\n',
      /required property 'call'/,
    ],
  ])('has something against %s', (text, what) => {
    expect(against('suite', read(text)).join('\n')).toMatch(what);
  });
});

describe('the schema of workers', () => {
  it('accepts the workers of the examples and documents', () => {
    const samples = [...examples('.worker'), ...shown('yaml worker')];
    expect(samples.length).toBeGreaterThanOrEqual(6);
    for (const [name, text] of samples)
      expect([name, against('worker', read(head(text)))]).toEqual([name, []]);
  });

  it.each([
    ['name: w\ntolsets: {}\n', /additional properties/],
    ['name: W\n', /pattern/],
    ['toolsets: { filesystem: { approvals: { write_file: alow } } }\n', /allowed values/],
  ])('has something against %s', (text, what) => {
    expect(against('worker', read(text)).join('\n')).toMatch(what);
  });
});

describe('the schema of logs', () => {
  it('accepts every line of a run, and none with a changed name, number or digest', async () => {
    const folder = folderOf({
      'policy.yaml':
        'version: 1\ndefault: needs_approval\ncapabilities: { fs.list: pre_approved, fs.delete: blocked }\n',
      'new.yaml': 'version: 1\ndefault: blocked\n',
      'w.worker':
        'name: w\nsandbox: { paths: { out: { root: ./out, mode: rw } } }\ntoolsets: { filesystem: {} }\n---\nWrite.\n',
      'script.yaml':
        'w:\n  - call: [{ tool: write_file, args: { path: out/a.md, content: x } }, { tool: list_files, args: { path: out } }]\n  - call: [{ tool: delete_file, args: { path: out/a.md } }, { tool: no_such, args: {} }, { tool: read_file, args: { path: 7 } }]\n  - say: done\n',
      'out/.keep': '',
    });
    const run = ['run', '--policy', 'policy.yaml', '--observe', 'new.yaml', '--model', 'script:script.yaml'];
    await ambit([...run, '--approve-all', '--quiet', '--log', 'my.jsonl', 'w'], { folder });
    const lines = readFileSync(join(folder, 'my.jsonl'), 'utf8').trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(new Set(events.map(({ event }) => event))).toEqual(
      new Set(['run', 'policy', 'decision', 'approval', 'outcome', 'end']),
    );
    for (const event of events) {
      expect([event.event, against('log', event)]).toEqual([event.event, []]);
      for (const change of [{ event: 'other' }, { seq: -1 }, { hash: 'x' }, { v: 3 }])
        expect(against('log', { ...event, ...change })).not.toEqual([]);
    }
  });
});
