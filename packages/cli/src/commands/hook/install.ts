import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ClientName,
  denialsOf,
  type Installing,
  install as installHook,
  mayUseResident,
  movingVariable,
  type ProbedClient,
  planInstall,
  probeClient,
  settingsFile,
  uninstall as uninstallHook,
} from '@ambit/agents';
import { homeFolder, stateFolder } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, print } from '../../host.js';
import { unifiedDiff } from '../../questions/difference.js';
import { clientNamed } from '../given/client.js';
import { loadedPolicies, policyWorld } from '../given/policies.js';
import type { OptionsOf } from '../table/table.js';

/** Seconds that the client waits. The hook itself refuses after four fifths of them. */
const usualTimeout = 30;

/** The same if a call waits for a person. */
const heldTimeout = 600;

export async function install(host: Host, client: string, options: OptionsOf<'hook install'>): Promise<void> {
  const plain = await installingOf(host, client, options);
  requireUsualFolder(host, plain);
  const denials = await denialsIn(host, options);
  const probed = await probeClient(plain.client, host.environment);
  if (options.dryRun !== true && options.anyVersion !== true) requireTested(plain, probed);
  const installing = { ...plain, denials, version: probed.version };
  const planned = await planInstall(installing);
  for (const { file, before, after } of planned)
    await print(host, options.json ? { file, before, after } : unifiedDiff(file, before ?? '', after));
  if (options.dryRun === true) return;
  await installHook(planned, host.environment);
  if (options.json === true) return;
  for (const { file } of planned) await print(host, `installed: ${file}`);
  if (client === 'codex' && options.managed !== true)
    await print(host, 'Codex does not run it yet: start codex, type /hooks, and trust the two hooks');
  await print(host, `prove that it is in force: ambit doctor ${client}`);
}

/** A hook guards the settings of its client in their usual place, and does not know its environment. */
function requireUsualFolder({ environment, folder }: Host, { client, scope, home }: Installing): void {
  const moving = scope === 'user' ? movingVariable(client, { home, project: folder, environment }) : null;
  if (moving === null) return;
  const other = client === 'copilot' || client === 'opencode' ? '--project' : '--managed or --project';
  throw new UnusableError(
    `with ${moving}=${environment[moving] ?? ''}, ${client} reads its settings there, where no hook guards them`,
    `unset ${moving}, here and for ${client}, or give ${other}`,
  );
}

/** The client's own denials. An invalid policy is rejected before anything is written. */
async function denialsIn(
  host: Host,
  { policy }: OptionsOf<'hook install'>,
): Promise<NonNullable<Installing['denials']>> {
  const [first, ...others] = policy;
  if (first === undefined) return [];
  const { policies } = await loadedPolicies([first, ...others], await policyWorld(host, {}));
  return denialsOf(policies, host.folder);
}

/** A version whose hooks were not tested may ignore an answer, so the call would run. */
function requireTested(
  { client }: Installing,
  { name, program, version, said, tested, isTested }: ProbedClient,
): void {
  if (isTested) return;
  const found =
    program === null
      ? `there is no program \`${name}\` on the search path`
      : said === null
        ? `${client} ${version ?? 'of an unknown version'} was not tested`
        : `\`${name} --version\` prints no version, but ${JSON.stringify(said)}`;
  throw new UnusableError(
    `${found}: the hook is known to work with ${tested}`,
    `${program === null ? `install ${client} first, or ` : ''}give --any-version to install the hook anyway, then run \`ambit doctor\``,
  );
}

export async function uninstall(
  host: Host,
  client: string,
  options: OptionsOf<'hook uninstall'>,
): Promise<Exit> {
  const installing = await installingOf(host, client, options);
  const restored = await uninstallHook(installing, host.environment);
  const isDone = restored.length > 0;
  const files = isDone ? restored : [settingsFile(installing)];
  for (const file of files) {
    const done = isDone ? 'restored' : 'not_installed';
    const line = isDone ? `restored: ${file}` : `no installation in ${file} is recorded; nothing was changed`;
    await print(host, options.json ? { file, done } : line);
  }
  return isDone ? exits.done : exits.bad;
}

async function installingOf(
  host: Host,
  name: string,
  options: Partial<OptionsOf<'hook install'>>,
): Promise<Installing> {
  const client = clientNamed(name);
  if (options.managed === true && options.project === true)
    throw new UnusableError(
      'a hook is for the machine or for one project: give --managed or --project, not both',
    );
  const approvals = approvalsOf(client, options);
  const timeout = approvals === 'ambit' ? heldTimeout : usualTimeout;
  const home = homeFolder(host.environment);
  const policies = await Promise.all(
    (options.policy ?? []).map(async (file) =>
      realpath(resolve(host.folder, file)).catch(() => {
        throw new UnusableError(`the policy ${file} cannot be read`, 'give a file that exists');
      }),
    ),
  );
  const path = (host.environment.PATH ?? '')
    .split(':')
    .filter((each) => isAbsolute(each))
    .join(':');
  return {
    client,
    scope: options.managed === true ? 'managed' : options.project === true ? 'project' : 'user',
    home,
    project: host.folder,
    command: [
      process.execPath,
      // A hook ends before a second thread of V8 would help, and each takes time to start and to end.
      '--v8-pool-size=1',
      await programFile(),
      'hook',
      client,
      '--home',
      home,
      '--state',
      stateFolder(host.environment),
      ...policies.flatMap((file) => ['--policy', file]),
      ...(approvals === 'client' ? [] : ['--approvals', approvals]),
      // A resident process belongs to the user, so it judges only by the user's policies.
      ...(options.managed !== true && mayUseResident({ policies, program: '', approvals })
        ? ['--resident']
        : []),
      // Commands are described with the programs of the person's own search path.
      ...(path === '' ? [] : ['--path', path]),
      '--timeout',
      String((timeout * 4) / 5),
    ],
    timeout,
    limiter: limiter(timeout),
    shell: ['/bin/bash', '/usr/bin/bash'].find((file) => existsSync(file)) ?? null,
    random: randomBytes(6).toString('hex'),
  };
}

/** A client that runs the tool after a time-out must not wait for a person. */
function approvalsOf(
  client: ClientName,
  { approvals = 'client' }: Partial<OptionsOf<'hook install'>>,
): 'client' | 'ambit' | 'defer' {
  if (approvals !== 'client' && approvals !== 'ambit' && approvals !== 'defer')
    throw new UnusableError(`--approvals cannot be \`${String(approvals)}\``, 'client, ambit or defer');
  if (approvals === 'client' || client === 'claude-code') return approvals;
  const why =
    approvals === 'ambit'
      ? 'runs a tool whose hook takes too long'
      : 'cannot put off a call until it is resumed';
  throw new UnusableError(
    `\`--approvals ${approvals}\` is only for claude-code: ${client} ${why}`,
    'leave it out: the call is then refused, and runs at the next try after `ambit approvals approve`',
  );
}

/** The program refuses earlier by itself; a hanging one is killed before the client's time-out runs the tool. */
function limiter(timeout: number): readonly string[] {
  const program = '/usr/bin/timeout';
  const args = ['--foreground', '-s', 'KILL', String((timeout * 9) / 10)];
  const { status } = spawnSync(program, [...args, '/bin/true'], { env: {}, stdio: 'ignore' });
  return status === 0 ? [program, ...args] : [];
}

/** The file that starts the built program: never one that builds it first. */
async function programFile(): Promise<string> {
  return realpath(join(dirname(fileURLToPath(import.meta.url)), 'launch.cjs'));
}
