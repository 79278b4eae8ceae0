import { type Fingerprint, listedTool } from './listed-tool.js';

/** First definitions by name, kept beyond a run. */
export interface FingerprintStore {
  read(server: string): Promise<ReadonlyMap<string, Fingerprint>>;
  /** Keeps existing ones. */
  add(server: string, fingerprints: ReadonlyMap<string, Fingerprint>): Promise<void>;
}

export const noFingerprints: FingerprintStore = { read: async () => new Map(), add: async () => undefined };

export type Standing =
  | 'as first seen'
  | 'changed'
  /** It is no longer listed, or changed during the run. */
  | 'gone';

/** The tools of one server in one run, compared with their first definitions. */
export class ToolHistory {
  readonly #now = new Map<string, string>();
  readonly #standings = new Map<string, Standing>();
  readonly added: ReadonlyMap<string, Fingerprint>;

  constructor(first: ReadonlyMap<string, Fingerprint>, listed: ReadonlyMap<string, Fingerprint>) {
    const lost = [...first].filter(([name]) => !listed.has(name)).map(([, { body }]) => body);
    const added = [...listed].filter(([name, { body }]) => !first.has(name) && !lost.includes(body));
    this.added = new Map(added);
    for (const [name, { whole }] of listed) {
      this.#now.set(name, whole);
      // A new name for an otherwise equal tool that is gone is a renamed tool.
      this.#standings.set(
        name,
        this.added.has(name) || first.get(name)?.whole === whole ? 'as first seen' : 'changed',
      );
    }
  }

  standing(tool: string): Standing {
    return this.#standings.get(tool) ?? 'gone';
  }

  /** New tools are ignored until the next run. */
  take(listed: ReadonlyMap<string, Fingerprint>): void {
    for (const [name, before] of this.#now) {
      const whole = listed.get(name)?.whole;
      if (whole === before) continue;
      const isFirstChange = whole !== undefined && this.standing(name) === 'as first seen';
      this.#standings.set(name, isFirstChange ? 'changed' : 'gone');
      if (whole !== undefined) this.#now.set(name, whole);
    }
  }
}

/** None for a duplicate name. */
export function fingerprintsOf(definitions: readonly unknown[]): ReadonlyMap<string, Fingerprint> {
  const found = definitions.map(listedTool).filter((tool) => tool !== null);
  const single = found.filter(({ name }) => found.filter((other) => other.name === name).length === 1);
  return new Map(single.map(({ name, fingerprint }) => [name, fingerprint]));
}
