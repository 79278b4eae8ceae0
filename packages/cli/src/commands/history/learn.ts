import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { diffPolicies, formatDiff, type PolicyDifference } from '@ambit/analysis';
import {
  formatLearning,
  type Learning,
  learn as learnFrom,
  type PastCall,
  pastCalls,
  readLog,
} from '@ambit/audit';
import { type LoadedPolicies, loadPolicies, type PolicyWorld } from '@ambit/policy';
import { type NonEmpty, type PolicyTrials, policyTrials, printable, type reaches } from '@ambit/runtime';
import { type Exit, exits, UnloadableError, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { readingLog } from '../../log-failure.js';
import { jsonText } from '../../view/json-text.js';
import { unifiedDiff } from '../../view/unified-diff.js';
import { type PolicyOptions, policyFiles, policyWorld } from '../given/policies.js';
import { logMembers } from '../log/log-members.js';
import { doubt, verifiedLogs } from '../log/verified-logs.js';
import { LoggedPolicies } from './logged-policies.js';
import { replaceFile } from './replace-file.js';

export interface LearnOptions extends PolicyOptions {
  /** How far a rule may reach at most; as far as kept answers of the policy may where left out. */
  readonly reach?: Exclude<(typeof reaches)[number], 'call'>;
  /** Whether a rule may be wider than the folder of what was approved. */
  readonly widen?: boolean;
  readonly write?: boolean;
  readonly json?: boolean;
  readonly unverified?: boolean;
}

/** Proposes rules from what people approved, and writes them into the policy only where that is asked for. */
export async function learn(host: Host, names: NonEmpty<string>, options: LearnOptions): Promise<Exit> {
  const { json = false, unverified = false, write: isToBeWritten = false } = options;
  return readingLog(host, async () => {
    // What would be learnt from a log that somebody changed is what they want.
    const words = unverified ? doubt : 'this log does not verify, so nothing is learnt from it';
    const { logs, mark, banner, exit } = await verifiedLogs(host, names, { unverified, words });
    if (exit !== exits.done) return exit;
    const { calls, policies } = await readCalls(host, logs);
    const given = await policiesFor(host, { options, policies });
    const loaded = await loadPolicies(given.files, given.world);
    if (!loaded.ok) throw new UnloadableError(loaded.diagnostics);
    const trials = policyTrials(loaded, given);
    const reach = options.reach ?? (trials.reach === 'call' ? 'arguments' : trials.reach);
    const { target, root, files, tryRules } = trials;
    const { widen = false } = options;
    const learning = await learnFrom(calls, { target, reach, root, files, widen, tryRules });
    const text = withProposals(trials, learning);
    const diff = unifiedDiff(trials.target, trials.source, text);
    const changes =
      learning.proposals.length === 0 ? null : await changesOf(loaded, await trials.withText(text));
    const isWritten = isToBeWritten && learning.proposals.length > 0;
    const said = [
      formatLearning(learning),
      ...(changes === null ? [] : [`what this changes:\n${formatDiff(changes)}`]),
      ...(diff === '' ? [] : [diff]),
    ];
    // Shown before it is done.
    if (!json) await write(host.stdout, `${banner}${said.join('\n\n')}\n`);
    if (isWritten) await writePolicy(host, given.files[0], { before: trials.source, after: text });
    const document = {
      policy: trials.target,
      reach,
      ...learning,
      changes,
      diff,
      written: isWritten,
      ...mark,
    };
    const last = lastWords(trials.target, { learning, isWritten, given });
    const rest = json ? jsonText(document) : last.map((words) => `\n${words}`).join('');
    if (rest !== '') await write(host.stdout, `${rest}\n`);
    return exits.done;
  });
}

/** What the proposals would decide otherwise: every class of calls, each with one that shows it. */
async function changesOf(before: Loaded, after: LoadedPolicies): Promise<PolicyDifference> {
  if (!after.ok) throw new UnloadableError(after.diagnostics);
  return diffPolicies(before.policies, after.policies);
}

type Loaded = Extract<LoadedPolicies, { readonly ok: true }>;

async function readCalls(host: Host, logs: readonly string[]) {
  const policies = new LoggedPolicies();
  const calls: PastCall[] = [];
  for (const log of logs) {
    const lines = readLog(log);
    const members = await logMembers(host, log);
    calls.push(
      ...(await pastCalls(
        nameOf(host, log),
        (async function* () {
          for await (const line of lines) {
            policies.accept(line.entry);
            yield line;
          }
        })(),
        members.read,
      )),
    );
    await members.warn();
  }
  return { calls, policies };
}

/** As it is from the working folder. */
function nameOf(host: Host, log: string): string {
  return relative(host.folder, log) || log;
}

interface Given {
  readonly files: NonEmpty<string>;
  readonly world: PolicyWorld;
  /** Whether these are files, and not what the logs carry. */
  readonly areFiles: boolean;
}

/** The policies that are given, else those that the logs carry. */
async function policiesFor(
  host: Host,
  { options, policies }: { readonly options: LearnOptions; readonly policies: LoggedPolicies },
): Promise<Given> {
  const { AMBIT_POLICY = '' } = host.environment;
  const logged = policies.judging();
  if (options.policy.length > 0 || AMBIT_POLICY !== '') {
    const files = await policyFiles(host, options.policy);
    const world = await policyWorld(host, options);
    // Where nothing else is said, `./` stands for what it stood for when people answered.
    const root = options.root === undefined ? (logged?.world.root ?? world.root) : world.root;
    return { files, world: { ...world, root }, areFiles: true };
  }
  if (options.write === true)
    throw new UnusableError('--write wants the file to write to', 'give it with --policy FILE');
  if (logged === null)
    throw new UnusableError('these logs carry no policy file', 'give the policies with --policy FILE');
  return { ...logged, areFiles: false };
}

function withProposals(trials: PolicyTrials, { proposals }: Learning): string {
  return trials.withRules(
    proposals.map(({ rule, people, saves, sources }) => {
      const days = sources.map(({ time }) => time.slice(0, 10)).sort();
      const [first = '', last = ''] = [days[0], days.at(-1)];
      const who = people.length > 3 ? `${people.length} people` : people.join(', ');
      const when = first === last ? first : `${first} to ${last}`;
      return {
        ...rule,
        note: `learnt from ${saves} ${saves === 1 ? 'answer' : 'answers'} by ${who}, ${when}`,
      };
    }),
  );
}

function lastWords(
  target: string,
  of: { readonly learning: Learning; readonly isWritten: boolean; readonly given: Given },
): readonly string[] {
  if (of.learning.proposals.length === 0) return [];
  if (of.isWritten) return [`wrote ${printable(target)}`];
  return [
    of.given.areFiles
      ? 'nothing is written without --write'
      : 'nothing is written without --write --policy FILE',
  ];
}

async function writePolicy(
  host: Host,
  name: string,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  const file = await realpath(resolve(host.folder, name));
  if (!(await replaceFile(file, { before, after })))
    throw new UnusableError(
      `${printable(name)} was changed meanwhile, and stays as it is`,
      'once more, please',
    );
}
