import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import {
  clientNames,
  examine,
  examineFolder,
  examineIsolation,
  type Finding,
  isInstalled,
  workTreeOf,
} from '@ambit/agents';
import { policyFindings } from '@ambit/analysis';
import { counted, printableLines } from '@ambit/core';
import { loadPolicies } from '@ambit/policy';
import { homeFolder, isPolicyThere, stateFolder, trustOf } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import { type Host, print } from '../../host.js';
import { clientNamed } from '../given/client.js';
import { policyWorld } from '../given/policies.js';
import type { OptionsOf } from '../table/table.js';

/** Reports for each agent whether its hook is in force. Exit code 1 if protection differs from the settings. */
export async function doctor(
  host: Host,
  named: readonly string[],
  options: OptionsOf<'doctor'>,
): Promise<Exit> {
  const wanted = named.map((name) => clientNamed(name));
  // A user of a container may have no entry in the list of users.
  const home = homeFolder(host.environment);
  const environment = { ...host.environment, HOME: home };
  const places = { home, project: host.folder, environment };
  const state = stateFolder(environment);
  const all: { readonly about: string; readonly finding: Finding }[] = [];
  const say = async (about: string, findings: readonly Finding[]) => {
    for (const finding of findings) {
      all.push({ about, finding });
      if (options.json !== true) await print(host, formatFinding(about, finding));
    }
  };
  await say('machine', [await examineFolder(state), await examineIsolation(), await projectPolicy(host)]);
  const clients = wanted.length > 0 ? wanted : clientNames.filter((client) => isInstalled(client, places));
  if (clients.length === 0)
    await say('machine', [
      { state: 'bad', message: 'no agent has a hook of Ambit', help: 'ambit hook install CLIENT' },
    ]);
  for (const client of clients)
    await say(client, await examine({ client, places, state, limit: options.timeout * 1000 }));
  if (options.json)
    await print(
      host,
      all.map(({ about, finding }) => ({ about, ...finding })),
    );
  return all.some(({ finding }) => finding.state === 'bad') ? exits.bad : exits.done;
}

function formatFinding(about: string, { state, message, help }: Finding): string {
  const line = `${state.padEnd(4)}  ${about}: ${message}${help === null ? '' : ` (${help})`}`;
  return printableLines(line.replace(/\n/g, ' '));
}

/** The project's unnamed policy: whether it loads, and its current text is trusted. */
async function projectPolicy(host: Host): Promise<Finding> {
  const file = join(workTreeOf(host.folder), 'policy.yaml');
  if (!(await isPolicyThere(file)))
    return { state: 'ok', message: 'the project has no policy.yaml of its own', help: null };
  const loaded = await loadPolicies([file], await policyWorld(host, {}));
  if (!loaded.ok) return { state: 'bad', message: `${file} has mistakes`, help: `ambit check ${file}` };
  const trust = await trustOf(host.environment, await realpath(file)).catch(() => null);
  if (trust === null) return { state: 'bad', message: `${file} was never trusted`, help: 'ambit trust' };
  const texts = new Map(trust.files.map(({ path, source }) => [path, source]));
  const isSame = texts.get(await realpath(file)) === (await readFile(file, 'utf8'));
  if (!isSame)
    return {
      state: 'open',
      message: `${file} changed since it was trusted: the trusted text also judges`,
      help: 'ambit trust',
    };
  const findings = counted(policyFindings(loaded, { now: Date.now() }).length, 'finding');
  return findings === '0 findings'
    ? { state: 'ok', message: `${file} is valid and trusted`, help: null }
    : {
        state: 'open',
        message: `${file} is trusted, with ${findings}: a rule may not do what it says`,
        help: `ambit check ${file}`,
      };
}
