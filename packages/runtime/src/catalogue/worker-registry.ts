import { hash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { readRegular } from '@ambit/audit';
import { errorCode, isNonEmpty, type NonEmpty } from '@ambit/core';
import { causeOf } from '@ambit/policy';
import { largestFile } from '@ambit/policy/yaml';
import { asProblem, fileProblem, type Problem, problem } from '../host/problem.js';
import { WorkerToolset } from '../worker-file/given-toolsets.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import { readWorker } from '../worker-file/worker-file.js';
import type { WorkerNeighbours } from '../worker-file/worker-reading.js';

export interface WorkerRegistry {
  readonly workers: ReadonlyMap<string, WorkerDefinition>;
  readonly problems: readonly Problem[];
  /** Null for a folder. */
  readonly entry: string | null;
}

interface RegistryWorld {
  /** Absolute. */
  readonly root: string;
  readonly shared: WorkerNeighbours['shared'];
  /** Workers of other folders, as toolsets. */
  readonly given?: readonly WorkerToolset[];
}

/** Loads a worker with those that it can reach, or all workers of a folder. */
export async function loadWorkers(path: string, world: RegistryWorld): Promise<WorkerRegistry> {
  const found = await stat(path).catch((error: unknown) => errorCode(error) ?? '');
  if (typeof found === 'string') {
    const why = found === 'EACCES' ? 'permission denied' : 'no such file or folder';
    return {
      workers: new Map(),
      problems: [fileProblem(shownAs(path, world.root), why)],
      entry: null,
    };
  }
  const folder = found.isDirectory() ? path : dirname(path);
  const entry = found.isDirectory() ? null : basename(path).replace(/\.worker$/, '');
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.worker'))
    .map((name) => name.slice(0, -'.worker'.length))
    .sort();
  const { given = [] } = world;
  const all = [...new Set([...names, ...given.map(({ name }) => name)])];
  const neighbours: WorkerNeighbours = { folder, workers: all, shared: world.shared };
  const others = new Map(given.flatMap((toolset) => [...toolset.workers]));
  const workers = new Map<string, WorkerDefinition>();
  const problems: Problem[] = [];
  // It grows while it is walked, until everything that can be reached is in it.
  const waiting = new Set(entry === null ? names : [entry]);
  for (const name of waiting) {
    // Not of this folder, and read already.
    if (others.has(name) && !names.includes(name)) continue;
    const file = entry === name ? path : join(folder, `${name}.worker`);
    const read = await readFrom(file, name, { neighbours, root: world.root });
    problems.push(...read.problems);
    if (read.definition !== null) workers.set(name, read.definition);
    for (const callee of read.callees) waiting.add(callee);
  }
  for (const other of given.flatMap((toolset) => [...toolset.workers.values()])) {
    const own = workers.get(other.name);
    if (own === undefined) workers.set(other.name, other);
    else if (own.path !== other.path || own.sha256 !== other.sha256)
      problems.push(sameNameProblem(own, other));
  }
  return { workers, problems, entry };
}

/** Rules, chains and grants know a worker by its name. */
function sameNameProblem(one: WorkerDefinition, other: WorkerDefinition): Problem {
  const message = `two workers are called \`${one.name}\`: that of ${one.file}, and that of ${other.file}`;
  return problem('TWO_WORKERS', message, 'give one of the files another name');
}

async function readFrom(
  path: string,
  name: string,
  { neighbours, root }: { readonly neighbours: WorkerNeighbours; readonly root: string },
): Promise<{
  readonly definition: WorkerDefinition | null;
  readonly callees: readonly string[];
  readonly problems: readonly Problem[];
}> {
  const file = shownAs(path, root);
  try {
    const bytes = await readRegular(path, largestFile + 1);
    const sha256 = hash('sha256', bytes);
    const { definition, callees, diagnostics } = readWorker({ name, file, path, sha256 }, bytes, neighbours);
    return { definition, callees, problems: diagnostics.map(asProblem) };
  } catch (error) {
    return { definition: null, callees: [], problems: [fileProblem(file, causeOf(error))] };
  }
}

function shownAs(path: string, root: string): string {
  const short = relative(root, path);
  return /^(\.\.(\/|$)|$)/.test(short) || isAbsolute(short) ? path : short;
}

/** A worker from a file, with the workers that it can reach. */
export class Worker {
  constructor(
    readonly definition: WorkerDefinition,
    private readonly workers: ReadonlyMap<string, WorkerDefinition>,
  ) {}

  get name(): string {
    return this.definition.name;
  }

  /** One tool of the worker's name, for `toolsets` of `open`. */
  asToolset(): WorkerToolset {
    return new WorkerToolset(this.definition, this.workers);
  }
}

/** Throws all mistakes of the worker and those that it can reach. */
export async function loadWorker(
  file: string,
  world: RegistryWorld,
): Promise<
  | { readonly ok: true; readonly worker: Worker }
  | { readonly ok: false; readonly problems: NonEmpty<Problem> }
> {
  const { workers, entry, problems } = await loadWorkers(file, world);
  if (isNonEmpty(problems)) return { ok: false, problems };
  const definition = workers.get(entry ?? '');
  if (definition === undefined)
    return { ok: false, problems: [problem('NO_WORKER', `${file} is not a worker file`, 'NAME.worker')] };
  return { ok: true, worker: new Worker(definition, workers) };
}
