import {
  type Capability,
  defineTool,
  type ExecuteContext,
  isWithin,
  type Json,
  type JsonObject,
  type Preview,
  StartOver,
  type Tool,
  type ToolDefinition,
} from '@ambit/core';
import { isDescribed } from '../../places/file-sets.js';
import { saidBy } from '../../places/said-by.js';
import { currentDigest } from '../contained/current.js';
import type { Seen } from '../contained/seen.js';
import { ChangedError, changed, FileError, failureOf } from '../roots/failure.js';
import { type Place, pathsOf } from '../roots/place.js';
import type { Roots } from '../roots/root.js';

/** Found by reading only. Describing reports it; executing checks it again and does it. */
export interface Plan {
  readonly capabilities: readonly Capability[];
  readonly cannot: string | null;
  /** The first one identifies the call. */
  readonly places: readonly Place[];
}

export interface PlanOfOne extends Plan {
  readonly places: readonly [Place];
}

export interface FileTool<Args extends JsonObject, Own extends Plan> {
  readonly name: string;
  readonly description: string;
  readonly input: ToolDefinition<Args>['input'];
  readonly plan: (args: Args) => Promise<Own>;
  /** Of the file in the last place. */
  readonly preview?: (args: Args, plan: Own) => Promise<Pick<Preview, 'before' | 'after'>>;
  /** Roots for reading the content of a preview. */
  readonly roots?: Roots;
  readonly perform: (args: Args, plan: Own) => Promise<Json>;
  /** Serialises changes. */
  readonly turn: Turn;
}

export interface Changing {
  readonly turn: Turn;
  readonly seen: Seen;
}

export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

const filesystemName = 'toolset:filesystem';

/** A tool that describes its plan and does only that. */
export function fileTool<Args extends JsonObject, Own extends Plan>(tool: FileTool<Args, Own>): Tool<Args> {
  const { name, description, input, preview, perform, turn, roots } = tool;
  const plan = async (args: Args): Promise<Own> => {
    try {
      const own = await tool.plan(args);
      const said = saidBy(filesystemName, own.capabilities);
      const isShown = preview !== undefined && roots !== undefined && own.cannot === null;
      return { ...own, capabilities: isShown ? await withContents(said, own.places, roots) : said };
    } catch (error) {
      throw failureOf(error, typeof args.path === 'string' ? args.path : '.');
    }
  };
  return defineTool({
    name,
    description,
    input,
    describe: async (args) => {
      const { capabilities, cannot } = await plan(args);
      return cannot === null ? { capabilities } : { capabilities, cannot };
    },
    ...(preview !== undefined && {
      preview: async (args) => previewOf(preview, args, await plan(args)),
    }),
    execute: (args, context) =>
      turn(async () => {
        context.signal.throwIfAborted();
        const now = await plan(args);
        checkPlan(now, context);
        try {
          return await perform(args, now);
        } catch (error) {
          const failure = failureOf(error, shownOf(now));
          // No undescribed act has run: the call is described and judged again.
          throw failure instanceof ChangedError ? new StartOver({ changed: true }, failure.message) : failure;
        }
      }),
  });
}

export const atOnce: Turn = (work) => work();

export function oneByOne(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

async function previewOf<Args extends JsonObject, Own extends Plan>(
  preview: NonNullable<FileTool<Args, Own>['preview']>,
  args: Args,
  plan: Own,
): Promise<Preview | null> {
  const place = plan.places.at(-1);
  if (plan.cannot !== null || place === undefined) return null;
  // A preview is optional: without one, the question is still asked.
  const texts = await preview(args, plan).catch(() => null);
  return texts && { path: place.named ?? place.shown, ...texts };
}

/** Throws if the plan has changed, or cannot be done. */
function checkPlan(plan: Plan, { described }: ExecuteContext): void {
  const lost = plan.places.find((place) => place.lost !== null);
  if (plan.cannot !== null) throw new FileError(plan.cannot);
  if (lost !== undefined) throw new FileError(`\`${lost.shown}\`: ${lost.lost}`);
  // A folder to be created may exist already.
  if (!isDescribed(plan.capabilities, described))
    throw new StartOver({ changed: true }, changed(shownOf(plan)).message);
}

/** Adds the digests of files whose contents a preview shows. */
async function withContents(
  capabilities: readonly Capability[],
  places: readonly Place[],
  roots: Roots,
): Promise<readonly Capability[]> {
  const digests = new Map<string, string>();
  for (const place of places) {
    const sha256 = await currentDigest(place, roots);
    if (sha256 !== null) for (const path of pathsOf(place)) digests.set(path, sha256);
  }
  return capabilities.map((capability) => {
    const sha256 = typeof capability.path === 'string' ? digests.get(capability.path) : undefined;
    const isTouched = touching.some((name) => isWithin(capability.name, name));
    return sha256 === undefined || !isTouched ? capability : { ...capability, sha256 };
  });
}

const touching = ['fs.read', 'fs.write', 'fs.delete'];

function shownOf({ places }: Plan): string {
  return places[0]?.shown ?? '.';
}
