/** The calls of a run before their first ruling. */
export class Arrivals {
  readonly #open = new Set<Promise<void>>();

  /** A call counts as arriving until the returned function is called. */
  enter(): () => void {
    let pass: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => {
      pass = resolve;
    });
    this.#open.add(passed);
    return () => {
      this.#open.delete(passed);
      pass();
    };
  }

  /** Resolves when the calls that are arriving now have passed. Later calls are not awaited. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }
}
