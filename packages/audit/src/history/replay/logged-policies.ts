import type { JsonObject } from '@ambit/core';
import type { LogEntry } from '../../log/line/line.js';
import { objectsOf, textOf } from '../../log/line/members.js';

/** The policies that a run began with, or that it loaded later: what one `policy` event holds. */
export interface LoggedPolicies {
  readonly files: readonly LoggedFile[];
  /** What `./` and `~/` meant; null in a log that does not say. */
  readonly root: string | null;
  readonly home: string | null;
}

interface LoggedFile {
  readonly name: string;
  readonly path: string;
  readonly source: string;
  /** Whether its judgements were only recorded. */
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
