import { type ConfiguredToolset, messageOf } from '@ambit/core';

/** What one worker call has entered. */
export interface EnteredToolsets {
  /** Enters a toolset. Rejects where that fails; it is not left then. */
  enter(toolset: ConfiguredToolset): Promise<void>;
  /** Leaves everything that was entered, once, the last first, whatever goes wrong on the way. Rejects with what went wrong first. */
  leave(): Promise<void>;
}

export function createEntered(): EnteredToolsets {
  const toolsets: ConfiguredToolset[] = [];
  let leaving: Promise<void> | null = null;

  async function leaveAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const toolset of toolsets.toReversed()) {
      try {
        await toolset.exit?.();
      } catch (error) {
        failures.push(new Error(`the toolset ${toolset.name} could not be left: ${messageOf(error)}`));
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  return {
    async enter(toolset) {
      await toolset.enter?.();
      toolsets.push(toolset);
    },
    leave() {
      leaving ??= leaveAll();
      return leaving;
    },
  };
}

/** Does something, and leaves what was entered for it, however that ended. What was wrong with it counts more than what is wrong with leaving. */
export async function leavingAfter<T>(
  entered: Pick<EnteredToolsets, 'leave'>,
  body: () => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await body();
  } catch (error) {
    await entered.leave().catch(() => undefined);
    throw error;
  }
  await entered.leave();
  return result;
}
