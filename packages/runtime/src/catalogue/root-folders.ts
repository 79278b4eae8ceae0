import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '@ambit/audit';
import { fromHome, ownMember } from '@ambit/core';
import { isUnder, type Roots } from '@ambit/toolsets';
import { type Problem, placedProblem, problem } from '../host/problem.js';
import type { StoredRun } from '../store/store.js';
import type { RootDefinition, WorkerDefinition } from '../worker-file/worker-definition.js';
import type { OpenedRoot } from './worker-layers.js';
import type { WorkerRegistry } from './worker-registry.js';

export interface FolderWorld {
  readonly options: { readonly folders?: Readonly<Record<string, string>> };
  readonly root: string;
  readonly home: string;
}

type BegunRoots = StoredRun['roots'];

/** Creates nothing. */
export async function rootProblems(
  { workers }: Pick<WorkerRegistry, 'workers'>,
  world: FolderWorld,
): Promise<readonly Problem[]> {
  const wanted = [...workers.values()].flatMap((worker) =>
    worker.roots.map((root) => ({ worker, root, path: folderOf(root, world) })),
  );
  const made: string[] = [];
  for (const { root, path } of wanted) if (await mayBeMade(root, path, world)) made.push(path);
  const problems: Problem[] = [];
  for (const { worker, root, path } of wanted) {
    const found = await stat(path).catch(() => null);
    const willBe = made.some((folder) => folder === path || folder.startsWith(`${path}/`));
    const of = `the folder of the root \`${root.name}\` of ${worker.name}`;
    if (found === null && !willBe)
      problems.push(problem('NO_FOLDER', `${of} does not exist: ${path}`, helpFor(root)));
    if (found !== null && !found.isDirectory())
      problems.push(problem('NO_FOLDER', `${of} is not a folder: ${path}`, null));
  }
  problems.push(...(await overlapProblems(workers.values(), world)));
  return problems;
}

/** Moved roots of a resumed run. Earlier permits do not apply there. */
export async function movedRootProblems(
  { workers }: Pick<WorkerRegistry, 'workers'>,
  world: FolderWorld,
  begun: BegunRoots,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const worker of workers.values())
    for (const root of worker.roots) {
      const before = folderAtBegin(begun, worker, root);
      const now = await realOf(folderOf(root, world));
      if (before === null || before === now) continue;
      const message = `the root \`${root.name}\` of ${worker.name} was ${before} when the run began, and leads to ${now} now`;
      problems.push(problem('CHANGED_SINCE', message, 'put it back, or start another run'));
    }
  return problems;
}

function folderAtBegin(begun: BegunRoots, { name }: WorkerDefinition, root: RootDefinition): string | null {
  return ownMember(ownMember(begun ?? {}, name) ?? {}, root.name) ?? null;
}

/** Two roots of a worker that are one folder, by whatever path: they could disagree. */
export async function overlapProblems(
  workers: Iterable<WorkerDefinition>,
  world: FolderWorld,
): Promise<readonly Problem[]> {
  const all = await Promise.all([...workers].map((worker) => overlapsOf(worker, world)));
  return all.flat();
}

async function overlapsOf(
  { name, roots }: WorkerDefinition,
  world: FolderWorld,
): Promise<readonly Problem[]> {
  const reals = await Promise.all(roots.map((root) => realOf(folderOf(root, world))));
  return roots.flatMap((root, index) => {
    const first = reals.indexOf(reals[index] ?? '');
    if (first === index) return [];
    const message = `the roots \`${roots[first]?.name ?? ''}\` and \`${root.name}\` of ${name} are one folder: ${reals[index]}`;
    const help = 'one root may lie in another, and then says what may be done there';
    return [placedProblem(root.at, { code: 'ROOTS_OVERLAP', message, help })];
  });
}

/** Whether the folder may be created without a question: a given one, or one in the working folder. */
async function mayBeMade(
  { name, mode }: RootDefinition,
  path: string,
  { options, root }: FolderWorld,
): Promise<boolean> {
  if (mode !== 'rw') return false;
  if (Object.hasOwn(options.folders ?? {}, name)) return true;
  return (await realOf(path)).startsWith(root === '/' ? root : `${root}/`);
}

/** The real path of the existing part, and the rest unchanged. */
async function realOf(path: string): Promise<string> {
  return realpath(path).catch(async () =>
    path === '/' ? path : join(await realOf(dirname(path)), basename(path)),
  );
}

function helpFor({ mode }: RootDefinition): string | null {
  return mode === 'rw'
    ? 'no folder is created outside the working folder: create it, or give another with --folder'
    : null;
}

/** The real folders of each worker's roots. Creates writable ones; a resumed run keeps its folders. */
export async function openRootFolders(
  workers: ReadonlyMap<string, WorkerDefinition>,
  world: FolderWorld,
  begun: BegunRoots,
): Promise<ReadonlyMap<string, readonly OpenedRoot[]>> {
  const all = [...workers.values()].flatMap(({ roots }) => roots);
  for (const root of all.filter(({ mode }) => mode === 'rw')) await makeFolder(folderOf(root, world));
  const opened = [...workers.values()].map(async (worker) => {
    const roots = worker.roots.map(async (root) => {
      // A later swap by a link is found when the folder is used.
      const folder = folderAtBegin(begun, worker, root) ?? (await realpath(folderOf(root, world)));
      return { name: root.name, folder, outside: await isOutside(folder, world) };
    });
    return [worker.name, await Promise.all(roots)] as const;
  });
  return new Map(await Promise.all(opened));
}

/** Roots that worker files place outside the working folder, and folders from a person. */
export async function outsideRoots(
  workers: Iterable<WorkerDefinition>,
  world: FolderWorld,
): Promise<readonly { readonly root: RootDefinition; readonly folder: string }[]> {
  const found: { root: RootDefinition; folder: string }[] = [];
  for (const root of [...workers].flatMap(({ roots }) => roots)) {
    const folder = await realOf(folderOf(root, world));
    if (await isOutside(folder, world)) found.push({ root, folder });
  }
  return found;
}

/** Whether a folder lies outside the working folder and those that a person gave. */
async function isOutside(folder: string, world: FolderWorld): Promise<boolean> {
  const folders = Object.values(world.options.folders ?? {});
  const given = await Promise.all(
    folders.map((path) => realOf(resolve(world.root, fromHome(path, world.home)))),
  );
  return ![world.root, ...given].some((each) => isUnder(folder, each));
}

function folderOf({ name, root }: RootDefinition, world: FolderWorld): string {
  const { folders = {} } = world.options;
  return resolve(world.root, fromHome(ownMember(folders, name) ?? root, world.home));
}

/** The root whose folder has changed since the session was opened, if any. */
export function movedRoot({ list }: Roots): string | null {
  const moved = list.find(({ folder, real }) => folder !== real);
  return moved === undefined
    ? null
    : `the folder of the root \`${moved.name}\` is not the one that the run began with`;
}
