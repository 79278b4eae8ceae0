import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { diffPolicies, formatDiff } from '@ambit/analysis';
import { formatLearning, type Learning, readRegular, writeWhole } from '@ambit/audit';
import { counted, type NonEmpty, printable } from '@ambit/core';
import type { PolicyTrials } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import { unifiedDiff } from '../../questions/difference.js';
import { requireLoaded } from '../given/policies.js';
import { doubt, verifiedLogs } from '../log/verified-logs.js';
import type { OptionsOf } from '../table/table.js';
import { areFilesGiven, type GivenFiles, learnFromLogs } from './learn-from-logs.js';

/** Proposes rules from approvals, and with `--write` writes them into the policy. */
export async function learn(host: Host, names: NonEmpty<string>, options: OptionsOf<'learn'>): Promise<Exit> {
  const { json = false, unverified = false, write: isToBeWritten = false } = options;
  const policy = names.find((name) => /\.ya?ml$/.test(name));
  if (policy !== undefined)
    throw new UnusableError(
      `${printable(policy)} is a policy, not a log; --write takes no value`,
      `--policy ${printable(policy)} --write`,
    );
  // An editor of a log could choose the learned rules; it may have been edited to inject rules.
  const words = unverified ? doubt : 'this log does not verify, so nothing is learnt from it';
  const { logs, mark, banner, exit } = await verifiedLogs(host, names, { unverified, words });
  if (exit !== exits.done) {
    if (json) await print(host, { error: { message: words, hint: null }, ...mark });
    return exit;
  }
  if (isToBeWritten && !areFilesGiven(host, options))
    throw new UnusableError('--write needs a policy file to write to', 'give one with --policy FILE');
  const { learning, trials, given, loaded, reach } = await learnFromLogs(host, logs, options);
  const text = withProposals(trials, learning);
  const diff = unifiedDiff(trials.target, trials.source, text);
  const changes =
    learning.proposals.length === 0
      ? null
      : diffPolicies(loaded.policies, requireLoaded(await trials.withText(text)).policies);
  const isWritten = isToBeWritten && learning.proposals.length > 0;
  const said = [
    formatLearning(learning),
    ...(changes === null ? [] : [`what this changes:\n${formatDiff(changes)}`]),
    ...(diff === '' ? [] : [diff]),
  ];
  // Shown before it is done.
  if (!json) await print(host, `${banner}${said.join('\n\n')}`);
  if (isWritten) await writePolicy(host, given.files[0], { before: trials.source, after: text });
  const { target } = trials;
  if (json)
    await print(host, { policy: target, reach, ...learning, changes, diff, written: isWritten, ...mark });
  else if (learning.proposals.length > 0)
    await write(host.stdout, `\n${lastWords(target, { isWritten, given })}\n`);
  return exits.done;
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
        note: `learnt from ${counted(saves, 'answer')} by ${who}, ${when}`,
      };
    }),
  );
}

function lastWords(
  target: string,
  { isWritten, given }: { readonly isWritten: boolean; readonly given: GivenFiles },
): string {
  if (isWritten) return `wrote ${printable(target)}`;
  return `give ${given.areFiles ? '' : '--policy FILE and '}--write to write them`;
}

async function writePolicy(
  host: Host,
  name: string,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  const file = await realpath(resolve(host.folder, name));
  const { mode } = await stat(file);
  const mayReplace = async () => (await readRegular(file)).toString() === before;
  if (!(await writeWhole(file, after, { mode: mode & 0o777, mayReplace })))
    throw new UnusableError(`${printable(name)} was changed meanwhile; nothing was written`, 'try again');
}
