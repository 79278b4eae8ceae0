import { resolve } from 'node:path';
import { hyphenated } from '@ambit/core';
import { anyBelow, type Effect, onFiles, onlyFiles } from '../../effect.js';
import { capability, connect } from '../../programs/language/make-effect.js';
import type { Lister, Reading } from '../../programs/reading.js';
import { type Output, unknownOutput } from '../../word.js';
import { describedOf, type ListerResult } from '../../world.js';
import { pathEffects } from '../options.js';
import { driversOf } from './attributes.js';
import { am, apply } from './commands/apply.js';
import * as branches from './commands/branch.js';
import { lsTree } from './commands/changed-names.js';
import { checkout, reset, restore } from './commands/checkout.js';
import * as commits from './commands/commit.js';
import { diff } from './commands/diff.js';
import { merge, pick, rebase, revert } from './commands/merge.js';
import * as network from './commands/network.js';
import { formatPatch } from './commands/patches.js';
import {
  describe,
  forEachRef,
  mergeBase,
  revList,
  revParse,
  symbolicRef,
} from './commands/printed-revision.js';
import * as removing from './commands/remove.js';
import * as showing from './commands/show.js';
import { add, archive, grep, lsFiles, status } from './commands/track.js';
import { ownFiles } from './own-files.js';
import { submodulesOf } from './problem.js';
import { isGiven, namedFiles, type Request, requestOf, textsOf, workTreeOf } from './request.js';
import { forEachRevision } from './revisions.js';

/** Commands that only read git's own files, and show no content of files. */
const plain = (): ListerResult => [];

/** The files with passwords in settings that a command shows. */
const passwords = ({ settings }: Request, isShown: (key: string) => boolean): readonly Effect[] =>
  onFiles('read', onlyFiles(settings.secret.flatMap(([file, key]) => (isShown(key) ? [file] : []))));

/** Prints the addresses of remotes, which may hold passwords. */
const addresses = (of: Request): ListerResult => passwords(of, (key) => /^(?:remote|url)\./.test(key));

const remote = (request: Request): ListerResult =>
  request.reading.operands.length > 0 || isGiven(request, '-v --verbose') ? addresses(request) : [];

/** `git ls-remote --get-url` connects to nothing: it prints the address. */
const lsRemote = (request: Request): ListerResult =>
  request.reading.open === null && isGiven(request, '--get-url')
    ? addresses(request)
    : network.fetch(request);

const readsSettings = '--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool';

/** Settings of the repository; the table has other files. Newer versions have commands, such as `edit`. */
const config = (request: Request): ListerResult => {
  const [first, ...others] = request.reading.operands;
  const names = first === undefined ? [] : textsOf(first);
  if (names?.includes('edit') !== false) return 'it may start an editor';
  const isSet = others.length > 0 && !names.some((name) => name === 'get' || name === 'list');
  const isUnset = isGiven(request, '--unset --unset-all --rename-section --remove-section');
  if (isGiven(request, '-f --file')) return [];
  if (!isUnset && (!isSet || isGiven(request, readsSettings))) {
    const isAny = isGiven(request, '-l --list --get-regexp --get-urlmatch') || names.includes('list');
    const keys = names.map((name) => name.toLowerCase());
    // A name may hold an address with a password: `url.ADDRESS.insteadOf`.
    const isNamed = (key: string) => !isGiven(request, '--name-only') || /[@?]/.test(key);
    return passwords(request, (key) => (isAny && isNamed(key)) || keys.includes(key.toLowerCase()));
  }
  if (isGiven(request, '--global --system')) return [];
  const ofTree = isGiven(request, '--worktree') ? ' config.worktree config.worktree.lock' : '';
  return ownFiles(request, 'write', `^config ^config.lock${ofTree}`);
};

/** Commands that only print something. */
const printing =
  (outputOf: (request: Request) => Output) =>
  (request: Request): ListerResult => ({ effects: [], output: outputOf(request) });

/** Commands that read their standard input only for these options. */
const leavingInput =
  (describe: (request: Request) => ListerResult, unless: string) =>
  (request: Request): ListerResult => {
    const described = describedOf(describe(request));
    const leavesInput = request.reading.open === null && !isGiven(request, unless);
    return typeof described === 'string' ? described : { ...described, leavesInput };
  };

/** Without one that is there, it shows ids and paths of the index. */
const submodules = (request: Request): ListerResult => {
  const work = workTreeOf(request);
  return work === null ? 'the work tree is unknown' : (submodulesOf(work) ?? []);
};

const hashObject = (request: Request): ListerResult => {
  const why = isGiven(request, '--no-filters') ? null : driversOf(request, 'filter', 'any');
  return why ?? pathEffects('read', request.reading.operands);
};

const commands: Readonly<Record<string, (request: Request) => ListerResult>> = {
  ...branches,
  ...commits,
  ...network,
  ...removing,
  ...showing,
  add,
  am,
  apply,
  archive,
  blame: leavingInput(showing.blame, '--contents -S --ignore-revs-file'),
  checkout,
  config,
  describe,
  diff,
  forEachRef: printing(forEachRef),
  formatPatch,
  grep: leavingInput(grep, '-f'),
  hashObject,
  lsFiles,
  lsRemote,
  lsTree,
  merge,
  mergeBase: printing(mergeBase),
  pick,
  plain,
  rebase,
  remote,
  reset,
  restore,
  revert,
  revList: printing(revList),
  revParse: printing(revParse),
  status,
  submodules,
  symbolicRef: printing(symbolicRef),
  updateIndex: commits.updateIndex,
};

/** Commands that change a repository. */
const changing: ReadonlySet<string> = new Set(
  'add am checkout clean commit merge mv pick rebase reset restore revert rm stash unstash'.split(' '),
);

/** By `git-COMMAND`, as `lists` has them; `git-plain` for commands that show names and numbers only. */
export const gitListers: Readonly<Record<string, Lister>> = Object.fromEntries(
  Object.entries(commands).map(([key, describe]) => [
    `git-${hyphenated(key)}`,
    listerOf(hyphenated(key), describe),
  ]),
);

function listerOf(name: string, describe: (request: Request) => ListerResult): Lister {
  return (given, context) => {
    const request = requestOf(given, context);
    if (typeof request === 'string') return withoutRepository(name, request);
    if (request.repository === null && changing.has(name)) return inNoRepository(name, request);
    const described = describedOf(forEachRevision(name, request, describe));
    if (typeof described === 'string') return described;
    // A setting on the line, such as `log.date`, may change what is printed, but not the names of these commands.
    const isSet = given.given.has('-c') && !isGiven(request, '-c');
    const isKept = !isSet || (described.output?.kind === 'names' && /^(?:diff|ls-files)$/.test(name));
    return {
      ...described,
      ...(!isKept && { output: unknownOutput }),
      effects: [...described.effects.map((effect) => placed(effect, given)), ...namedFiles(request, name)],
    };
  };
}

/** Words of `git -C DIR` count from that folder. */
function placed(effect: Effect, { folder }: Reading): Effect {
  return effect.kind === 'path' && folder !== null ? { ...effect, folder } : effect;
}

/** It fails. Commands that write only git's own files still name their purpose; the effects of others are unknown. */
function inNoRepository(name: string, { folder }: Request): ListerResult {
  if (name !== 'add' && name !== 'commit') return 'no repository is found where it works';
  return onFiles('write', anyBelow(resolve(folder, '.git')), { isRemembered: true });
}

/** A connection to another repository, and a push to it, are known even if nothing else is. */
function withoutRepository(name: string, why: string): ListerResult {
  if (name !== 'push' && name !== 'fetch' && name !== 'ls-remote') return why;
  return [...(name === 'push' ? [capability('vcs.push')] : []), connect(null), { kind: 'opaque', why }];
}
