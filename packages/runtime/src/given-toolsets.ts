import type { Configure, Toolset } from '@ambit/core';
import { WorkerToolset } from './worker-toolset.js';

/** Makes a fresh toolset of this name for each worker call: see `Configure`. */
export interface ToolsetFactory {
  readonly name: string;
  readonly configure: Configure;
}

/** What a program gives, for workers to refer to by name. */
export type GivenToolset = Toolset | ToolsetFactory | WorkerToolset;

export interface GivenToolsets {
  /** Shared by all workers. */
  readonly instances: readonly Toolset[];
  readonly factories: readonly ToolsetFactory[];
  readonly workers: readonly WorkerToolset[];
}

export function sortedOut(given: readonly GivenToolset[] = []): GivenToolsets {
  return {
    instances: given.filter((each): each is Toolset => !(each instanceof WorkerToolset) && 'tools' in each),
    factories: given.filter(isFactory),
    workers: given.filter((each): each is WorkerToolset => each instanceof WorkerToolset),
  };
}

export function isFactory(given: object): given is ToolsetFactory {
  return !(given instanceof WorkerToolset) && 'configure' in given && !('tools' in given);
}
