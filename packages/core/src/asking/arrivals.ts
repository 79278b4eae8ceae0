/** The calls of a run that are on their way to their first ruling. */
export class Arrivals {
  readonly #open = new Set<Promise<void>>();

  /** A call is on its way until what is given is called. */
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

  /** Resolves when those that are on their way now have passed; who comes later is not waited for. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }
}
