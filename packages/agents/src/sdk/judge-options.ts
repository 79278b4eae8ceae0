import { type Capability, isObject, isWorkerName, type JsonObject, nearest, type Toolset } from '@ambit/core';
import type { Environment } from '@ambit/runtime';

export interface JudgeOptions {
  /** Policy files. The machine's policy, and a trusted `policy.yaml` of `root`, are added. */
  readonly policies: readonly string[];
  /**
   * The id of the conversation: its run, with history, answers and log. Use the same id for every request of
   * the conversation.
   */
  readonly session: string;
  /** The acting worker, by its name in policies and the log; `agent` by default. */
  readonly agent?: string;
  /** The project: what `./` means in policies. The working folder by default. */
  readonly root?: string;
  /** The folder of the log and the answers. By default `AMBIT_HOME`, or else the user's state folder. */
  readonly state?: string;
  /** Toolsets whose tools the SDK offers by the same names. Their own descriptions are used. */
  readonly toolsets?: readonly Toolset[];
  /** The effects of other tools, by tool name. A tool that is not listed carries `tool.call`. */
  readonly describe?: Readonly<Record<string, (args: JsonObject) => readonly Capability[]>>;
  /**
   * Whether the program asks its user; true by default. Otherwise every question goes to `ambit approvals`.
   */
  readonly asks?: boolean;
  /** Facts about the machine; the process's own environment by default. */
  readonly environment?: Environment;
  /** Milliseconds within which a call must be judged; later it is refused. 10 seconds by default. */
  readonly timeout?: number;
  /** Milliseconds that a tool of `toolsets` may take to describe a call; 10 seconds by default. */
  readonly describeLimit?: number;
  /**
   * Whether only this judge uses the session, and keeps its log open until it is closed; false by default.
   */
  readonly isExclusive?: boolean;
}

type Kind = readonly [is: (value: unknown) => boolean, inWords: string];

const isToolset = (value: unknown) => isObject(value) && isText(value.name) && Array.isArray(value.tools);
const isText = (value: unknown) => typeof value === 'string' && value !== '';
const folder: Kind = [isText, 'the path of a folder'];
const flag: Kind = [(value) => typeof value === 'boolean', 'true or false'];
/** The largest delay of a timer. */
const longest = 2 ** 31 - 1;
const isTime = (value: unknown) => typeof value === 'number' && value >= 0 && value <= longest;
const time: Kind = [isTime, `a number of milliseconds, up to ${longest}`];

const kinds: Readonly<Record<keyof JudgeOptions, Kind>> = {
  policies: [(value) => Array.isArray(value) && value.every(isText), "a list of paths: `['policy.yaml']`"],
  session: [isText, 'the id of the conversation, a text that is not empty'],
  agent: [(value) => typeof value === 'string' && isWorkerName(value), 'a name: [a-z][a-z0-9_-]*'],
  root: folder,
  state: folder,
  toolsets: [
    (value) => Array.isArray(value) && value.every(isToolset),
    'a list of toolsets, as of `defineToolset`',
  ],
  describe: [
    (value) => isObject(value) && Object.values(value).every((each) => typeof each === 'function'),
    'an object that has a function for each tool',
  ],
  asks: flag,
  environment: [isObject, 'an object of texts'],
  timeout: time,
  describeLimit: time,
  isExclusive: flag,
};

/** Throws for options that are missing, unknown or of another type, and names them all. */
export function requireOptions(options: object): void {
  const given: object = { policies: undefined, session: undefined, ...options };
  const problems = Object.entries<unknown>({ ...given }).flatMap(([name, value]) => {
    const near = nearest(name, Object.keys(kinds));
    if (!Object.hasOwn(kinds, name))
      return [`there is no option \`${name}\`${near === null ? '' : `; did you mean \`${near}\`?`}`];
    const [is, inWords] = kinds[name as keyof JudgeOptions];
    const isLeftOut = value === undefined && name !== 'policies' && name !== 'session';
    return isLeftOut || is(value) ? [] : [`\`${name}\` must be ${inWords}`];
  });
  if (problems.length > 0) throw new TypeError(`openJudge: ${problems.join('; ')}`);
}
