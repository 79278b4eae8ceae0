import type { Fingerprint } from './listed-tool.js';

/** The first definitions of a server's tools, by name, kept beyond a run to notice changes. */
export interface FingerprintStore {
  read(server: string): Promise<ReadonlyMap<string, Fingerprint>>;
  /** Adds definitions. Existing ones stay. */
  add(server: string, fingerprints: ReadonlyMap<string, Fingerprint>): Promise<void>;
}

/** Keeps nothing: every definition is new. For programs without a place to keep it. */
export const noFingerprints: FingerprintStore = { read: async () => new Map(), add: async () => undefined };

/** How a tool compares with its first definition. */
export type Standing =
  | 'as first seen'
  /** It was another one, once, and is this one for the whole run. */
  | 'changed'
  /** It is no longer listed, or changed again during the run: the called tool would be unknown. */
  | 'gone';

/** The tools of one server in one run, compared with their first definitions. */
export class ToolHistory {
  readonly #first: ReadonlyMap<string, Fingerprint>;
  readonly #now = new Map<string, string>();
  readonly #standings = new Map<string, Standing>();
  /** Those that are seen for the first time. */
  readonly added: ReadonlyMap<string, Fingerprint>;

  constructor(first: ReadonlyMap<string, Fingerprint>, listed: ReadonlyMap<string, Fingerprint>) {
    this.#first = first;
    const lost = [...first].filter(([name]) => !listed.has(name)).map(([, { body }]) => body);
    const added = [...listed].filter(([name, { body }]) => !first.has(name) && !lost.includes(body));
    this.added = new Map(added);
    for (const [name, { whole }] of listed) {
      this.#now.set(name, whole);
      // One with a new name, and all else as a tool had it that is gone, is that tool under another name.
      this.#standings.set(
        name,
        this.added.has(name) || first.get(name)?.whole === whole ? 'as first seen' : 'changed',
      );
    }
  }

  standing(tool: string): Standing {
    return this.#standings.get(tool) ?? 'gone';
  }

  /** The first definition of a tool that changed before this run. */
  isKnown(tool: string): boolean {
    return this.#first.has(tool);
  }

  /** Takes the current list. New tools are ignored until the next run. */
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

/** The fingerprints of listed tools, by name; none for a duplicate name. */
export function fingerprintsOf(
  tools: readonly ({ readonly name: string; readonly fingerprint: Fingerprint } | null)[],
): ReadonlyMap<string, Fingerprint> {
  const found = tools.filter((tool) => tool !== null);
  const single = found.filter(({ name }) => found.filter((other) => other.name === name).length === 1);
  return new Map(single.map(({ name, fingerprint }) => [name, fingerprint]));
}
