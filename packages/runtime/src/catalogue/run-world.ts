import type { Authority, Json, Policy, Run, Toolset } from '@ambit/core';
import type { Isolation } from '@ambit/shell';
import type { GuardedPlace } from '@ambit/toolsets';
import type { Activity } from '../approvers/activity.js';
import type { BudgetWatch } from '../budget/budget.js';
import type { Models } from '../converse/models.js';
import type { Creation } from '../delegate/creation.js';
import type { Journal } from '../journal/journal.js';
import type { Happening } from '../journal/session-event.js';
import type { LoadedModules } from '../toolsets/loaded-modules.js';
import type { McpServers } from '../toolsets/mcp-servers.js';
import type { ToolsetFactory } from '../worker-file/given-toolsets.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import type { OpenedRoot } from './worker-layers.js';

/** What all workers of one run share. Workers that are created are added to `workers`, `roots` and `layers`. */
export interface RunWorld {
  readonly run: Run;
  readonly workers: ReadonlyMap<string, WorkerDefinition>;
  readonly models: Models;
  /** The command line's model, for workers that neither state nor inherit one. */
  readonly model: string | null;
  /** Canonical. */
  readonly home: string;
  /** The real folders of each worker's roots. */
  readonly roots: ReadonlyMap<string, readonly OpenedRoot[]>;
  /** What each worker's roots restrict; one value a worker, so that a chain meets it once. */
  readonly layers: ReadonlyMap<string, Policy>;
  /** What no call may touch without `sys.guard`. */
  readonly guarded: readonly GuardedPlace[];
  /** Instances made in code, by name. */
  readonly shared: ReadonlyMap<string, Toolset>;
  /** What makes a fresh instance for each worker call, by name. */
  readonly factories: ReadonlyMap<string, ToolsetFactory>;
  readonly modules: LoadedModules;
  readonly servers: McpServers;
  /** What confines shell commands on this machine; null where nothing does, or nothing is wanted. */
  readonly isolation: Isolation | null;
  readonly creation: Creation;
  readonly budget: BudgetWatch;
  readonly journal: Journal;
  readonly activity: Activity;
  readonly emit: (event: Happening) => void;
  /** Runs a worker to its end, for its caller or as the entry worker. */
  readonly perform: (call: WorkerCall) => Promise<Json>;
}

/** One worker at work for its caller, or as the entry worker. */
export interface WorkerCall {
  readonly worker: WorkerDefinition;
  /** Its chain ends with the worker. */
  readonly authority: Authority;
  /** The caller's effective model. */
  readonly model: string | null;
  /** What the worker is asked, as text. */
  readonly input: string;
  readonly attachments: readonly { readonly name: string; readonly content: Uint8Array }[];
  readonly signal: AbortSignal;
  /** The id of the call that starts it; that of the run for the entry worker. */
  readonly place: string;
}

export function layersOf(world: RunWorld, worker: string): readonly Policy[] {
  const layer = world.layers.get(worker);
  return layer === undefined ? [] : [layer];
}
