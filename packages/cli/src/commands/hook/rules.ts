import { resolve } from 'node:path';
import { compileRules, importRules, type RuleNote, settingsWithRules } from '@ambit/agents';
import { readRegular } from '@ambit/audit';
import { printableLines } from '@ambit/core';
import { loadPolicyText } from '@ambit/policy';
import { homeFolder } from '@ambit/runtime';
import { UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import { clientNamed } from '../given/client.js';
import { givenPolicies } from '../given/policies.js';
import type { OptionsOf } from '../table/table.js';

/** Writes a policy from an agent's settings to stdout, and a report of inexact rules to stderr. */
export async function importSettings(
  host: Host,
  name: string,
  files: readonly string[],
  { json }: OptionsOf<'import'>,
): Promise<void> {
  const client = clientNamed(name);
  const places = { home: homeFolder(host.environment), project: host.folder, environment: host.environment };
  const given = await Promise.all(
    files.map(async (each) => {
      const file = resolve(host.folder, each);
      return {
        file,
        text: (await readRegular(file)).toString(),
        isProject: file.startsWith(`${host.folder}/`),
      };
    }),
  );
  const read = files.length > 0 ? given : await settingsWithRules(client, places);
  if (read.length === 0)
    throw new UnusableError(`no settings of ${client} were found`, `ambit import ${client} FILE`);
  const { text, notes } = importRules(client, read);
  const about = read.map(({ file }) => file);
  // A policy that does not load would be no policy.
  const loaded = loadPolicyText('policy.yaml', text, { root: host.folder, home: places.home });
  if (!loaded.ok)
    throw new Error(`the imported policy does not load: ${JSON.stringify(loaded.diagnostics[0])}`);
  await print(host, json ? { files: about, policy: text, notes } : text);
  await report(host, `read: ${about.join(', ')}; a call without a rule never runs unasked`, notes);
}

/** Writes an agent's settings from policies to stdout. */
export async function compilePolicies(
  host: Host,
  name: string,
  options: OptionsOf<'compile'>,
): Promise<void> {
  const client = clientNamed(name);
  const { policies } = await givenPolicies(host, { policy: options.policy ?? [] });
  const { file, text, notes } = compileRules(client, { policies, root: host.folder });
  await print(host, options.json ? { file, text, notes } : text);
  await report(host, `for ${file}; without the hook, only these settings judge calls`, notes);
}

async function report(host: Host, head: string, notes: readonly RuleNote[]): Promise<void> {
  const lines = notes.map(({ rule, how, why }) => `${how.replaceAll('_', ' ')}: ${rule}: ${why}`);
  await write(host.stderr, `${printableLines([head, ...new Set(lines)].join('\n'))}\n`);
}
