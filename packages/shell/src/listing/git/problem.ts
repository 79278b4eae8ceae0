import { resolve } from 'node:path';
import { type Effect, onFiles, onlyFiles } from '../../effect.js';
import { mayHaveChangedBelow } from '../../world.js';
import { hooksOf } from './act.js';
import { isGiven, type Request, whyOf } from './request.js';
import { settingOf } from './settings/settings.js';
import type { WorkTree } from './work/work-tree.js';

/** Why a command that changes files and references is unknown. What it writes may be hooks itself. */
export function problemOf(request: Request, work: WorkTree): string | null {
  const hooks = settingOf(request.settings, 'core.hookspath');
  const place = hooks === null ? null : resolve(work.tree, hooks);
  if (place?.startsWith(`${work.tree}/`) === true)
    return `it may write hooks in \`${place}\`, and start them`;
  return (
    whyOf(request, ['filter', 'merge']) ??
    hooksOf(request, 'references') ??
    submodulesOf(work) ??
    interactiveProblem(request)
  );
}

/** Why a command that only changes files and the index is unknown. */
export function indexProblem(request: Request, work: WorkTree): string | null {
  return hooksOf(request, 'index') ?? submodulesOf(work);
}

export const noProblem = (): null => null;

export function interactiveProblem(request: Request): string | null {
  return isGiven(request, '-p --patch -i --interactive') ? whyOf(request, ['interactive']) : null;
}

/** The command writes settings of branches, which name remotes and other branches. */
export function setting({ repository }: Request): readonly Effect[] {
  if (repository === null) return [];
  const paths = [`${repository.common}/config`, `${repository.common}/config.lock`];
  return onFiles('write', onlyFiles(paths), { runsNothing: true });
}

/** Tracked submodules have settings and hooks of their own, which git follows there. */
export function submodulesOf({ index, tree, world }: WorkTree): string | null {
  const isOne = (place: string) =>
    world.listing.kind(place) !== null || mayHaveChangedBelow(place, world.changes);
  const found = index?.entries.find(
    ({ kind, path }) => kind === 'submodule' && isOne(`${tree}/${path}/.git`),
  );
  return found === undefined ? null : `it runs git in the submodule \`${found.path}\``;
}
