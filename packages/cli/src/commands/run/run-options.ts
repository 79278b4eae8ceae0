import { access, constants, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Mode, stated } from '@ambit/core';
import { nearest } from '@ambit/policy/yaml';
import { namesFolder, type OpenOptions } from '@ambit/runtime';
import { UnusableError } from '../../failure.js';
import type { Host } from '../../host.js';
import { isAtTerminal } from '../../questions/person.js';

export interface RunCommandOptions {
  readonly policy: readonly string[];
  readonly observe: readonly string[];
  readonly model?: string;
  readonly approveAll?: boolean;
  readonly strict?: boolean;
  readonly attach: readonly string[];
  readonly context: readonly string[];
  readonly folder: readonly string[];
  readonly log?: string;
  /** When the log continues in another file: bytes, entries, minutes. */
  readonly logMaxBytes?: number;
  readonly logMaxEntries?: number;
  readonly logMaxAge?: number;
  readonly logCommit?: 'group' | 'sync';
  /** `TOOL=PATH`. */
  readonly logMask?: readonly string[];
  /** Seconds. */
  readonly timeout?: number;
  readonly maxCalls?: number;
  readonly maxTokens?: number;
  readonly maxMinutes?: number;
  readonly open?: boolean;
  /** Whether questions wait for answers from elsewhere. */
  readonly wait?: boolean;
  /** Whether the run ends at a waiting question. */
  readonly park?: boolean;
  /** The id of a run to resume, or its beginning. */
  readonly resume?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Throws without an approver. */
export function modeOf(host: Host, options: RunCommandOptions): Mode {
  const flags = {
    '--approve-all': options.approveAll,
    '--strict': options.strict,
    '--wait': options.wait,
    '--park': options.park,
  };
  const [first, second] = Object.entries(flags).flatMap(([name, given]) => (given === true ? [name] : []));
  if (first !== undefined && second !== undefined)
    throw new UnusableError(`${first} and ${second} exclude each other`, 'give one of them');
  if (options.approveAll === true) return 'approve_all';
  if (options.strict === true) return 'strict';
  if (first !== undefined || isAtTerminal(host)) return 'interactive';
  throw new UnusableError(
    'cannot ask: stdin is not a terminal; nothing was run',
    // A resumed run has no looser mode.
    `give --strict to refuse what needs approval, ${options.resume === undefined ? '--approve-all to approve it, ' : ''}--wait to answer with \`ambit approvals\`, or --park to resume later`,
  );
}

/** Undefined without options of the log. */
export function recordingOf(options: RunCommandOptions): OpenOptions['recording'] {
  const { logMaxBytes: bytes, logMaxEntries: entries, logMaxAge, logCommit, logMask = [] } = options;
  const rotate = stated({ bytes, entries, seconds: logMaxAge && logMaxAge * 60 });
  const recording = stated({
    rotate: Object.keys(rotate).length === 0 ? undefined : rotate,
    commit: logCommit,
    mask: logMask.length === 0 ? undefined : maskRulesOf(logMask),
  });
  return Object.keys(recording).length === 0 ? undefined : recording;
}

function maskRulesOf(pairs: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const rules = new Map<string, string[]>();
  for (const pair of pairs) {
    const [, tool, path] = /^([^=]+)=([^=.]+(?:\.[^=.]+)*)$/.exec(pair) ?? [];
    if (tool === undefined || path === undefined)
      throw new UnusableError(
        `--log-mask takes TOOL=PATH, not \`${pair}\``,
        '--log-mask crm.login=user, or cards.*.number',
      );
    rules.set(tool, [...(rules.get(tool) ?? []), path]);
  }
  return Object.fromEntries(rules);
}

/** The path as given, or of the worker of that name in the working folder. */
export async function workerFile(host: Host, worker: string): Promise<string> {
  const isPath = worker.includes('/') || worker.endsWith('.worker');
  const name = isPath ? worker : `${worker}.worker`;
  const path = resolve(host.folder, name);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() === true) return path;
  if (found !== null)
    throw new UnusableError(`${name} is not a regular file`, 'a worker is a regular file NAME.worker');
  const others = (await readdir(dirname(path)).catch(() => [])).filter((file) => file.endsWith('.worker'));
  const near = nearest(basename(path), others);
  const hint =
    near !== null
      ? `did you mean ${isPath ? join(dirname(worker), near) : near.slice(0, -'.worker'.length)}?`
      : others.length === 0
        ? 'a worker is a file NAME.worker'
        : `there is ${others.slice(0, 8).join(', ')}${others.length > 8 ? ', …' : ''}`;
  throw new UnusableError(`there is no worker \`${worker}\`: ${name} is not a file`, hint);
}

export async function attachedFiles(host: Host, files: readonly string[]): Promise<readonly string[]> {
  const folder = files.find(namesFolder);
  if (folder !== undefined)
    throw new UnusableError(
      `${folder}: names a folder, so it cannot be attached`,
      'leave out what follows the name',
    );
  const paths = files.map((file) => resolve(host.folder, file));
  for (const path of paths) {
    await access(path, constants.R_OK);
    if (!(await stat(path)).isFile())
      throw new UnusableError(`${path}: is not a file, so it cannot be attached`);
  }
  return paths;
}
