import { isNonEmpty, modes, type NonEmpty, type Policy, textsOf, withId } from '@ambit/core';
import { configurationFile } from '../catalogue/configuration.js';
import type { ModelWorld } from '../converse/models.js';
import { type Problem, problem } from '../host/problem.js';
import { type Past, pastOf, type Resumption } from '../journal/journal.js';
import { openStore } from '../store/file-store.js';
import { canGoOn } from '../store/run-status.js';
import type { RunRecord, Store } from '../store/store.js';
import { type Environment, openStateFolder } from '../trust/state-folder.js';
import type { LoadedFiles } from '../watch/guarded-places.js';
import type { GivenByKind } from '../worker-file/given-toolsets.js';
import type { OpenOptions } from './open-options.js';

/** The run that `resume` names, or why it cannot be resumed. Null for a new run. */
export async function readResumption(
  { resume, store: given }: Pick<OpenOptions, 'resume' | 'store'>,
  { environment, root }: { readonly environment: Environment; readonly root: string },
): Promise<Resumption | null | { readonly problems: readonly [Problem] }> {
  if (resume === undefined) return null;
  const store = given ?? (await openStore(await openStateFolder(environment, root)));
  try {
    const found = await findRun(store, resume);
    if ('problems' in found) return found;
    const steps = await store.steps(found.id);
    const past = pastOf(steps);
    return {
      record: found,
      steps,
      past,
      isStopped: isEndedByStop(past) || (await isStopAsked(store, found)),
    };
  } finally {
    if (given === undefined || given === null) await store.close();
  }
}

/** The run of this id, or the only one whose id begins with it. */
async function findRun(
  store: Store,
  wanted: string,
): Promise<RunRecord | { readonly problems: readonly [Problem] }> {
  const runs = await store.runs();
  const like = withId(runs, wanted, ({ id }) => id);
  const [first, ...others] = like;
  if (first !== undefined && others.length === 0) return first;
  const message =
    first === undefined
      ? `there is no run \`${wanted}\` here`
      : `${like.length} runs begin with \`${wanted}\``;
  const named = (first === undefined ? runs.filter(canGoOn) : like).slice(0, 4).map(({ id }) => id);
  const help =
    named.length === 0 ? 'runs are kept by the folder that they were started in' : named.join(', ');
  return { problems: [problem('NO_RUN', message, help)] };
}

export function resumptionProblems(
  resumption: Resumption | null,
  { registry, configuration }: Pick<Opening, 'registry' | 'configuration'>,
  options: OpenOptions,
): readonly Problem[] {
  if (resumption === null) return [];
  const { record, past, isStopped } = resumption;
  if (!canGoOn(record))
    return [problem('RUN_ENDED', `the run ${record.id} has ended: ${record.status}`, 'start another')];
  if (past.entry === null)
    return [problem('NOT_BEGUN', `the run ${record.id} was killed before it began`, 'start another')];
  if (isStopped) return [problem('RUN_ENDED', `the run ${record.id} has ended: stopped`, 'start another')];
  const begins = past.events.filter((event) => event.event === 'run');
  const [first] = begins;
  const last = begins.at(-1);
  if (first === undefined || last === undefined) return [];
  return [
    ...looserModeProblems(last.mode, options.mode),
    ...changedFileProblems(
      'worker file',
      first.workers,
      [...registry.workers.values()].map(({ name, sha256 }) => [name, sha256]),
    ),
    ...[...registry.workers.keys()]
      .filter((name) => !Object.hasOwn(first.workers, name))
      .map((name) => `the worker file \`${name}\` did not exist when the run began`)
      .map((message) => problem('CHANGED_SINCE', message, 'remove it, or start another run')),
    ...changedFileProblems(
      'toolset',
      first.toolsets,
      [...registry.workers.values()].flatMap(({ toolsets }) =>
        toolsets.map(({ key, sha256 }) => [key, sha256]),
      ),
    ),
    ...(first.configuration === (configuration.sha256 ?? undefined)
      ? []
      : [changeProblem(`project’s configuration \`${configurationFile}\``)]),
    ...missingPolicies(record, options),
  ];
}

/** An answer is stored before it counts. */
async function isStopAsked(store: Store, { id }: RunRecord): Promise<boolean> {
  const questions = await store.questions();
  return questions.some(({ run, answer }) => run === id && answer?.answer === 'stop');
}

function isEndedByStop({ events }: Past): boolean {
  const last = events.findLast((event) => event.event === 'run' || event.event === 'end');
  return last?.event === 'end' && last.status === 'stopped';
}

export function addedFiles(
  { policies }: Pick<OpenOptions, 'policies'>,
  resumption: Resumption | null,
): readonly string[] {
  if (resumption === null) return [];
  const { policies: begun } = resumption.record.options;
  return policies.filter(
    (policy) => typeof policy === 'string' && !(Array.isArray(begun) && begun.includes(policy)),
  ) as readonly string[];
}

function looserModeProblems(before: string, now: string): readonly Problem[] {
  const [one, other] = [before, now].map((mode) => (modes as readonly string[]).indexOf(mode));
  if (one === undefined || other === undefined || other >= one) return [];
  const message = `the run was in the mode \`${before}\`, and continues only in the same or a stricter one, not \`${now}\``;
  return [problem('LOOSER_MODE', message, `go on with \`${before}\``)];
}

function changedFileProblems(
  noun: string,
  before: Readonly<Record<string, string>>,
  now: readonly (readonly [string, string | null])[],
): readonly Problem[] {
  return Object.entries(before).flatMap(([name, sha256]) => {
    const isSame = now.some(([other, digest]) => other === name && digest === sha256);
    return isSame ? [] : [changeProblem(`${noun} \`${name}\``)];
  });
}

function changeProblem(what: string): Problem {
  const message = `the ${what} has changed since the run began`;
  return problem('CHANGED_SINCE', message, 'put it back, or start another run');
}

/** Policies that a program made are not kept: it has to bring them again. */
function missingPolicies({ options: stored }: RunRecord, { policies }: OpenOptions): readonly Problem[] {
  const given = policies.filter((policy) => typeof policy !== 'string').map(({ name }) => name);
  const absent = textsOf(stored.made).filter((name) => !given.includes(name));
  if (!isNonEmpty(absent)) return [];
  return [
    problem('NO_POLICY', `the run began under ${absent.join(', ')}, which a program made`, 'give it again'),
  ];
}

export interface Opening extends LoadedFiles {
  readonly options: OpenOptions;
  readonly toolsets: GivenByKind;
  readonly policies: NonEmpty<Policy>;
  /** The resumed run; null for a new one. */
  readonly resumption: Resumption | null;
  /** How often its policies have been loaded again before. */
  readonly reloads: number;
  readonly models: Pick<ModelWorld, 'scripts'>;
}
