import { realpath } from 'node:fs/promises';
import {
  equalJson,
  isJsonObject,
  isNonEmpty,
  type Json,
  type JsonObject,
  type NonEmpty,
  type Policy,
} from '@ambit/core';
import { noFolder, type Problem, problem } from '../host/problem.js';
import type { Budget, Opened } from '../host/session.js';
import { lastMode } from '../store/run-status.js';
import { openRun } from './open.js';
import type { OpenOptions } from './open-options.js';
import { readResumption } from './resumption.js';

/** How a run resumes: in the same mode or a stricter one. What it was begun with may be repeated unchanged. */
export type ResumeOptions = Pick<OpenOptions, 'root'> &
  Partial<Omit<OpenOptions, 'root' | 'policies' | 'entry' | 'open' | 'resume'>> & {
    /** New policies, and those again that a program had made. */
    readonly policies?: readonly (string | Policy)[];
  };

/** Resumes a run with its history, policies and answers. Completed work is not repeated. */
export async function resume(run: string, options: ResumeOptions): Promise<Opened> {
  const root = await realpath(options.root).catch(() => null);
  if (root === null) return { ok: false, problems: [noFolder(options.root)] };
  const environment = options.environment ?? process.env;
  const found = await readResumption({ ...options, resume: run }, { environment, root });
  if (found === null) throw new TypeError('the run to resume has no id');
  if ('problems' in found) return { ok: false, problems: found.problems };
  const { record, steps } = found;
  const { made: _, policies: files, budget, ...begun } = record.options as StoredOptions;
  const mode = options.mode ?? lastMode(record, steps);
  const { workers, model, context, folders, log, observe, ...changes } = options;
  const stated = { workers, model, context, folders, log, observe };
  const problems = [
    ...changedOptions({ ...begun, log: record.log }, stated),
    ...(mode === 'interactive' && isNobodyThere(options) ? [nobodyThere] : []),
  ];
  if (isNonEmpty(problems)) return { ok: false, problems };
  const given: unknown = options.policies ?? [];
  // `open` reports a value that is not a list.
  const more = Array.isArray(given) ? given.filter((policy) => !files.includes(policy as string)) : [given];
  const opening = {
    ...begun,
    ...changes,
    // A new limit replaces only the old one of the same kind.
    budget: { ...(budget as Budget | undefined), ...changes.budget },
    mode,
    root,
    resume: record.id,
    policies: [...files, ...more] as unknown as NonEmpty<string | Policy>,
  };
  return openRun(opening, found);
}

/** `approver: null` says that no person is asked. */
function isNobodyThere({ approver, park = false, wait = false }: ResumeOptions): boolean {
  return approver === undefined && !park && !wait;
}

const nobodyThere = problem(
  'NOBODY_THERE',
  'the run needs an approver, and there is none',
  'park it again at the next question (--park), wait for `ambit approvals` (--wait), or refuse (--strict)',
);

function changedOptions(begun: JsonObject, stated: Readonly<Record<string, unknown>>): readonly Problem[] {
  return Object.entries(stated).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const before = begun[name] ?? null;
    const isSame =
      isJsonObject(before) && isJsonObject(value)
        ? Object.entries(value).every(([key, one]) => equalJson(one, before[key] ?? null))
        : equalJson(value as Json, before);
    if (isSame) return [];
    const help = 'leave it out, or start another run';
    return [problem('ANOTHER_RUN', `the run was begun with another \`${name}\``, help)];
  });
}

type StoredOptions = JsonObject &
  Pick<OpenOptions, 'workers'> & { readonly made: Json; readonly policies: readonly string[] };
