import type { Configure, Toolset } from '@ambit/core';

/** Modules that toolsets come from; each is loaded once a run. By the module's path. */
export interface LoadedModules {
  /** Instances that all workers share. */
  readonly toolsets: Map<string, Toolset>;
  /** The factory for each worker call. */
  readonly configured: Map<string, Configure>;
  /** The modules of names that instances of their own have. */
  readonly names: Map<string, string>;
  /** Every instance that was made for one worker call. */
  readonly made: WeakSet<Toolset>;
  /** The last of those under way: one after another, so that of two with one name the second sees the first. */
  loading: Promise<unknown>;
}

export function createModules(): LoadedModules {
  return {
    toolsets: new Map(),
    configured: new Map(),
    names: new Map(),
    made: new WeakSet(),
    loading: Promise.resolve(),
  };
}
