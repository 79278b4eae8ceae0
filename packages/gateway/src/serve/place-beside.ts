import type { DependentCalls, Effects, JsonObject } from '@ambit/core';

/** The effects of a request, by the name and the arguments with which it is judged. */
export type EffectsOf = (tool: string, args: JsonObject) => Promise<Effects>;

interface PlaceWorld {
  readonly dependent: DependentCalls;
  readonly effectsOf: EffectsOf;
  readonly signal: AbortSignal;
}

/** Milliseconds for which a request that was passed on holds others: some servers never answer. */
const longestHold = 30_000;

/** One request beside the others of its client that are judged or passed on. */
export class PlaceBeside {
  hasWaited = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #call;

  constructor(
    private readonly judged: { readonly tool: string; readonly args: JsonObject },
    private readonly world: PlaceWorld,
  ) {
    this.#call = { name: judged.tool, signal: world.signal, parent: null };
  }

  /** Waits until no other request may change what this one depends on, or it is cancelled. Then others wait for it. */
  async begin(): Promise<void> {
    const { dependent, effectsOf, signal } = this.world;
    const { tool, args } = this.judged;
    for (;;) {
      const waited = dependent.begin(this.#call, await effectsOf(tool, args));
      if (waited === null) return;
      this.hasWaited = true;
      await waited;
      if (signal.aborted) return;
    }
  }

  /** From now on it holds others for a limited time. */
  pass(): void {
    this.#timer = setTimeout(() => this.end(), longestHold);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.world.dependent.end(this.#call);
  }
}
