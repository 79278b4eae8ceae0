import { type KnownRule, type LogEntry, type LoggedPolicies, loggedPolicies } from '@ambit/audit';
import { isNonEmpty, type NonEmpty } from '@ambit/core';
import { loadPolicies, type PolicyWorld } from '@ambit/policy';
import { judgingNames, loggedWorld } from '@ambit/runtime';

/** Collects the policies in logs; of each name the newest counts. */
export class PoliciesInLogs {
  readonly #sets: LoggedPolicies[] = [];

  accept(entry: LogEntry): void {
    const set = loggedPolicies(entry);
    if (set !== null) this.#sets.push(set);
  }

  /** Null for none. */
  judging(): { readonly files: NonEmpty<string>; readonly world: PolicyWorld } | null {
    const files = judgingNames(this.#sets);
    return isNonEmpty(files) ? { files, world: this.#world() } : null;
  }

  /** Null if a policy no longer loads, or without policies. */
  async rules(): Promise<readonly KnownRule[] | null> {
    const names = [...new Set(this.#sets.flatMap(({ files }) => files.map(({ name }) => name)))];
    if (!isNonEmpty(names)) return null;
    const loaded = await loadPolicies(names, this.#world());
    if (!loaded.ok) return null;
    return [
      ...new Map(loaded.policies.flatMap(({ rules }) => rules.map((rule) => [rule.id, rule]))).values(),
    ];
  }

  #world(): PolicyWorld {
    return loggedWorld(this.#sets, { root: '/', home: '/' });
  }
}
