import { matchesWildcards } from '@ambit/core';
import { off, partsThatRun } from '../../../programs/language/git.js';
import data from './known-settings.yaml';

/** When a setting may make git run a program: for commands of this kind, or for `any` command. */
export type Aspect =
  | 'any'
  | 'network'
  | 'commit'
  | 'diff'
  | 'external'
  | 'signature'
  | 'filter'
  | 'merge'
  | 'archive'
  | 'interactive'
  | 'template';

/** A row has its keys with blanks between them; `*` is any text. */
type Row = Readonly<{ keys: string; runs?: readonly Aspect[] }>;

const rows = (data as { readonly settings: readonly Row[] }).settings.flatMap(({ keys, runs = [] }) =>
  keys.split(' ').map((key) => ({ key, runs })),
);

const pagers = /^(?:cat|less|more|less -[A-Za-z]+|true)$/;

/** The kinds of commands for which a setting runs a program or has another unknown effect. */
export function aspectsOf({ key, value }: Readonly<Record<'key' | 'value', string>>): readonly Aspect[] {
  const isOff = off.test(value);
  if (key === 'core.pager' || key.startsWith('pager.')) return pagers.test(value) || isOff ? [] : ['any'];
  if (key === 'core.fsmonitor' || key === 'core.splitindex') return isOff ? [] : ['any'];
  if (key === 'commit.gpgsign' || key === 'tag.gpgsign') return isOff ? [] : ['commit'];
  if (/^(?:format\.pretty|pretty\..*|rebase\.instructionformat|(?:branch|tag)\.sort)$/.test(key))
    return partsThatRun.test(value) ? ['any'] : [];
  // To show a merge, git may repeat it, with the configured merge programs.
  if (key === 'log.diffmerges')
    return /^(?:off|none|1|first-parent|separate|c|cc)$/.test(value) ? [] : ['any'];
  if (key === 'log.showsignature') return isOff ? [] : ['signature'];
  return rows.find((row) => matchesWildcards(row.key, key))?.runs ?? ['any'];
}
