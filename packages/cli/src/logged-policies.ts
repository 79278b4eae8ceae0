import type { LogEntry } from '@ambit/audit';
import { loadPolicies } from '@ambit/policy';

/** The policies that logs carry, by their names: a run records the source of every file. */
export class LoggedPolicies {
  readonly #sources = new Map<string, string>();

  accept({ event, files }: LogEntry): void {
    if (event !== 'policy' || !Array.isArray(files)) return;
    for (const file of files as readonly { readonly name?: unknown; readonly source?: unknown }[])
      if (typeof file.name === 'string' && typeof file.source === 'string')
        this.#sources.set(file.name, file.source);
  }

  /** The ids of their rules; null where a policy does not load any more, or there is none. */
  async ruleIds(): Promise<readonly string[] | null> {
    const [first, ...others] = this.#sources.keys();
    if (first === undefined) return null;
    const loaded = await loadPolicies([first, ...others], {
      root: '/',
      home: '/',
      read: (path) => {
        const source = this.#sources.get(path);
        return source === undefined
          ? Promise.reject(new Error('it is not in the log'))
          : Promise.resolve(Buffer.from(source));
      },
      realpath: (path) => Promise.resolve(path),
    });
    return loaded.ok ? [...new Set(loaded.policies.flatMap(({ rules }) => rules.map(({ id }) => id)))] : null;
  }
}
