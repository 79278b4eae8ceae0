import { type ConfiguredToolset, messageOf } from '@ambit/core';

export interface EnteredToolsets {
  /** Enters a toolset. If this rejects, it is not left. */
  enter(toolset: ConfiguredToolset): Promise<void>;
  /** Leaves every entered toolset once, in reverse order, despite errors. Rejects with the first error. */
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

/** Leaves the toolsets after the work. An error of the work wins. */
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
