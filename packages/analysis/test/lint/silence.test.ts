import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { presetNames, readProject, starterPolicy } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { diagnosticSections } from '../../../../test/diagnostics.js';
import { codesIn } from './findings.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const org = 'version: 1\ndefault: needs_approval\n';

/** One of everything that the language has. */
const everything = `version: 1
extends: [org.yaml]
default: needs_approval
capabilities:
  fs.read: pre_approved
  net: blocked
  proc.exec.opaque: { decision: blocked, undecided: needs_approval, match: { program: npm } }
  fs.write:
    - decision: pre_approved
      match: { path: ./out/** }
      except: { path: "**/.git/**" }
    - id: no-secrets
      decision: blocked
      match: { path: ["**/.env", "**/*.pem", ~/.ssh/**] }
      reason: credentials are read through the vault
  payment.send:
    - decision: needs_approval
      when: { ">": [{ var: capability.amount }, 100] }
      answer: person
tools:
  shell.run: needs_approval
  filesystem.list_files: pre_approved
carries:
  crm.export: [crm.contact.export]
workers:
  evaluator:
    capabilities: { net: blocked }
together:
  - id: exfiltration
    capabilities: [secret.read, { name: net.connect, except: { host: "**.internal.example" } }]
    within: run
    decision: blocked
`;

function markdown(): readonly (readonly [string, string])[] {
  const folders = ['.', 'docs', ...['packages', 'packages/examples'].flatMap((folder) => foldersIn(folder))];
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md') && name !== 'diagnostics.md')
      .map((name) => [`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')] as const),
  );
}

function foldersIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(?:node_modules|dist)$/.test(entry.name))
    .map(({ name }) => `${folder}/${name}`);
}

/** The policies that documents show as such. */
const shown = markdown().flatMap(([name, text]) =>
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)]
    .map(([, policy = '']) => [name, policy] as const)
    .filter(([, policy]) => /^version: 1$/m.test(policy)),
);
const examples = foldersIn('packages/examples')
  .map((folder) => `${folder}/policy.yaml`)
  .filter((file) => existsSync(join(root, file)))
  .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
const preferred = diagnosticSections
  .map(({ prefer }) => prefer)
  .filter((text) => text.startsWith('version: 1'));

async function saidOf(policy: string): Promise<readonly string[]> {
  const others = Object.fromEntries(
    [...policy.matchAll(/[\w./-]+\.yaml/g)].map(([file]) => [file.replace(/^\.\//, ''), org]),
  );
  return codesIn(policy, { 'org.yaml': org, ...others });
}

describe('lint reports nothing about', () => {
  it('a policy with every construct, including a worker’s repeated restriction', async () => {
    expect(await saidOf(everything)).toEqual([]);
  });

  it.each(presetNames)('the starter policy %s, whatever the project has', async (preset) => {
    const scripts = { 'test:unit': 'x', lint: 'x', test: 'x', deploy: 'x', build: 'x' };
    const files: Readonly<Record<string, string>> = {
      'package.json': JSON.stringify({ scripts }),
      Makefile: 'all: build\nbuild:\n\tcc\ntest : build\n\tx\n',
      'pyproject.toml': '[tool.ruff]\nline-length = 100\n',
      'Cargo.toml': '[package]\n',
      'go.mod': 'module x\n',
    };
    for (const there of [[], ['package.json'], Object.keys(files)]) {
      const project = await readProject(async (name) =>
        there.includes(name) ? (files[name] ?? null) : null,
      );
      if ('file' in project) throw new Error(project.message);
      expect(await saidOf(starterPolicy(preset, project))).toEqual([]);
    }
  });

  it('the policies of the examples', async () => {
    expect(examples.length).toBeGreaterThan(3);
    for (const [file, policy] of examples) expect([file, await saidOf(policy)]).toEqual([file, []]);
  });

  it('the policies of the documents', async () => {
    expect(shown.length).toBeGreaterThan(15);
    for (const [file, policy] of shown) expect([file, await saidOf(policy)]).toEqual([file, []]);
  });

  it('the examples to prefer on the page of diagnostics', async () => {
    expect(preferred.length).toBeGreaterThan(40);
    for (const policy of preferred) expect([policy, await saidOf(policy)]).toEqual([policy, []]);
  });
});
