import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTool, defineToolset } from '@ambit/core';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { builtInReferences } from '../../src/worker-file/built-in-references.js';
import { isReserved } from '../../src/worker-file/given-toolsets.js';
import { defined, mistakes, read, words } from '../worker-text.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-toolsets-')));
const source = 'export default null;\n';
mkdirSync(join(folder, 'tools'));
writeFileSync(join(folder, 'tools/crm.js'), source);
symlinkSync('crm.js', join(folder, 'tools/other.js'));
symlinkSync('/dev/zero', join(folder, 'tools/endless.js'));
mkdirSync(join(folder, 'node_modules/crm-tools'), { recursive: true });
writeFileSync(join(folder, 'node_modules/crm-tools/index.js'), source);
afterAll(() => rmSync(folder, { recursive: true }));

const crm = defineToolset({
  name: 'crm',
  tools: ['note', 'export'].map((name) =>
    defineTool({
      name,
      description: name,
      input: z.strictObject({}),
      describe: () => ({ capabilities: [] }),
      execute: () => null,
    }),
  ),
});

const around = { folder, workers: ['main', 'reader'], shared: [crm] };
const header = (text: string) => `toolsets:\n  ${text}\n---\nDo it.\n`;
const found = (text: string) => mistakes(header(text), around);
const said = (text: string) => words(header(text), around);
const only = (text: string) => defined(header(text), around).toolsets[0];

describe('a reference to a toolset', () => {
  it('of a built-in name is reserved: `core/src/words/name.ts` lists each', () => {
    expect(Object.keys(builtInReferences).filter((name) => !isReserved(name))).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['filesystem: {}', []],
    ['filesystem:', ['2:3 EMPTY_SECTION']],
    ['filesystem: ~', ['2:15 WRONG_TYPE']],
    ['filesystem: true', ['2:15 WRONG_TYPE']],
    ['filesystem: []', ['2:15 WRONG_TYPE']],
    ['filesystem: { roots: [] }', ['2:17 UNKNOWN_KEY']],
    ['filesystem: {}\n  filesystem: {}', ['3:3 DUPLICATE_KEY']],
    ['filesytem: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['Filesystem: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['shell: {}', []],
    ['shell:', ['2:3 EMPTY_SECTION']],
    [
      'shell: { timeout: 10, isolation: required, writes: roots, search_path: [/usr/bin], approvals: { run: blocked } }',
      [],
    ],
    ['shell: { timeout: 0 }', ['2:21 BAD_VALUE']],
    ['shell: { timeout: 3601 }', ['2:21 BAD_VALUE']],
    ['shell: { isolation: yes }', ['2:23 UNKNOWN_VALUE']],
    ['shell: { isolation: true }', ['2:23 WRONG_TYPE']],
    ['shell: { writes: all }', ['2:20 UNKNOWN_VALUE']],
    ['shell: { search_path: bin }', ['2:25 WRONG_TYPE']],
    ['shell: { search_path: [bin, "/a:/b", 1] }', ['2:26 BAD_VALUE', '2:31 BAD_VALUE', '2:40 WRONG_TYPE']],
    ['shell: { cwd: out }', ['2:12 UNKNOWN_KEY']],
    ['shell: { approvals: { exec: blocked } }', ['2:25 UNKNOWN_TOOL']],
    ['http: {}', []],
    ['http:', ['2:3 EMPTY_SECTION']],
    ['http: { max_bytes: 1000, timeout: 5, approvals: { fetch: needs_approval } }', []],
    ['http: { max_bytes: 0 }', ['2:22 BAD_VALUE']],
    ['http: { max_bytes: 20000001 }', ['2:22 BAD_VALUE']],
    ['http: { timeout: 601 }', ['2:20 BAD_VALUE']],
    ['http: { timeout: soon }', ['2:20 WRONG_TYPE']],
    ['http: { proxy: "http://proxy:3128" }', []],
    ['http: { proxy: proxy:3128 }', ['2:18 BAD_VALUE']],
    ['http: { proxy: 3128 }', ['2:18 WRONG_TYPE']],
    ['http: { resolve: a }', ['2:11 UNKNOWN_KEY']],
    ['http: { approvals: { get: blocked } }', ['2:24 UNKNOWN_TOOL']],
    ['mcp-files: { command: [x] }', ['2:25 WRONG_TYPE']],
    ['mcp-: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['worker: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['provider: {}', ['2:3 MISSING_KEY']],
    ['provider: { tools: [] }', ['2:22 EMPTY_SECTION']],
    ['provider: { tools: [web_serach] }', ['2:23 UNKNOWN_TOOL']],
    ['provider: { tools: [web_search, web_search] }', ['2:35 BAD_VALUE']],
    ['provider: { tools: [web_search], max_uses: 1 }', ['2:36 UNKNOWN_KEY']],
    ['provider: { tools: [web_search], approvals: { web_serch: blocked } }', ['2:49 UNKNOWN_TOOL']],
    ['provider.web_search: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['toolset: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['delegation: { allow_workers: [reader] }', []],
    ['delegation: { allow_workers: ["*"] }', []],
    ['delegation: { allow_workers: [] }', []],
    ['delegation: {}', []],
    ['delegation: { allow_workers: reader }', ['2:32 WRONG_TYPE']],
    ['delegation: { allow_workers: [reader, 1] }', ['2:41 WRONG_TYPE']],
    ['delegation: { allow_workers: [raeder, Main] }', ['2:33 UNKNOWN_WORKER', '2:41 UNKNOWN_WORKER']],
    ['delegation: { allow_workers: [filesystem] }', ['2:33 UNKNOWN_WORKER']],
    ['delegation: { allow_worker: [reader] }', ['2:17 UNKNOWN_KEY']],
    ['reader: {}', []],
    ['main: {}', []],
    ['reader: { model: script:a }', ['2:13 UNKNOWN_KEY']],
    ['raeder: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['crm: {}', []],
    ['crm: { url: https://a.example }', ['2:10 UNKNOWN_KEY']],
    ['./tools/crm.js: {}', []],
    ['./tools/crm: {}', []],
    ['./tools/gone.js: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['./tools: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['../nowhere/crm.js: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['crm-tools: {}', []],
    ['crm-tols: {}', ['2:3 UNKNOWN_TOOLSET']],
    // Node knows these, and has no file for them.
    ['path: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['fs: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['"node:fs": {}', ['2:3 UNKNOWN_TOOLSET']],
    ['constructor: {}', ['2:3 UNKNOWN_TOOLSET']],
    ['"": {}', ['2:3 UNKNOWN_TOOLSET']],
    ['"a\\0b": {}', ['2:3 UNKNOWN_TOOLSET']],
    // What would be read without end.
    ['./tools/endless.js: {}', ['2:3 UNKNOWN_TOOLSET']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['filesystem: {}\n  read_file: {}', ['3:3 TWO_TOOLS']],
    ['read_file: {}\n  filesystem: {}', ['3:3 TWO_TOOLS']],
    ['crm: {}\n  export: {}\n  read_file: {}', ['3:3 TWO_TOOLS']],
    ['provider: { tools: [web_fetch] }\n  web_search: {}', []],
    ['web_search: {}\n  provider: { tools: [web_search] }', ['3:3 TWO_TOOLS']],
  ])('rejects duplicate tool names: %j', (text, expected) => {
    const workers = [...around.workers, 'read_file', 'export', 'web_search'];
    expect(mistakes(header(text), { ...around, workers })).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['{}', []],
    ['', ['2:17 EMPTY_SECTION']],
    ['[write_file]', ['2:28 WRONG_TYPE']],
    ['{ write_file: needs_approval, read_file: blocked, list_files: pre_approved }', []],
    ['{ write: needs_approval }', ['2:30 UNKNOWN_TOOL']],
    ['{ filesystem.write_file: blocked }', ['2:30 UNKNOWN_TOOL']],
    ['{ "*": pre_approved }', ['2:30 UNKNOWN_TOOL']],
    ['{ constructor: pre_approved }', ['2:30 UNKNOWN_TOOL']],
    ['{ write_file: allow }', ['2:42 UNKNOWN_DECISION']],
    ['{ write_file: { decision: blocked } }', ['2:42 WRONG_TYPE']],
    ['{ write_file: { pre_approved: true } }', ['2:42 WRONG_TYPE']],
    ['{ write_file: blocked, write_file: pre_approved }', ['2:51 DUPLICATE_KEY']],
    ['{ wirte_file: blokced }', ['2:30 UNKNOWN_TOOL', '2:42 UNKNOWN_DECISION']],
  ])('checks approvals: %s', (approvals, expected) => {
    expect(found(`filesystem: { approvals: ${approvals} }`)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['reader: { approvals: { reader: blocked } }', []],
    ['reader: { approvals: { worker.reader: blocked } }', ['2:26 UNKNOWN_TOOL']],
    ['delegation: { allow_workers: [reader], approvals: { worker_call: blocked } }', []],
    ['delegation: { allow_workers: [reader], approvals: { reader: blocked } }', ['2:55 UNKNOWN_TOOL']],
    ['crm: { approvals: { export: blocked } }', []],
    ['crm: { approvals: { exprot: blocked } }', ['2:23 UNKNOWN_TOOL']],
    // A module's tools are known when it has started; then a wrong name stops the worker.
    ['./tools/crm.js: { approvals: { whatever: blocked } }', []],
  ])('accepts only tools of its toolset: %s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ['{ write_file: { pre_approved: true }, read_file: { pre_approved: false } }', []],
    ['{ write_file: pre_approved }', ['2:49 WRONG_TYPE']],
    ['{ write_file: {} }', ['2:49 EMPTY_SECTION']],
    ['{ write_file: { pre_approved: yes } }', ['2:65 WRONG_TYPE']],
    ['{ write_file: { blocked: true } }', ['2:51 UNKNOWN_KEY']],
    ['{ write: { pre_approved: true } }', ['2:37 UNKNOWN_TOOL']],
    ['{ write_file: { pre_approved: true } }, approvals: {}', ['2:17 MISPLACED_KEY']],
  ])('accepts the older spelling of approvals: %s', (approvals, expected) => {
    expect(found(`filesystem: { _approval_config: ${approvals} }`)).toEqual(expected);
  });

  it('means the same in both spellings', () => {
    const older = only('filesystem: { _approval_config: { write_file: { pre_approved: true } } }');
    const newer = only('filesystem: { approvals:        { write_file: pre_approved } }');
    expect(older).toEqual(newer);
    expect(older?.approvals).toEqual([
      { tool: 'write_file', decision: 'pre_approved', at: 'main.worker:2:37' },
    ]);
    expect(
      only('filesystem: { _approval_config: { write_file: { pre_approved: false } } }')?.approvals,
    ).toEqual([{ tool: 'write_file', decision: 'needs_approval', at: 'main.worker:2:37' }]);
  });

  it.each<[string, string]>([
    ['./tools/crm.js', 'tools/crm.js'],
    ['./tools/other.js', 'tools/crm.js'],
    ['crm-tools', 'node_modules/crm-tools/index.js'],
  ])('to a module %s contains its real path and text', (key, path) => {
    const named = key.startsWith('.') ? [join(folder, key)] : [];
    expect(only(`${key}: {}`)).toEqual({
      key,
      path: join(folder, path),
      paths: [...new Set([...named, join(folder, path)])],
      sha256: createHash('sha256').update(source).digest('hex'),
      configuration: {},
      approvals: [],
      at: 'main.worker:2:3',
    });
  });

  it('prefers the worker to the instance for an ambiguous name', () => {
    const { callees } = read(header('crm: { approvals: { crm: blocked } }'), { ...around, workers: ['crm'] });
    expect(callees).toEqual(['crm']);
  });

  it.each<[string, string]>([
    [
      'filesytem: {}',
      'UNKNOWN_TOOLSET there is no toolset, worker or module `filesytem`; did you mean `filesystem`? filesystem, shell, http, delegation, a worker of this folder (main, reader, crm), or a module',
    ],
    [
      'raeder: {}',
      'UNKNOWN_TOOLSET there is no toolset, worker or module `raeder`; did you mean `reader`? filesystem, shell, http, delegation, a worker of this folder (main, reader, crm), or a module',
    ],
    [
      'worker: {}',
      'UNKNOWN_TOOLSET `worker` is reserved: a worker cannot use it; filesystem, shell, http or delegation',
    ],
    [
      'provider.web_search: {}',
      'UNKNOWN_TOOLSET `provider.web_search` would run at the model’s provider, where nothing can guard it, so it is off; a toolset that runs here: filesystem, shell, http or delegation; or, if a policy mentions it, `provider: { tools: [web_search] }`',
    ],
    [
      './tools/gone.js: {}',
      'UNKNOWN_TOOLSET there is no module `./tools/gone.js`; a path is relative to the folder of this file',
    ],
    [
      'reader: { model: x }',
      'UNKNOWN_KEY `reader` is a worker, and cannot be configured here: `model`; a reference to it takes `approvals` and nothing else',
    ],
    [
      'reader: { _aproval_config: {} }',
      'UNKNOWN_KEY `reader` is a worker, and cannot be configured here: `_aproval_config`; did you mean `approvals`?',
    ],
    [
      'crm: { zone: 1, url: x, Amount: 2 }',
      'UNKNOWN_KEY `crm` is an instance that all workers share, and cannot be configured here: `Amount`, `url`, `zone`; a reference to it takes `approvals` and nothing else',
    ],
    [
      'crm: { url: x }',
      'UNKNOWN_KEY `crm` is an instance that all workers share, and cannot be configured here: `url`; a reference to it takes `approvals` and nothing else',
    ],
    [
      'delegation: { allow_workers: [reader], x: 1 }',
      'UNKNOWN_KEY `x` is not a key here; allow_workers or approvals',
    ],
    [
      'delegation: { allow_workers: [raeder] }',
      'UNKNOWN_WORKER there is no worker `raeder` in this folder; did you mean `reader`?',
    ],
    [
      'delegation: { allow_workers: [nobody] }',
      'UNKNOWN_WORKER there is no worker `nobody` in this folder; main or reader',
    ],
    [
      'crm: { approvals: { exprot: blocked } }',
      'UNKNOWN_TOOL there is no tool `exprot` here; did you mean `export`? note or export',
    ],
    [
      './tools/crm.js: {}\n  ././tools/other.js: { approvals: { note: blocked } }',
      'TWO_TOOLS `././tools/other.js` and `./tools/crm.js` are one module, so each of its tools would be there twice; keep one of them: `approvals` belong to the worker, so another worker may say otherwise',
    ],
    [
      'crm: { approvals: { export: block } }',
      'UNKNOWN_DECISION `block` is not a decision; did you mean `blocked`? pre_approved, needs_approval or blocked',
    ],
  ])('has a message and a suggestion: %s', (text, expected) => {
    expect(said(text)).toEqual([expected]);
  });
});
