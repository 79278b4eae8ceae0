import { type ConfiguredToolset, messageOf } from '@ambit/core';

export class EnteredToolsets {
  readonly #toolsets: ConfiguredToolset[] = [];
  #leaving: Promise<void> | null = null;

  /** Enters a toolset. If this rejects, it is not left. */
  async enter(toolset: ConfiguredToolset): Promise<void> {
    await toolset.enter?.();
    this.#toolsets.push(toolset);
  }

  /** Leaves every entered toolset once, in reverse order, despite errors. Rejects with the first error. */
  leave(): Promise<void> {
    this.#leaving ??= this.#leaveAll();
    return this.#leaving;
  }

  async #leaveAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const toolset of this.#toolsets.toReversed()) {
      try {
        await toolset.exit?.();
      } catch (error) {
        failures.push(new Error(`the toolset ${toolset.name} could not be left: ${messageOf(error)}`));
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Leaves the toolsets after the work. An error of the work is thrown before one of leaving. */
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
