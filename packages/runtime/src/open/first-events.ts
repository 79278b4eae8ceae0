import { createRequire } from 'node:module';
import { hostname, userInfo } from 'node:os';
import type { SigningKey } from '@ambit/audit';
import type { LogEvent, NonEmpty, RunEvent } from '@ambit/core';
import type { Opening } from './opening.js';

interface FirstTime {
  readonly now: number;
  readonly signer: SigningKey | null;
  readonly resumed: number;
}

export function firstEvents(
  { options, registry, configuration, files, observing, root, home }: Opening,
  { now, signer, resumed }: FirstTime,
): NonEmpty<LogEvent> {
  const workers = Object.fromEntries(
    [...registry.workers.values()].map(({ name, sha256 }) => [name, sha256]),
  );
  const toolsets = Object.fromEntries(
    [...registry.workers.values()].flatMap((worker) =>
      worker.toolsets.flatMap(({ key, sha256 }) => (sha256 === null ? [] : [[key, sha256]])),
    ),
  );
  const run = runEvent({
    now,
    mode: options.mode,
    context: options.context ?? {},
    workers,
    toolsets,
    ...(configuration.sha256 === null ? {} : { configuration: configuration.sha256 }),
    signer,
    ...(resumed === 0 ? {} : { resumed }),
  });
  // The log already has its policies.
  if (resumed > 0) return [run];
  const observed = observing.files.map((file) => ({ ...file, observed: true }));
  return [run, { now, event: 'policy', files: [...files, ...observed], root, home }];
}

type Begun = Omit<RunEvent, 'event' | 'version' | 'user' | 'machine' | 'signer'> & Pick<FirstTime, 'signer'>;

export function runEvent({ now, signer, ...run }: Begun): RunEvent {
  return {
    now,
    event: 'run',
    version: programVersion(),
    user: userName(),
    machine: hostname(),
    ...run,
    ...(signer === null ? {} : { signer: signer.verifier.text }),
  };
}

/** Set when the program is built as one file. */
declare const AMBIT_VERSION: string | undefined;

function programVersion(): string {
  if (typeof AMBIT_VERSION === 'string') return AMBIT_VERSION;
  const stated = createRequire(import.meta.url)('@ambit/runtime/package.json') as { version: string };
  return stated.version;
}

/** A user without a name by number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
