import { type DiagnosticCode, formatDiagnostic, suiteSchema } from '@ambit/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { explore } from '../../../../test/depth.js';
import { sectionOf, sectionsAbout } from '../../../../test/diagnostics.js';
import { takenBy } from '../schema.js';
import { loadText, plainPolicy, suiteMistakes, suiteOf } from './suites.js';

const sections = sectionsAbout('suite');
const takes = takenBy(suiteSchema());
const policy = { 'policy.yaml': plainPolicy };

/** Examples that a page cannot show, or that the world of these tests describes differently. */
const unshown: Partial<Readonly<Record<DiagnosticCode, string>>> = {
  TOO_MANY_CASES: `policy: policy.yaml
cases:
  - name: x
    for: { a: [${Array(101).fill(1).join(', ')}], b: [${Array(101).fill(1).join(', ')}] }
    call: { tool: x.y, args: { a: "{a}", b: "{b}" } }
    expect: blocked
`,
  BAD_CALL: 'policy: policy.yaml\ncases: [{ name: x, call: { tool: no.such }, expect: blocked }]\n',
};

/** One case on one line. */
const one = (rest: string) => `policy: policy.yaml\ncases:\n  - { name: x, ${rest} }\n`;
const called = 'call: { tool: x.y }';

describe('a suite', () => {
  it.each(sections)('$code › the example to avoid has exactly this diagnostic', async ({ code, avoid }) => {
    const found = await suiteMistakes(unshown[code] ?? avoid, policy);
    expect(found.map((mistake) => mistake.split(' ')[1])).toEqual([code]);
  });

  it.each(sections)('$code › the example to prefer loads, and matches the schema', async ({ prefer }) => {
    expect(await suiteMistakes(prefer, policy)).toEqual([]);
    expect(takes(parse(prefer))).toBe(true);
  });

  it.each([
    ['', '1:1 EMPTY_FILE'],
    ['[]', '1:1 WRONG_TYPE'],
    ['policy: policy.yaml\n', '1:1 MISSING_KEY'],
    ['cases: [{ name: x, call: { tool: x.y }, expect: blocked }]', '1:1 MISSING_KEY'],
    ['policy: []\ncases: [{ name: x, call: { tool: x.y }, expect: blocked }]', '1:9 EMPTY_SECTION'],
    ['policy: policy.yaml\ncases:\n', '2:1 EMPTY_SECTION'],
    ['policy: policy.yaml\ncases: []\n', '2:1 NOTHING_TESTED'],
    [
      'version: 2\npolicy: policy.yaml\ncases: [{ name: x, call: { tool: x.y }, expect: blocked }]',
      '1:10 UNKNOWN_VERSION',
    ],
    [
      'policy: policy.yaml\nnow: today\ncases: [{ name: x, call: { tool: x.y }, expect: blocked }]',
      '2:6 BAD_TIME',
    ],
    [
      'policy: policy.yaml\nworker: "*"\ncases: [{ name: x, call: { tool: x.y }, expect: blocked }]',
      '2:9 BAD_WORKER_NAME',
    ],
    ['policy: gone.yaml\ncases: [{ name: x, call: { tool: x.y }, expect: blocked }]', '1:9 CANNOT_READ'],
    [
      'policy: policy.yaml\nroot: gone\ncases: [{ name: x, call: { tool: x.y }, expect: blocked }]',
      '2:7 CANNOT_READ',
    ],
    [one(`skip: later, ${called}, expect: blocked`), '2:1 NOTHING_TESTED'],
    [one(`skip: true, ${called}, expect: blocked`), '3:22 WRONG_TYPE'],
    [one(`${called}`), '3:5 MISSING_KEY'],
    [one('expect: blocked'), '3:5 MISSING_KEY'],
    [`policy: policy.yaml\ncases:\n  - { ${called}, expect: blocked }\n`, '3:5 MISSING_KEY'],
    [one(`${called}, expect: {}`), '3:45 NOTHING_EXPECTED'],
    [one(`${called}, expect:`), '3:37 EMPTY_SECTION'],
    [one(`${called}, expect: block`), '3:45 UNKNOWN_DECISION'],
    [one(`${called}, expect: { decison: blocked }`), '3:47 UNKNOWN_KEY'],
    [one(`${called}, expect: { rules: [] }`), '3:54 EMPTY_SECTION'],
    [one(`${called}, expect: { answer: someone }`), '3:55 UNKNOWN_VALUE'],
    [one(`${called}, expect: { default: 1 }`), '3:56 WRONG_TYPE'],
    [one('call: { tool: write }, expect: blocked'), '3:30 BAD_TOOL_NAME'],
    [one('call: { args: {} }, expect: blocked'), '3:16 MISSING_KEY'],
    [one('call: { tool: x.y, arg: {} }, expect: blocked'), '3:35 UNKNOWN_KEY'],
    [one('call: { tool: x.y, args: [] }, expect: blocked'), '3:41 WRONG_TYPE'],
    [one('call: { tool: x.y, capabilities: [fs.*] }, expect: blocked'), '3:50 BAD_CAPABILITY_NAME'],
    [one('call: { tool: x.y, history: [{ path: /a }] }, expect: blocked'), '3:45 MISSING_KEY'],
    [one('call: { tool: x.y, worker: [a, B] }, expect: blocked'), '3:47 BAD_WORKER_NAME'],
    [one('call: { tool: x.y, now: 2026-02-30T00:00:00Z }, expect: blocked'), '3:40 BAD_TIME'],
    [one('call: { tool: x.y, grants: [{ worker: a, tol: x.y }] }, expect: blocked'), '3:57 UNKNOWN_KEY'],
  ])('reports a mistake at its place: %j', async (text, mistake) => {
    expect(await suiteMistakes(text)).toContain(mistake);
  });

  it.each([
    ['a merge key', 'policy: policy.yaml\ncases: [{ <<: {}, name: x }]\n', 'MERGE_KEY'],
    ['a repeated key', 'policy: policy.yaml\npolicy: other.yaml\n', 'DUPLICATE_KEY'],
    ['a tag', 'policy: !!js/function "x"\n', 'TAG'],
    ['a second document', 'policy: policy.yaml\n---\npolicy: policy.yaml\n', 'SEVERAL_DOCUMENTS'],
    ['a prototype', 'policy: policy.yaml\n__proto__: {}\n', 'RESERVED_KEY'],
    ['depth', `policy: policy.yaml\ncases: ${'['.repeat(200)}${']'.repeat(200)}\n`, 'TOO_DEEP'],
    ['bytes that are not text', Uint8Array.of(0x70, 0xff), 'NOT_UTF8'],
  ])('refuses %s as a policy does', async (_, text, code) => {
    expect((await suiteMistakes(text)).join()).toContain(code);
  });

  it('is rejected with all mistakes at once, those of its policy included', async () => {
    const text = `policy: [policy.yaml, gone.yaml]
cases:
  - name: a
    call: { tool: x }
    expect: blokked
  - name: a
    call: { tool: x.y }
    expect: {}
  - nme: b
`;
    expect(await suiteMistakes(text, { 'policy.yaml': 'version: 1\ndefault: alow\n' })).toEqual([
      '1:23 CANNOT_READ',
      '4:19 BAD_TOOL_NAME',
      '5:13 UNKNOWN_DECISION',
      '8:13 NOTHING_EXPECTED',
      '9:5 UNKNOWN_KEY',
      '9:5 MISSING_KEY',
      '9:5 MISSING_KEY',
      '9:5 MISSING_KEY',
      'policy.yaml:2:10 UNKNOWN_DECISION',
    ]);
  });

  it('shows the line, a caret, and the rule that was probably meant', async () => {
    const loaded = await loadText(one(`${called}, expect: { rules: no-secret }`));
    expect(loaded.ok ? '' : loaded.diagnostics.map(formatDiagnostic).join('\n')).toBe(
      `a.test.yaml:3:54 UNKNOWN_RULE no rule of these policies has the id \`no-secret\`
  3 |   - { name: x, call: { tool: x.y }, expect: { rules: no-secret } }
    |                                                      ^^^^^^^^^
help: did you mean \`no-secrets\`? sys.guard, reading, no-net, out or no-secrets`,
    );
  });

  it('applies its defaults to the calls that do not override them', async () => {
    const loaded = await loadText(`policy: policy.yaml
worker: [orchestrator, evaluator]
context: { env: ci }
now: 2027-01-01T00:00:00Z
cases:
  - { name: a, call: { tool: x.y }, expect: needs_approval }
  - { name: b, call: { tool: x.y, worker: other, context: {}, now: 2028-01-01T00:00:00Z }, expect: needs_approval }
`);
    const requests = loaded.ok
      ? loaded.suite.cases.map(({ subject }) => (subject.skipped === null ? subject.request : null))
      : [];
    expect(requests.map((request) => [request?.chain, request?.context, request?.now])).toEqual([
      [['orchestrator', 'evaluator'], { env: 'ci' }, Date.UTC(2027, 0)],
      [['other'], {}, Date.UTC(2028, 0)],
    ]);
  });

  it('replaces `~/` and `./` in the paths of facts, and leaves other forms unchanged', async () => {
    const suite = await suiteOf(`  - name: a
    call:
      tool: x.y
      capabilities: [{ name: fs.read, path: ./a }, { name: fs.read, path: ~/b }, { name: fs.read, path: /w/../c }]
      history: [{ name: fs.list, path: ./ }]
    expect: needs_approval
`);
    const [subject] = suite.cases.map((each) => each.subject);
    const request = subject?.skipped === null ? subject.request : null;
    expect([...(request?.capabilities ?? []), ...(request?.history ?? [])].map(({ path }) => path)).toEqual([
      '/w/a',
      '/home/ada/b',
      '/w/../c',
      '/w',
    ]);
  });

  it('replaces them in the members of file sets, and refuses an invalid file set', async () => {
    const suite = await suiteOf(`  - name: a
    call:
      tool: x.y
      capabilities: [{ name: fs.read, path: { paths: [./a, ~/b], open: true, under: ./ } }]
    expect: needs_approval
`);
    const [subject] = suite.cases.map((each) => each.subject);
    const request = subject?.skipped === null ? subject.request : null;
    expect(request?.capabilities.map(({ path }) => path)).toEqual([
      { paths: ['/w/a', '/home/ada/b'], open: true, under: '/w' },
    ]);
    const call = 'call: { tool: x.y, capabilities: [{ name: fs.read, path: { paths: [] } }] }';
    const found = await suiteMistakes(one(`${call}, expect: blocked`), policy);
    expect(found.map((mistake) => mistake.split(' ')[1])).toEqual(['WRONG_TYPE']);
  });
});

describe('a case with `for`', () => {
  const names = async (rows: string, name = 'x') => {
    const suite = await suiteOf(
      `  - { name: "${name}", for: ${rows}, call: { tool: x.y, args: { a: "{a}" } }, expect: needs_approval }\n`,
    );
    return suite.cases.map((each) => [
      each.name,
      each.subject.skipped === null ? each.subject.request.args.a : null,
    ]);
  };

  it('becomes one case for each row, with unchanged values', async () => {
    expect(await names('[{ a: one }, { a: 2 }, { a: [three] }]')).toEqual([
      ['x [a: one]', 'one'],
      ['x [a: 2]', 2],
      ['x [a: ["three"]]', ['three']],
    ]);
  });

  it('becomes one case for each combination of several lists', async () => {
    const suite = await suiteOf(
      '  - { name: "{a}{b}", for: { a: [1, 2], b: [x, y] }, call: { tool: x.y, args: { a: "-{a}-{b}" } }, expect: needs_approval }\n',
    );
    expect(suite.cases.map(({ name }) => name)).toEqual(['1x', '1y', '2x', '2y']);
    expect(suite.cases.map(({ subject }) => subject.skipped === null && subject.request.args.a)).toEqual([
      '-1-x',
      '-1-y',
      '-2-x',
      '-2-y',
    ]);
  });

  it('replaces placeholders in the name', async () => {
    expect(await names('{ a: [one, 2] }', 'writing {a} asks')).toEqual([
      ['writing one asks', 'one'],
      ['writing 2 asks', 2],
    ]);
  });

  it('keeps text in two pairs of braces, or after a dollar', async () => {
    const suite = await suiteOf(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what is tested
      '  - { name: x, call: { tool: x.y, args: { a: "{{a}} ${a} ${{a}} {} {a b} {1}" } }, expect: needs_approval }\n',
    );
    const [subject] = suite.cases.map((each) => each.subject);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what is tested
    expect(subject?.skipped === null && subject.request.args.a).toBe('{a} ${a} ${a} {} {a b} {1}');
  });

  it.each([
    [
      'an unknown placeholder, `for` or not',
      one('call: { tool: x.y, args: { a: "{a}" } }, expect: blocked'),
      '3:46 UNKNOWN_PLACEHOLDER',
    ],
    [
      'one in the name',
      `policy: policy.yaml\ncases:\n  - { name: "{b}", ${called}, expect: blocked }\n`,
      '3:13 UNKNOWN_PLACEHOLDER',
    ],
    [
      'a placeholder in the expectation',
      one(`${called}, expect: { reason: "{b}" }`),
      '3:55 UNKNOWN_PLACEHOLDER',
    ],
    [
      'braces without quotes',
      one('for: { a: [1] }, call: { tool: x.y, args: { a: {a} } }, expect: blocked'),
      '3:63 BAD_PLACEHOLDER',
    ],
    [
      'a list within a text',
      one('for: { a: [[1]] }, call: { tool: x.y, args: { a: "-{a}" } }, expect: blocked'),
      '3:65 BAD_PLACEHOLDER',
    ],
    [
      'a name that cannot be one',
      one('for: { a-b: [1] }, call: { tool: x.y }, expect: blocked'),
      '3:23 BAD_PLACEHOLDER',
    ],
    [
      'a row that lacks a key',
      one('for: [{ a: 1, b: 1 }, { a: 2 }], call: { tool: "x.{a}", args: { b: "{b}" } }, expect: blocked'),
      '3:38 MISSING_KEY',
    ],
    [
      'unused values',
      one('for: { a: [1, 2] }, call: { tool: x.y }, expect: blocked'),
      '3:23 UNUSED_PLACEHOLDER',
    ],
    [
      'values that the name alone uses',
      `policy: policy.yaml\ncases:\n  - { name: "{a}", for: { a: [1, 2] }, ${called}, expect: blocked }\n`,
      '3:27 UNUSED_PLACEHOLDER',
    ],
    [
      'rows that make the same case',
      one('for: { a: [1, 1] }, call: { tool: x.y, args: { a: "{a}" } }, expect: blocked'),
      '3:13 DUPLICATE_CASE',
    ],
    [
      'rows that make the same text',
      one('for: { a: [1, "1"] }, call: { tool: x.y, args: { a: "-{a}" } }, expect: blocked'),
      '3:13 DUPLICATE_CASE',
    ],
    [
      'rows of one name',
      `policy: policy.yaml\ncases:\n  - { name: "{b}", for: [{ a: 1, b: x }, { a: 2, b: x }], call: { tool: x.y, args: { a: "{a}{b}" } }, expect: blocked }\n`,
      '3:13 DUPLICATE_CASE',
    ],
    ['no rows', one(`for: [], ${called}, expect: blocked`), '3:21 EMPTY_SECTION'],
    [
      'a list without values',
      one('for: { a: [] }, call: { tool: "x.{a}" }, expect: blocked'),
      '3:26 EMPTY_SECTION',
    ],
    [
      'a value that makes a bad call',
      one('for: { a: ["y z"] }, call: { tool: "x.{a}" }, expect: blocked'),
      '3:51 BAD_TOOL_NAME',
    ],
  ])('refuses %s', async (_, text, mistake) => {
    expect(await suiteMistakes(text)).toEqual([mistake]);
  });

  it('refuses rows and values that would fill the memory', async () => {
    const long = 'x'.repeat(600_000);
    const text = `policy: policy.yaml
cases:
  - { name: x, for: { a: [${long}] }, call: { tool: x.y, args: { a: "{a}{a}" } }, expect: blocked }
  - { name: y, for: { a: [${Array.from({ length: 100 }, (_, at) => at).join(', ')}] }, call: { tool: x.y, args: { b: ${long}, a: "{a}" } }, expect: blocked }
`;
    expect((await suiteMistakes(text)).map((mistake) => mistake.split(' ')[1])).toEqual([
      'BAD_PLACEHOLDER',
      'TOO_MANY_CASES',
    ]);
  });
});

describe('loadSuite', () => {
  it('returns a suite or diagnostics for any text, and never rejects', async () => {
    const words = fc.constantFrom(
      ...'policy: |policy.yaml|cases:|name: x|call:|tool: x.y|expect:|blocked|for:|skip: y|- |{a}|"{a}"|{{a}}|a: [1, 2]|[{ a: 1 }]|{|}|[|]|:|, |rules: [out]|decision: |capabilities: |&x |*x|null|~|1e999|"\\ud800"|\t|<<: *x|__proto__: 1|worker: a|now: 1|root: .'.split(
        '|',
      ),
      '\n',
      '\n  ',
      '\n    ',
    );
    const head = fc.constantFrom(
      '',
      'policy: policy.yaml\ncases:\n  - ',
      'policy: policy.yaml\ncases:\n  - name: x\n    call: ',
    );
    await fc.assert(
      fc.asyncProperty(head, fc.array(words, { maxLength: 25 }), async (start, rest) => {
        const loaded = await loadText(`${start}${rest.join('')}`);
        expect(loaded.ok ? loaded.suite.cases.length : loaded.diagnostics.length).toBeGreaterThan(0);
      }),
      explore(3000),
    );
  });
});

describe('suiteSchema', () => {
  it('is plain JSON, closed at the top, and knows the keys', () => {
    const schema = suiteSchema();
    expect(schema.additionalProperties).toBe(false);
    expect(Object.keys(schema.properties as object)).toEqual([
      'version',
      'policy',
      'root',
      'worker',
      'context',
      'now',
      'cases',
    ]);
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });

  it.each(['NOTHING_TESTED'] as const)('refuses %s', (code) => {
    expect(takes(parse(sectionOf(code).avoid))).toBe(false);
  });
});
