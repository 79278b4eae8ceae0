import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequest, decide, type NonEmpty, plainRule } from '@ambit/core';
import { formatDiagnostics, type LoadedPolicies, loadPolicies, type PolicyWorld } from '@ambit/policy';
import { collectProblems, type Node, parseYaml } from '@ambit/policy/internal';
import { describe, expect, it } from 'vitest';
import { load, withRules, worldOf } from '../world.js';

const head = 'version: 1\ndefault: needs_approval\n';
const extending = (...paths: readonly string[]) => `${head}extends: [${paths.join(', ')}]\n`;

function outline(loaded: LoadedPolicies): readonly string[] {
  return loaded.ok
    ? loaded.policies.map(({ name }) => name)
    : loaded.diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`);
}

async function loadFrom(files: Readonly<Record<string, string | Uint8Array>>, ...given: readonly string[]) {
  return loadPolicies(
    (given.length === 0 ? ['policy.yaml'] : given) as unknown as NonEmpty<string>,
    worldOf(files),
  );
}

describe('loadPolicies', () => {
  it('returns each given or extended file once, with the given files in order', async () => {
    const files = {
      'p/a.yaml': extending('../org.yaml', 'b.yaml'),
      'p/b.yaml': extending('../org.yaml', './c.yaml'),
      'p/c.yaml': head,
      'org.yaml': head,
    };
    expect(outline(await loadFrom(files, 'p/a.yaml', 'org.yaml', 'p/a.yaml'))).toEqual([
      'p/a.yaml',
      'org.yaml',
      'p/b.yaml',
      'p/c.yaml',
    ]);
  });

  it('recognises one file by two names', async () => {
    const world: PolicyWorld = {
      ...worldOf({ 'a.yaml': extending('link.yaml', 'org.yaml'), 'link.yaml': head, 'org.yaml': head }),
      realpath: (path) => Promise.resolve(path === 'link.yaml' ? '/real/org.yaml' : `/real/${path}`),
    };
    const loaded = await loadPolicies(['a.yaml'], world);
    expect(outline(loaded)).toEqual(['a.yaml', 'link.yaml']);
    expect(loaded.ok ? loaded.files.map(({ path }) => path) : null).toEqual([
      '/real/a.yaml',
      '/real/org.yaml',
    ]);
  });

  it('records the bytes of a file', async () => {
    const source = `\ufeff${head}`;
    const loaded = await loadFrom({ 'policy.yaml': source });
    const sha256 = createHash('sha256').update(source).digest('hex');
    expect(loaded.ok ? loaded.files : null).toEqual([
      { name: 'policy.yaml', path: 'policy.yaml', sha256, source },
    ]);
  });

  it('reads absolute paths and paths from home', async () => {
    const files = {
      'policy.yaml': extending('/etc/org.yaml', '~/mine.yaml'),
      '/etc/org.yaml': head,
      '/home/ada/mine.yaml': head,
    };
    expect(outline(await loadFrom(files))).toEqual(['policy.yaml', '/etc/org.yaml', '/home/ada/mine.yaml']);
  });

  it.each<[string, Readonly<Record<string, string | Uint8Array>>, readonly string[]]>([
    ['a missing file', {}, ['policy.yaml:1:1 CANNOT_READ']],
    [
      'a missing extended file',
      { 'policy.yaml': extending('a.yaml', 'b.yaml'), 'a.yaml': head },
      ['policy.yaml:3:19 CANNOT_READ'],
    ],
    [
      'a file that extends itself',
      { 'policy.yaml': extending('./policy.yaml') },
      ['policy.yaml:3:11 EXTENDS_CYCLE'],
    ],
    [
      'a circle',
      { 'policy.yaml': extending('a.yaml'), 'a.yaml': extending('policy.yaml') },
      ['a.yaml:3:11 EXTENDS_CYCLE'],
    ],
    [
      'mistakes in several files',
      { 'policy.yaml': `${extending('a.yaml')}x: 1\n`, 'a.yaml': 'version: 1\n' },
      ['policy.yaml:4:1 UNKNOWN_KEY', 'a.yaml:1:1 MISSING_KEY'],
    ],
    [
      'bytes that are not UTF-8',
      { 'policy.yaml': Uint8Array.from([0x61, 0x3a, 0x20, 0x0a, 0x62, 0xff, 0x0a]) },
      ['policy.yaml:2:2 NOT_UTF8'],
    ],
    [
      'an incomplete character at the end',
      { 'policy.yaml': Uint8Array.from([0x61, 0xe2, 0x82]) },
      ['policy.yaml:1:2 NOT_UTF8'],
    ],
    [
      'an encoded surrogate',
      { 'policy.yaml': Uint8Array.from([0x61, 0xed, 0xa0, 0x80]) },
      ['policy.yaml:1:2 NOT_UTF8'],
    ],
    ['UTF-16', { 'policy.yaml': Uint8Array.from([0xff, 0xfe, 0x61, 0x00]) }, ['policy.yaml:1:1 NOT_UTF8']],
    ['two byte order marks', { 'policy.yaml': `\ufeff\ufeff${head}` }, ['policy.yaml:1:1 CONTROL_CHARACTER']],
    ['an empty file', { 'policy.yaml': '' }, ['policy.yaml:1:1 EMPTY_FILE']],
  ])('refuses %s', async (_, files, expected) => {
    expect(outline(await loadFrom(files))).toEqual(expected);
  });

  it('says why a file cannot be read, and escapes control characters in its name', async () => {
    const world: PolicyWorld = { ...worldOf({}), read: () => Promise.reject(new Error('no\u001b[2J')) };
    const loaded = await loadPolicies(['a\u202e.yaml'], world);
    expect(loaded.ok ? '' : formatDiagnostics(loaded.diagnostics)).toBe(
      'a\\u202e.yaml:1:1 CANNOT_READ cannot read `a\\u202e.yaml`: no\\u001b[2J\nhelp: name a regular file that you may read; `ambit init` writes a starter policy',
    );
  });

  it('says that a path has no NUL character', async () => {
    const world: PolicyWorld = { ...worldOf({}), read: (path) => readFile(path) };
    const loaded = await loadPolicies(['a\0.yaml'], world);
    expect(loaded.ok ? '' : loaded.diagnostics[0].message).toBe(
      'cannot read `a\\u0000.yaml`: a path has no NUL character',
    );
  });

  it('collects the trees of its files, so that `check` parses each file once', async () => {
    const files = {
      'policy.yaml': `\ufeff${extending('b.yaml')}`,
      'b.yaml': `${head}tools: { a.b: blocked }\n`,
    };
    const trees = new Map<string, Node>();
    await loadPolicies(['policy.yaml'], { ...worldOf(files), trees });
    const texts = [extending('b.yaml'), files['b.yaml']];
    expect([...trees]).toEqual(texts.map((text) => [text, parseYaml(text, collectProblems())]));
  });

  it('loads a file again into an equal document', async () => {
    const once = load(withRules('net: blocked'));
    const twice = load(withRules('net: blocked'));
    expect(once.ok && once.policy.document).toEqual(twice.ok && twice.policy.document);
  });
});

describe('a loaded policy', () => {
  const text = `version: 1
default: { decision: needs_approval, answer: person }
capabilities:
  fs.read: pre_approved
  fs.write:
    - decision: pre_approved
      match: { path: ./out/** }
      except: { path: "**/.git/**" }
      until: 2026-11-20T10:00:00Z
    - id: no-secrets
      decision: blocked
      match: { path: "**/.env" }
      reason: r
      instead: i
      owner: o
      note: n
tools:
  shell.*: { decision: needs_approval, answer: person }
carries:
  crm.export: [crm.contact.export, { name: fs.read, path: /crm }]
workers:
  evaluator:
    capabilities: { net: { decision: blocked, inherit: false } }
grants: { workers: [crm.export], remember: always, reach: file, unattended: false }
`;
  const loaded = load(text);
  if (!loaded.ok) throw new Error(formatDiagnostics(loaded.diagnostics));
  const { policy } = loaded;

  it('contains what the file says', () => {
    const rule = { ...plainRule, condition: null };
    const aboutFact = { ...rule, about: 'capability', below: false };
    expect(policy.rules.map((each) => ({ ...each, condition: null }))).toEqual([
      {
        ...aboutFact,
        name: 'fs.read',
        id: 'capabilities.fs.read',
        at: 'policy.yaml:4:3',
        decision: 'pre_approved',
      },
      {
        ...aboutFact,
        name: 'fs.write',
        id: 'capabilities.fs.write[0]',
        at: 'policy.yaml:6:7',
        decision: 'pre_approved',
      },
      {
        ...aboutFact,
        name: 'fs.write',
        id: 'no-secrets',
        at: 'policy.yaml:10:7',
        decision: 'blocked',
        reason: 'r',
        instead: 'i',
      },
      {
        ...rule,
        about: 'tool',
        name: 'shell.*',
        id: 'tools.shell.*',
        at: 'policy.yaml:18:3',
        decision: 'needs_approval',
        answer: 'person',
      },
      {
        ...aboutFact,
        name: 'net',
        id: 'workers.evaluator.capabilities.net',
        at: 'policy.yaml:23:21',
        decision: 'blocked',
        worker: 'evaluator',
        inherit: false,
      },
    ]);
    expect(policy.default).toEqual({ decision: 'needs_approval', answer: 'person' });
    expect(policy.carries).toEqual([
      { tool: 'crm.export', capability: { name: 'crm.contact.export' }, at: 'policy.yaml:20:16' },
      { tool: 'crm.export', capability: { name: 'fs.read', path: '/crm' }, at: 'policy.yaml:20:36' },
    ]);
    expect(policy.admits).toEqual({
      workers: ['crm.export'],
      remember: 'always',
      reach: 'file',
      unattended: false,
    });
  });

  it('has the default admissions if the policy does not mention them', () => {
    const plain = load(head);
    expect(plain.ok && plain.policy.admits).toEqual({
      workers: false,
      remember: 'run',
      reach: 'folder',
      unattended: true,
    });
  });

  it.each<[string, number, string]>([
    ['/w/out/a', Date.parse('2026-11-20T09:59:59.999Z'), 'pre_approved'],
    ['/w/out/a', Date.parse('2026-11-20T10:00:00Z'), 'needs_approval'],
    ['/w/out/.git/a', 0, 'needs_approval'],
    ['/w/a', 0, 'needs_approval'],
    ['/w/out/.env', 0, 'blocked'],
  ])('decides about %s at %d', (path, now, decision) => {
    const capabilities = [{ name: 'fs.write', path }];
    const request = createRequest({
      tool: 'a.b',
      chain: ['main'],
      args: {},
      capabilities,
      context: {},
      history: [],
      now,
    });
    expect(decide(request, [policy]).decision).toBe(decision);
  });
});
