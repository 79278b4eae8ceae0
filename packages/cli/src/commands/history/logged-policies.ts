import type { LogEntry } from '@ambit/audit';
import { loadPolicies, type PolicyWorld } from '@ambit/policy';
import type { NonEmpty } from '@ambit/runtime';

/** The policies that logs carry, by their names: a run records the source of every file. */
export class LoggedPolicies {
  readonly #sources = new Map<string, string>();
  readonly #observed = new Set<string>();
  #folders = { root: '/', home: '/' };

  accept({ event, files, root, home }: LogEntry): void {
    if (event !== 'policy' || !Array.isArray(files)) return;
    if (typeof root === 'string' && typeof home === 'string') this.#folders = { root, home };
    for (const file of files as readonly LoggedFile[]) {
      if (typeof file.name !== 'string' || typeof file.source !== 'string') continue;
      this.#sources.set(file.name, file.source);
      if (file.observed === true) this.#observed.add(file.name);
      else this.#observed.delete(file.name);
    }
  }

  /** Those that judged, as they were last, and where they are read from; null where there is none. */
  judging(): { readonly files: NonEmpty<string>; readonly world: PolicyWorld } | null {
    const [first, ...others] = [...this.#sources.keys()].filter((name) => !this.#observed.has(name));
    return first === undefined ? null : { files: [first, ...others], world: this.#world() };
  }

  /** The ids of their rules; null where a policy does not load any more, or there is none. */
  async ruleIds(): Promise<readonly string[] | null> {
    const [first, ...others] = this.#sources.keys();
    if (first === undefined) return null;
    const loaded = await loadPolicies([first, ...others], this.#world());
    return loaded.ok ? [...new Set(loaded.policies.flatMap(({ rules }) => rules.map(({ id }) => id)))] : null;
  }

  #world(): PolicyWorld {
    return {
      ...this.#folders,
      read: (path) => {
        const source = this.#sources.get(path);
        return source === undefined
          ? Promise.reject(new Error('it is not in the log'))
          : Promise.resolve(Buffer.from(source));
      },
      realpath: (path) => Promise.resolve(path),
    };
  }
}

interface LoggedFile {
  readonly name?: unknown;
  readonly source?: unknown;
  readonly observed?: unknown;
}
