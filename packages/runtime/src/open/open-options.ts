import type { Recording } from '@ambit/audit';
import {
  type Approver,
  approverProblem,
  hasFunctions,
  isJsonObject,
  isNonEmpty,
  isObject,
  type JsonObject,
  type Mode,
  modes,
  type NonEmpty,
  type Policy,
  printable,
  problemInWords,
  takePolicy,
} from '@ambit/core';
import type { ApproverFunction } from '../approvers/first-answer.js';
import { type Problem, problem } from '../host/problem.js';
import type { Budget, EntryCall } from '../host/session.js';
import type { SessionEvent } from '../host/session-event.js';
import type { Store } from '../store/store.js';
import type { Environment } from '../trust/state-folder.js';
import type { GivenToolset } from '../worker-file/given-toolsets.js';

/** Everything that a run is opened with; the same from the command line and from code. */
export interface OpenOptions {
  /** Absolute: `./` in policies and worker files. */
  readonly root: string;
  /** `/etc/ambit/policy.yaml` is added if it exists. */
  readonly policies: NonEmpty<string | Policy>;
  /** Observing policies are recorded beside the decisions, and not reloaded. */
  readonly observe?: readonly string[];
  /** The entry worker's file, whose folder is the registry; or a folder of workers. */
  readonly workers: string;
  readonly mode: Mode;
  /** Checked before anything is written. */
  readonly entry?: EntryCall;
  readonly approver?: Approver | ApproverFunction | null;
  readonly context?: JsonObject;
  /** By default `RUN.jsonl` in the user's state folder. */
  readonly log?: string;
  readonly recording?: Recording;
  /** For workers that state none. */
  readonly model?: string;
  /** Allows a set of policies that all say `default: pre_approved`. */
  readonly open?: boolean;
  /** Toolsets from code: shared instances, factories for each call, and workers (`asToolset`). */
  readonly toolsets?: readonly GivenToolset[];
  readonly folders?: Readonly<Record<string, string>>;
  readonly budget?: Budget;
  /** Milliseconds for each answer. */
  readonly answerLimit?: number;
  /** The id of a run, or its beginning. See `resume`. */
  readonly resume?: string;
  /** Park the run at an unanswered question. */
  readonly park?: boolean;
  /** Without an approver, questions wait for `ambit approvals`. */
  readonly wait?: boolean;
  /** By default the user's state folder; null keeps the run in memory. */
  readonly store?: Store | null;
  readonly environment?: Environment;
  /** Makes the run a conversation: takes the model's words, gives the user's next ones, or null to end it. */
  readonly nextTurn?: (said: string, signal: AbortSignal) => Promise<string | null>;
  readonly onEvent?: (event: SessionEvent) => void;
}

type CheckedOptions =
  | { readonly ok: true; readonly options: OpenOptions }
  | { readonly ok: false; readonly problems: NonEmpty<Problem> };

/** Reads each option once, and reports all mistakes. Policies made in code are checked like files. */
export function checkOptions(given: OpenOptions): CheckedOptions {
  const options = { ...given };
  const policies = checkPolicies(options.policies);
  const problems = [
    ...Object.keys(options)
      .filter((name) => !Object.hasOwn(kinds, name))
      .map((name) =>
        problem('BAD_OPTION', `unknown option \`${printable(name)}\``, Object.keys(kinds).join(', ')),
      ),
    ...Object.entries(kinds).flatMap(([name, { isRight, what }]) =>
      isRight(options[name as keyof OpenOptions])
        ? []
        : [problem('BAD_OPTION', `\`${name}\` is not ${what}`, null)],
    ),
    ...modeProblems(options),
    ...approverProblems(options),
    ...policies.problems,
  ];
  if (isNonEmpty(problems)) return { ok: false, problems };
  return { ok: true, options: { ...options, policies: policies.list as unknown as typeof options.policies } };
}

function checkPolicies(given: unknown): {
  readonly list: readonly (string | Policy)[];
  readonly problems: readonly Problem[];
} {
  if (!Array.isArray(given)) return { list: [], problems: [] };
  const results = given.map((each: unknown, index): ReturnType<typeof checkPolicies> => {
    if (typeof each === 'string') return { list: [each], problems: [] };
    const result = takePolicy(each);
    if (result.ok) return { list: [result.policy], problems: [] };
    const problems = result.problems.map((one) =>
      problem('BAD_POLICY', problemInWords(index, each, one), one.help),
    );
    return { list: [], problems };
  });
  return {
    list: Object.freeze(results.flatMap(({ list }) => list)),
    problems: results.flatMap(({ problems }) => problems),
  };
}

/** A program without types may pass any text, which is not a permission. */
function modeProblems({ mode }: OpenOptions): readonly Problem[] {
  if (modes.includes(mode)) return [];
  const given: unknown = mode;
  const said = typeof given === 'string' ? `\`${printable(given)}\`` : `a value of the type ${typeof given}`;
  return [problem('BAD_MODE', `${said} is not a mode`, modes.join(', '))];
}

function approverProblems({ approver }: OpenOptions): readonly Problem[] {
  const isRight =
    approver === undefined ||
    approver === null ||
    typeof approver === 'function' ||
    hasFunctions(approver, ['ask']);
  if (isRight) return [];
  return [problem('BAD_APPROVER', approverProblem, 'or be a function that answers a question')];
}

interface Kind {
  readonly isRight: (value: unknown) => boolean;
  readonly what: string;
}

const text = kind((value) => typeof value === 'string', 'a text');
const texts = kind((value) => Array.isArray(value) && value.every(isText), 'a list of texts');
const claim = kind((value) => typeof value === 'boolean', 'true or false');
const plain = kind(isJsonObject, 'an object of plain JSON values');
const call = kind((value) => typeof value === 'function', 'a function');
const object = kind(isObject, 'an object');
const limit = kind((value) => typeof value === 'number' && value >= 0, 'a number, 0 or more');
const anything: Kind = { isRight: () => true, what: 'anything' };

const kinds: Readonly<Record<keyof OpenOptions, Kind>> = {
  root: text,
  policies: kind((value) => Array.isArray(value), 'a list of policies'),
  observe: optional(texts),
  workers: text,
  // Their problems have codes of their own.
  mode: anything,
  approver: anything,
  entry: optional(object),
  context: optional(plain),
  log: optional(text),
  recording: optional(object),
  model: optional(text),
  open: optional(claim),
  toolsets: optional(kind((value) => Array.isArray(value), 'a list of toolsets')),
  folders: optional(
    kind((value) => isObject(value) && Object.values(value).every(isText), 'an object with text values'),
  ),
  budget: optional(object),
  answerLimit: optional(limit),
  resume: optional(text),
  park: optional(claim),
  wait: optional(claim),
  store: optional(kind((value) => value === null || isObject(value), 'a store or null')),
  environment: optional(object),
  nextTurn: optional(call),
  onEvent: optional(call),
};

function kind(isRight: Kind['isRight'], what: string): Kind {
  return { isRight, what };
}

function optional({ isRight, what }: Kind): Kind {
  return { isRight: (value) => value === undefined || isRight(value), what };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
