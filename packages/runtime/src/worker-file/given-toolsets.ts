import { type Configure, isObject, isSimpleName, reservedToolsets, type Toolset } from '@ambit/core';
import type { WorkerDefinition } from './worker-definition.js';

export interface ToolsetFactory {
  readonly name: string;
  readonly configure: Configure;
}

export type GivenToolset = Toolset | ToolsetFactory | WorkerToolset;

export type GivenByKind = ReturnType<typeof givenByKind>;

/** `others`: values that the types exclude. */
export function givenByKind(given: readonly GivenToolset[] = []) {
  const instances = given.filter(isInstance);
  const factories = given.filter(isFactory);
  const workers = given.filter((each) => each instanceof WorkerToolset);
  const known: readonly GivenToolset[] = [...instances, ...factories, ...workers];
  const others: readonly unknown[] = given.filter((each) => !known.includes(each));
  return { instances, factories, workers, others };
}

function isInstance(given: GivenToolset): given is Toolset {
  return isObject(given) && !(given instanceof WorkerToolset) && 'tools' in given;
}

export function isFactory(given: object): given is ToolsetFactory {
  return isObject(given) && !(given instanceof WorkerToolset) && 'configure' in given && !('tools' in given);
}

/** A worker as one guarded tool, for `toolsets` of `open`. */
export class WorkerToolset {
  readonly name: string;

  constructor(
    readonly worker: WorkerDefinition,
    readonly workers: ReadonlyMap<string, WorkerDefinition>,
  ) {
    this.name = worker.name;
  }
}

/** Whether the name is reserved under `toolsets`, so no module or worker can have it. */
export function isReserved(name: string): boolean {
  return reservedToolsets.includes(name) || name.startsWith('mcp-');
}

/** Why a module's toolset cannot have this name; null if it can. */
export function problemWithName(name: string): string | null {
  if (!isSimpleName(name)) return `\`${name}\` is not a toolset name: [a-z][a-z0-9_-]*`;
  return isReserved(name) ? `the name \`${name}\` is reserved` : null;
}
