import type { Fingerprint } from './listed-tool.js';

/** What was seen of a server's tools first, by name; kept beyond a run, so that a change is noticed in the next. */
export interface FingerprintStore {
  read(server: string): Promise<ReadonlyMap<string, Fingerprint>>;
  /** Adds to what is kept. Nothing that is kept already is changed. */
  add(server: string, fingerprints: ReadonlyMap<string, Fingerprint>): Promise<void>;
}

/** Nothing is kept: every definition is seen for the first time. For programs that have no place to keep it in. */
export const noFingerprints: FingerprintStore = {
  read: async () => new Map(),
  add: async () => undefined,
};

/** How a tool stands to what was seen of it first. */
export type Standing =
  | 'as first seen'
  /** It was another one, once, and is this one for the whole run. */
  | 'changed'
  /** It is not listed any more, or changed again while the run went on: nobody knows what would be called. */
  | 'gone';

/** The tools of one server in one run, held against what was seen of them first. */
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

  /** What a tool was that has changed before this run. */
  isKnown(tool: string): boolean {
    return this.#first.has(tool);
  }

  /** Takes what is listed now. Tools that are new are not looked at: they are for the next run. */
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

/** The fingerprints of what is listed, by name; of two with one name neither. */
export function fingerprintsOf(
  tools: readonly ({ readonly name: string; readonly fingerprint: Fingerprint } | null)[],
): ReadonlyMap<string, Fingerprint> {
  const found = tools.filter((tool) => tool !== null);
  const single = found.filter(({ name }) => found.filter((other) => other.name === name).length === 1);
  return new Map(single.map(({ name, fingerprint }) => [name, fingerprint]));
}
