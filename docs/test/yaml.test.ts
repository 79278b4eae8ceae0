import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTool, defineToolset, policies } from '@ambit/core';
import { loadPolicies, loadSuite, reportSuites } from '@ambit/policy';
import { judgeLineInFull, open } from '@ambit/runtime';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { crm } from '../../packages/examples/two-references/crm.js';
import { readConfiguration } from '../../packages/runtime/src/catalogue/configuration.js';
import { readScript } from '../../packages/runtime/src/converse/script.js';
import { type Block, blocksIn } from './blocks.js';
import { documents } from './documents.js';

const blocks = documents()
  .flatMap(blocksIn)
  .filter(({ language }) => language === 'yaml' || language === 'yml');
const kinds = ['policy', 'worker', 'script', 'suite', 'configuration', 'invalid', 'fragment'];
const ofKind = (kind: string) => blocks.filter(({ info }) => (info[0] ?? 'policy') === kind);

describe('YAML in the documents', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'ambit-docs-'));
  const silent = join(scratch, 'silent.yaml');
  writeFileSync(silent, 'nobody: [{ say: nothing }]\n');
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it('occurs more than a few times, each block of a known kind', () => {
    const unknown = blocks.filter(({ info }) => !kinds.includes(info[0] ?? 'policy'));
    expect(unknown.map(({ at, info }) => `${at} ${info.join(' ')}`)).toEqual([]);
    expect(ofKind('policy').length).toBeGreaterThan(5);
    expect(ofKind('worker').length).toBeGreaterThan(0);
    expect(ofKind('script').length).toBeGreaterThan(0);
    expect(ofKind('suite').length).toBeGreaterThan(0);
    expect(ofKind('configuration').length).toBeGreaterThan(0);
  });

  it.each(ofKind('policy'))('is a valid policy: $at', async (block) => {
    expect(await complaints(block)).toEqual([]);
  });

  it.each(ofKind('invalid'))('is a policy that fails to load: $at', async (block) => {
    expect(await complaints(block)).not.toEqual([]);
  });

  it.each(ofKind('script'))('is a valid script: $at', ({ at, text }) => {
    const read = readScript(at, Buffer.from(text));
    expect(read.ok ? [] : read.diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
  });

  it.each(ofKind('configuration'))('is a valid configuration: $at', ({ at, text }) => {
    const { diagnostics } = readConfiguration(at, Buffer.from(text));
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
  });

  it.each(ofKind('suite'))('is a suite that passes for the preceding policy: $at', async (block) => {
    expect(await failures(block)).toEqual([]);
  });

  it.each(ofKind('worker'))('is a valid worker: $at', async ({ at, text }) => {
    const folder = join(scratch, at.replace(/[^a-zA-Z0-9]+/g, '-'));
    mkdirSync(folder);
    const name = /^name: *(\S+)/m.exec(text)?.[1] ?? 'worker';
    writeFileSync(join(folder, `${name}.worker`), text);
    const opened = await open({
      root: folder,
      policies: [policies.allowAll()],
      workers: join(folder, `${name}.worker`),
      model: `script:${silent}`,
      mode: 'strict',
      environment: { ...process.env, AMBIT_HOME: join(folder, 'state') },
      // The toolsets that documents make in code.
      toolsets: [crm(), tickets],
    });
    if (opened.ok) await opened.session.close();
    expect(opened.ok ? [] : opened.problems.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
  });
});

/** The toolset of CONTRIBUTING, with tools that do nothing. */
const tickets = defineToolset({
  name: 'tickets',
  tools: ['file', 'close'].map((name) =>
    defineTool({
      name,
      description: name,
      input: z.strictObject({}),
      describe: () => ({ capabilities: [] }),
      execute: () => null,
    }),
  ),
});

/** What is wrong with a block as a suite, whatever it calls its policy: the last one that its document shows before it. */
async function failures(block: Block): Promise<readonly string[]> {
  const before = ofKind('policy').filter(({ document }) => document === block.document);
  const policy = before.filter(({ at }) => lineOf(at) < lineOf(block.at)).at(-1)?.text ?? '';
  const loaded = await loadSuite('a.test.yaml', {
    home: '/home/reader',
    root: '/docs',
    read: async (path) => Buffer.from(path === 'a.test.yaml' ? block.text : policy),
    realpath: async (path) => path,
    folder: async (path) => path,
    describe: async (call, { policies: { policies } }) => {
      const judged = await judgeLineInFull(JSON.stringify(call), { policies, toolsets: [], now: () => 0 });
      return 'error' in judged ? { unusable: judged.error.message } : judged;
    },
  });
  if (!loaded.ok) return loaded.diagnostics.map(({ code, message }) => `${code} ${message}`);
  const { suites } = reportSuites([loaded], {});
  return suites.flatMap(({ cases }) =>
    cases.filter(({ status }) => status === 'failed').map(({ name }) => name),
  );
}

function lineOf(at: string): number {
  return Number(at.split(':').at(-1));
}

/** What is wrong with a block as a policy. The files that it extends are there, and say nothing. */
async function complaints({ text }: Block): Promise<readonly string[]> {
  const main = '/docs/policy.yaml';
  const loaded = await loadPolicies([main], {
    root: '/docs',
    home: '/home/reader',
    read: async (path) => Buffer.from(path === main ? text : 'version: 1\ndefault: pre_approved\n'),
    realpath: async (path) => path,
  });
  return loaded.ok ? [] : loaded.diagnostics.map(({ code, message }) => `${code} ${message}`);
}
