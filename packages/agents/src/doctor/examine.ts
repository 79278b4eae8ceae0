import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { stateFolderOf } from '@ambit/runtime';
import { findIsolation } from '@ambit/shell';
import type { ClientName } from '../clients/client-call.js';
import {
  type FoundHook,
  hooksIn,
  isFor,
  optionOf,
  othersHooks,
  readSettings,
} from '../clients/hooks-found.js';
import type { SettingsPlaces } from '../clients/settings-files.js';
import { workTreeOf } from '../hook/session-beginning.js';
import { type ProbedClient, probeClient } from '../install/versions.js';
import { type Canary, runCanary, scriptedTurns } from './canary.js';
import { loggedSessions } from './logged-sessions.js';
import { offSwitches, switchedOff } from './off-switches.js';
import { hasTranscripts, unguardedSessions } from './transcripts.js';

/**
 * One line of the doctor. `open`: a known gap of this kind of installation; `bad`: the protection differs
 * from the settings.
 */
export interface Finding {
  readonly state: 'ok' | 'open' | 'bad';
  readonly message: string;
  /** The suggested action; null if none is needed. */
  readonly help: string | null;
}

export interface Examining {
  readonly client: ClientName;
  readonly places: SettingsPlaces;
  /** The state folder that is used if no hook names one. */
  readonly state: string;
  /** Time limit of the client's turn, in milliseconds. */
  readonly limit: number;
}

/**
 * Checks whether the hook of a client is in force, how it can be bypassed, and which sessions ran without it.
 */
export async function examine(examining: Examining): Promise<readonly Finding[]> {
  const { client, places } = examining;
  const read = readSettings(client, places);
  const hooks = read.flatMap(hooksIn);
  const own = hooks.filter((hook) => isFor(client, hook));
  const [first] = own;
  const install = `ambit hook install ${client}`;
  if (first?.own == null) return [bad('no hook of Ambit is in its settings', install)];
  const state = optionOf(first.own, '--state') ?? examining.state;
  // Only those of earlier examinations: if the hook fails now, this one's turn counts as an unguarded session.
  const scripted = await scriptedTurns(state);
  const probed = await probeClient(client, places.environment);
  const settings = { client, read, hooks, version: probed.version };
  return [
    ok(`the hook is in ${own.map(({ file }) => file).join(', ')}`),
    ...startable(first, install),
    versionOf(probed),
    ...(await proof({ ...examining, state }, probed)),
    ...othersHooks(client, read).map(({ file, text }) =>
      bad(
        `not protected: the hook \`${text}\` in ${file} may change a call after it was judged, or answer a question about it`,
        'remove that hook, or use --managed',
      ),
    ),
    ...switchedOff(settings).map((each) => bad(`hooks are switched off in ${each}`, 'remove this setting')),
    ...offSwitches(settings).map((each) => open(each, null)),
    ...(await sessions({ ...examining, state, scripted }, first)),
  ];
}

const ok = (message: string): Finding => ({ state: 'ok', message, help: null });
const open = (message: string, help: string | null): Finding => ({ state: 'open', message, help });
const bad = (message: string, help: string | null): Finding => ({ state: 'bad', message, help });

/** Checks that the program which the hook starts exists. */
function startable({ own }: FoundHook, install: string): readonly Finding[] {
  const files = (own ?? []).filter((word) => word.startsWith('/') && /\/(?:node|launch\.cjs)$/.test(word));
  const missing = files.filter((file) => !existsSync(file));
  return missing.map((file) => bad(`the hook starts ${file}, which is missing`, `${install} again`));
}

function versionOf({ name, version, said, tested, isTested }: ProbedClient): Finding {
  if (isTested) return ok(`version ${version} is in the tested range ${tested}`);
  const instead = said === null ? '' : `, because \`${name} --version\` prints ${JSON.stringify(said)}`;
  const found = version === null ? `its version is unknown${instead}` : `version ${version} was not tested`;
  return open(`${found}: the hook was tested with ${tested}`, null);
}

async function proof(examining: Examining, { program }: ProbedClient): Promise<readonly Finding[]> {
  const { client, places, state, limit } = examining;
  if (program === null) return [bad(`not proved: the program of ${client} is not on the search path`, null)];
  const { project, environment } = places;
  const help = client === 'codex' ? 'start codex, type /hooks, and trust the two hooks' : null;
  return [verdict(await runCanary({ client, program, project, state, environment, limit }), help)];
}

/** The result of a scripted turn: good only if a block is recorded and the command did not run. */
function verdict({ asked, recorded, ran, told, said }: Canary, help: string | null): Finding {
  // Before the hook's own words, some agents name its command, and after them, they add words for the model.
  const words = (told ?? said).replace(/\s+/g, ' ').replace(/^.*\]: (?=ambit: )|<system-reminder>.*$/g, '');
  const last = words.trim().slice(-300);
  if (ran)
    return bad(
      recorded === null
        ? 'not in force: a command that the policy blocks ran, and the log lacks it'
        : `not in force: a command that the policy blocks ran; the log says \`${recorded}\``,
      help,
    );
  if (recorded === 'blocked')
    return ok('in force: a marker command was blocked, is in the log, and did not run');
  if (recorded !== null)
    return bad(`not proved: the log says \`${recorded}\` of the marker command: ${last}`, null);
  if (asked === 'not_at_all')
    return bad(
      `not proved: the client did not talk to the scripted model: ${last}`,
      'it may be logged in another way',
    );
  if (asked === 'no_tool') return bad('not proved: the client offered no shell to the model', null);
  return bad(`not proved: the marker command did not run, but the log lacks it: ${last}`, null);
}

const mostListed = 20;

/** Sessions since the installation of the hook that the log lacks in whole or in part. */
async function sessions(
  { client, places, state, scripted }: Examining & { readonly scripted: ReadonlySet<string> },
  { file, scope }: FoundHook,
): Promise<readonly Finding[]> {
  if (!hasTranscripts(client))
    return [open('its transcripts are in a database that Ambit does not read', 'ambit runs list')];
  const since = (await stat(file)).mtimeMs;
  const logged = await loggedSessions(state, ({ worker }) => worker === client);
  const root = workTreeOf(places.project);
  const within = scope === 'project' ? await stateFolderOf({ AMBIT_HOME: state }, root) : null;
  const found = await unguardedSessions(client, { places, since, logged, within, scripted });
  if (found.length === 0)
    return [ok('the log has every tool use of the sessions since the hook was installed')];
  const lines = found
    .slice(0, mostListed)
    .map(({ session, uses, missing, file: at, isEarlier }) =>
      isEarlier
        ? open(`session ${session} ended before the first decision of the hook (${at})`, null)
        : bad(
            `unguarded session ${session}: the log lacks ${missing} of ${uses} tool uses (${at})`,
            'calls that the hook refused because it could not judge are missing, too',
          ),
    );
  const rest = found.slice(mostListed);
  const finding = rest.every(({ isEarlier }) => isEarlier) ? open : bad;
  return rest.length === 0 ? lines : [...lines, finding(`${rest.length} more unguarded sessions`, null)];
}

/** Whether the settings of a client contain a hook of Ambit. */
export function isInstalled(client: ClientName, places: SettingsPlaces): boolean {
  return readSettings(client, places)
    .flatMap(hooksIn)
    .some((hook) => isFor(client, hook));
}

/** Whether a folder that judging depends on belongs to the user, and is closed to other users. */
export async function examineFolder(folder: string): Promise<Finding> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error)
    return found.code === 'ENOENT'
      ? open(`the state folder ${folder} does not exist yet`, null)
      : bad(`the state folder ${folder} cannot be examined: ${found.message}`, null);
  if (process.getuid !== undefined && found.uid !== process.getuid())
    return bad(`the state folder ${folder} belongs to another user`, null);
  if ((found.mode & 0o022) !== 0)
    return bad(`others can write into the state folder ${folder}`, `chmod 700 ${folder}`);
  return ok(`the state folder ${join(folder)} is yours alone`);
}

/** Whether commands can be confined on this machine. */
export async function examineIsolation(): Promise<Finding> {
  const found = await findIsolation();
  return found === null
    ? open('commands cannot be isolated on this machine', null)
    : ok(`commands can be isolated by ${found.kind}`);
}
