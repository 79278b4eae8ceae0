/** A promise with its resolver, which may never be called. */
export function deferred<T = void>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
} {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Resolves once the signal has aborted. */
export function aborted(signal: AbortSignal): Promise<null> {
  // A signal of its own: a run's would gather listeners.
  const within = AbortSignal.any([signal]);
  return new Promise((resolve) => {
    if (within.aborted) resolve(null);
    within.addEventListener('abort', () => resolve(null), { once: true });
  });
}
