import type { JsonObject } from '@ambit/core';
import type { LogEntry } from '../../log/line/line.js';
import { objectsOf, textOf } from '../../log/line/members.js';

/** The policies in one `policy` event: those from the start of a run, or from a reload. */
export interface LoggedPolicies {
  readonly files: readonly LoggedFile[];
  /** The meaning of `./` and `~/`; null in a log without it. */
  readonly root: string | null;
  readonly home: string | null;
}

interface LoggedFile {
  readonly name: string;
  readonly path: string;
  readonly source: string;
  /** Whether they only observed. */
  readonly observed?: boolean;
}

/** The policies in an entry of a log; null for another kind of entry. */
export function loggedPolicies(entry: LogEntry): LoggedPolicies | null {
  if (entry.event !== 'policy') return null;
  return {
    files: objectsOf(entry.files).map(fileOf),
    root: textOf(entry.root),
    home: textOf(entry.home),
  };
}

function fileOf({ name, path, source, observed }: JsonObject): LoggedFile {
  const shown = textOf(name) ?? '';
  return {
    name: shown,
    path: textOf(path) ?? shown,
    source: textOf(source) ?? '',
    observed: observed === true,
  };
}
