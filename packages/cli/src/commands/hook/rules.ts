import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type ClientName,
  clientNames,
  compileRules,
  importRules,
  isClientName,
  type RuleNote,
  RulesError,
  settingsWithRules,
} from '@ambit/agents';
import { jsonText, printable, printableLines } from '@ambit/core';
import { loadPolicyText } from '@ambit/policy';
import { homeFolder } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { givenPolicies } from '../given/policies.js';

interface RulesOptions {
  readonly policy?: readonly string[];
  readonly json?: boolean;
}

/** A policy from the settings of an agent, on stdout. The report of what it does not say exactly is on stderr. */
export async function importSettings(
  host: Host,
  client: string,
  { files, json }: { readonly files: readonly string[]; readonly json?: boolean },
): Promise<Exit> {
  requireClient(client);
  const places = { home: homeFolder(host.environment), project: host.folder, environment: host.environment };
  const given = await Promise.all(
    files.map(async (name) => {
      const file = resolve(host.folder, name);
      return { file, text: await readFile(file, 'utf8'), isProject: file.startsWith(`${host.folder}/`) };
    }),
  );
  const read = files.length > 0 ? given : await settingsWithRules(client, places);
  if (read.length === 0)
    throw new UnusableError(`no settings of ${client} were found`, `ambit import ${client} FILE`);
  const { text, notes } = asUsable(() => importRules(client, read));
  const about = read.map(({ file }) => file);
  // A policy that does not load would be no policy.
  const loaded = loadPolicyText('policy.yaml', text, { root: host.folder, home: places.home });
  if (!loaded.ok)
    throw new Error(`the imported policy does not load: ${JSON.stringify(loaded.diagnostics[0])}`);
  if (json === true) await write(host.stdout, `${jsonText({ files: about, policy: text, notes })}\n`);
  else await write(host.stdout, text);
  await report(host, `read: ${about.join(', ')}`, notes);
  return exits.done;
}

/** Settings of an agent from policies, on stdout. */
export async function compilePolicies(host: Host, client: string, options: RulesOptions): Promise<Exit> {
  requireClient(client);
  const { policies } = await givenPolicies(host, { policy: options.policy ?? [] });
  const { file, text, notes } = compileRules(client, { policies, root: host.folder });
  if (options.json === true) await write(host.stdout, `${jsonText({ file, text, notes })}\n`);
  else await write(host.stdout, text);
  await report(host, `for ${file}; without the hook, only these settings judge calls`, notes);
  return exits.done;
}

async function report(host: Host, head: string, notes: readonly RuleNote[]): Promise<void> {
  const lines = notes.map(({ rule, how, why }) => `${how.replaceAll('_', ' ')}: ${rule}: ${why}`);
  await write(host.stderr, `${printableLines([head, ...new Set(lines)].join('\n'))}\n`);
}

function requireClient(client: string): asserts client is ClientName {
  if (!isClientName(client))
    throw new UnusableError(
      `\`${printable(client)}\` is not a client; the clients are ${clientNames.join(', ')}`,
    );
}

function asUsable<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw error instanceof RulesError ? new UnusableError(error.message) : error;
  }
}
