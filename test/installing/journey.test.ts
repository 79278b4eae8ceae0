import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack } from '../../scripts/release/pack.mjs';
import { isDeep } from '../depth.js';
import { run } from './managers.js';

const limit = 600_000;

/** A folder that has only tarballs, and no registry that knows the packages. */
describe.skipIf(!isDeep)('a folder with tarballs', () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'journey-')));
  let tarballs: readonly string[] = [];
  beforeAll(async () => {
    tarballs = pack(join(place, 'tarballs'));
    writeFileSync(join(place, 'package.json'), '{ "private": true, "type": "module" }');
    const sdk = ['@anthropic-ai/sdk@1.11.0'];
    expect(await run(place, ['npm', 'install', '--prefer-offline', ...tarballs, ...sdk])).toMatchObject({
      exit: 0,
    });
  }, limit);
  afterAll(() => rmSync(place, { recursive: true, force: true }));
  const ambit = (...words: readonly string[]) => run(place, ['npx', 'ambit', ...words]);
  const write = (path: string, text: string) => writeFileSync(join(place, path), text);

  it(
    'lets an author write, check, pack and use a toolset',
    async () => {
      const { out } = await ambit('init', '--toolset', 'crm', 'crm');
      const steps =
        out
          .split(/next: /)[1]
          ?.trim()
          .split(/\n\s*/) ?? [];
      expect(steps).toEqual([
        `npm pkg set 'workspaces[]=crm'`,
        'npm install',
        'npm test --workspace crm-toolset',
      ]);
      for (const step of steps) expect(await run(place, ['sh', '-c', step])).toMatchObject({ exit: 0 });
      const inCrm = (...words: readonly [string, ...string[]]) => run(join(place, 'crm'), words);
      expect(await inCrm('npm', 'run', 'check')).toMatchObject({ exit: 0 });

      const readme = join(place, 'crm/README.md');
      writeFileSync(readme, readFileSync(readme, 'utf8').replace('greet _to_', 'old words'));
      expect(await inCrm('npm', 'run', 'readme')).toMatchObject({ exit: 0 });
      expect(readFileSync(readme, 'utf8')).toContain('| `crm.greet` | `crm.greeting` `to` | greet _to_ |');
      expect(await inCrm('npm', 'pack')).toMatchObject({ exit: 0 });

      write(
        'policy.yaml',
        'version: 1\ndefault: needs_approval\ncapabilities: { crm.greeting: pre_approved }\n',
      );
      expect(await inCrm('npm', 'run', 'judge')).toMatchObject({ exit: 0 });
      const adapter = `import { guard } from '@ambit/agents/anthropic'; console.log(typeof guard)`;
      const loaded = await run(place, [process.execPath, '--input-type=module', '-e', adapter]);
      expect(loaded).toMatchObject({ exit: 0, out: 'function\n' });
      const call = '{"tool": "crm.greet", "args": {"to": "ada"}}';
      const judged = await ambit('explain', '--toolset', './crm/index.js', '--policy', 'policy.yaml', call);
      expect(judged).toMatchObject({ exit: 0 });
      expect(judged.out).toContain('pre_approved');
    },
    limit,
  );

  it(
    'lets a user install the packed toolset, and permit its code by the rule that the refusal names',
    async () => {
      const user = join(place, 'user');
      mkdirSync(user);
      writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }');
      const all = [...tarballs, join(place, 'crm/crm-toolset-0.1.0.tgz'), '@anthropic-ai/sdk@1.11.0'];
      expect(await run(user, ['npm', 'install', '--prefer-offline', ...all])).toMatchObject({ exit: 0 });
      const file = (name: string, text: string) => writeFileSync(join(user, name), text);
      file('greeter.worker', 'name: greeter\ntoolsets: { crm-toolset: {} }\n---\nGreet.\n');
      file('script.yaml', 'greeter:\n  - call: [{ tool: greet, args: { to: ada } }]\n  - say: done\n');
      const words = ['run', 'greeter.worker', '--policy', 'policy.yaml', '--model', 'script:script.yaml'];
      const running = () => run(user, ['npx', 'ambit', ...words, '--strict']);

      const closed = 'version: 1\ndefault: needs_approval\n';
      file('policy.yaml', closed);
      const refused = await running();
      expect(refused.exit).toBe(1);
      const rule = /capabilities: \{ (code\.load: .* \} \}) \}/.exec(refused.err.replace(/\s+/g, ' '))?.[1];
      expect(rule).toContain('crm-toolset/index.js');
      file('policy.yaml', `${closed}capabilities:\n  ${rule}\n  crm.greeting: pre_approved\n`);
      const ran = await running();
      expect(ran).toMatchObject({ exit: 0, out: 'done\n' });
    },
    limit,
  );
});
