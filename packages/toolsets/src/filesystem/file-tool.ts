import type { Stats } from 'node:fs';
import {
  type Capability,
  defineTool,
  type ExecuteContext,
  type Json,
  type JsonObject,
  type Preview,
  type Tool,
  type ToolDefinition,
} from '@ambit/core';
import { isDescribed } from '../file-sets.js';
import { saidBy } from '../said-by.js';
import { ChangedError, changed, FileError, failureOf } from './failure.js';
import type { Place } from './place.js';
import type { Seen } from './seen.js';
import { isUnchanged } from './write-contained.js';

/** What a call would do, found by looking alone. Describing reports it; executing looks again, and does it. */
export interface Plan {
  readonly capabilities: readonly Capability[];
  readonly cannot: string | null;
  /** What the call is about, the first being what it is known by. */
  readonly places: readonly Place[];
}

export interface FileTool<Args extends JsonObject, Own extends Plan> {
  readonly name: string;
  readonly description: string;
  readonly input: ToolDefinition<Args>['input'];
  readonly plan: (args: Args) => Promise<Own>;
  readonly preview?: (args: Args, plan: Own) => Promise<Preview | null>;
  readonly perform: (args: Args, plan: Own) => Promise<Json>;
  /** Runs one change after another, so that none acts on what another is about to change. */
  readonly turn: Turn;
}

/** What the tools that change files share. */
export interface Changing {
  readonly turn: Turn;
  readonly seen: Seen;
}

export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

/** Who touches the files. */
const filesystemName = 'toolset:filesystem';

/** A tool whose description is its plan, and which does nothing that was not described. */
export function fileTool<Args extends JsonObject, Own extends Plan>(tool: FileTool<Args, Own>): Tool<Args> {
  const { name, description, input, preview, perform, turn } = tool;
  const plan = async (args: Args): Promise<Own> => {
    const own = await tool.plan(args);
    return { ...own, capabilities: saidBy(filesystemName, own.capabilities) };
  };
  // By the frozen arguments of a call, so that what was shown of it goes when it does.
  const shown = new WeakMap<Args, readonly (Stats | null)[]>();
  return defineTool({
    name,
    description,
    input,
    describe: async (args) => {
      const { capabilities, cannot } = await plan(args);
      return cannot === null ? { capabilities } : { capabilities, cannot };
    },
    ...(preview !== undefined && {
      preview: async (args) => {
        const now = await plan(args);
        const previewed = await previewOf(preview, args, now);
        if (previewed !== null)
          shown.set(
            args,
            now.places.map(({ stat }) => stat),
          );
        return previewed;
      },
    }),
    execute: (args, context) =>
      turn(async () => {
        context.signal.throwIfAborted();
        const now = await plan(args);
        checkPlan(now, context);
        if (isOther(shown.get(args), now)) throw changed(shownOf(now));
        try {
          return await perform(args, now);
        } catch (error) {
          throw failureOf(error, shownOf(now));
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
  if (plan.cannot !== null) return null;
  // A preview is a convenience: what cannot be shown is not shown, and the question is asked all the same.
  return preview(args, plan).catch(() => null);
}

/** Throws where the call would do what was not described, or cannot be done by now. */
function checkPlan(plan: Plan, { described }: ExecuteContext): void {
  const lost = plan.places.find((place) => place.lost !== null);
  if (plan.cannot !== null) throw new FileError(plan.cannot);
  if (lost !== undefined) throw new FileError(`\`${lost.shown}\`: ${lost.lost}`);
  // A folder that was to be created may be there by now.
  if (!isDescribed(plan.capabilities, described))
    throw new ChangedError(
      `\`${shownOf(plan)}\` changed after the call was judged; look again, then call again`,
    );
}

/** Whether what a person was shown is no longer what is there. */
function isOther(shown: readonly (Stats | null)[] | undefined, { places }: Plan): boolean {
  if (shown === undefined) return false;
  return places.some(({ stat }, index) => {
    const was = shown[index] ?? null;
    return stat === null || was === null ? stat !== was : !isUnchanged(stat, was);
  });
}

function shownOf({ places }: Plan): string {
  return places[0]?.shown ?? '.';
}
