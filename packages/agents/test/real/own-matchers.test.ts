import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { explore } from '../../../../test/depth.js';
import { type ClientName, compileRules } from '../../src/index.js';
import { callOf, drawn, loaded, policyText, settings } from '../drawn-rules.js';
import { matchers } from '../matchers.js';
import { HookPlace } from '../place.js';
import { programs } from './real-client.js';

/** Settings as written by a person, and as compiled from a policy. */
function texts(client: ClientName, place: HookPlace): fc.Arbitrary<string> {
  const compiled = policyText.map(
    (text) => compileRules(client, { policies: [loaded(place, text)], root: place.project }).text,
  );
  return fc.oneof(settings[client], compiled);
}

interface Gemini {
  readonly createPolicyEngineConfig: (settings: object, mode: string) => Promise<object>;
  readonly PolicyEngine: new (
    config: object,
  ) => {
    readonly check: (call: object, server?: string) => Promise<{ readonly decision: string }>;
  };
}

/** The module of the installed program that judges its calls. */
async function geminiEngine(program: string): Promise<Gemini> {
  const folder = dirname(program);
  const file = readdirSync(folder).find(
    (name) =>
      /^chunk-.*\.js$/.test(name) &&
      /^ {2}createPolicyEngineConfig,$/m.test(readFileSync(join(folder, name), 'utf8')),
  );
  return (await import(/* @vite-ignore */ pathToFileURL(join(folder, file ?? '')).href)) as Gemini;
}

describe('the models of the clients’ matchers', () => {
  it.skipIf(!programs.has('gemini'))('agree with Gemini', async () => {
    const { createPolicyEngineConfig, PolicyEngine } = await geminiEngine(programs.get('gemini') ?? '');
    const quiet = vi.spyOn(console, 'debug').mockReturnValue(undefined);
    onTestFinished(() => quiet.mockRestore());
    const place = new HookPlace();
    const folder = join(place.base, 'policies');
    mkdirSync(folder);
    const said: Readonly<Record<string, string>> = { allow: 'allow', ask_user: 'ask', deny: 'deny' };
    await fc.assert(
      fc.asyncProperty(
        texts('gemini', place),
        fc.array(drawn, { minLength: 1, maxLength: 6 }),
        async (text, calls) => {
          writeFileSync(join(folder, 'x.toml'), text);
          const engine = new PolicyEngine(
            await createPolicyEngineConfig({ policyPaths: [folder] }, 'default'),
          );
          for (const each of calls) {
            const call = callOf('gemini', each, place.project);
            if (call === null) continue;
            const { server } = call;
            const name = server === null ? call.tool : `mcp_${server.name}_${server.tool}`;
            const { decision } = await engine.check({ name, args: call.args }, server?.name);
            expect({ each, said: matchers.gemini(text, each) }).toEqual({ each, said: said[decision] });
          }
        },
      ),
      explore(1000),
    );
  });

  it.skipIf(!programs.has('codex'))('agree with Codex', () => {
    const place = new HookPlace();
    const file = join(place.base, 'x.rules');
    const said: Readonly<Record<string, string>> = { allow: 'allow', prompt: 'ask', forbidden: 'deny' };
    const command = drawn
      .filter((each) => each.kind === 'shell')
      .filter(({ command }) => !/[&;|"]/.test(command));
    fc.assert(
      fc.property(texts('codex', place), command, (text, each) => {
        writeFileSync(file, text);
        const words = each.command.split(' ');
        const args = ['execpolicy', 'check', '--rules', file, '--', ...words];
        const { decision } = JSON.parse(
          execFileSync(programs.get('codex') ?? '', args, {
            encoding: 'utf8',
            env: { HOME: place.home },
            stdio: 'pipe',
          }),
        ) as {
          decision?: string;
        };
        if (decision !== undefined)
          expect({ each, said: matchers.codex(text, each) }).toEqual({ each, said: said[decision] });
      }),
      explore(300),
    );
  });
});
