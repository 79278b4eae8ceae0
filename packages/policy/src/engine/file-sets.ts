import { type Capability, fileSetOf, membersOf } from '@ambit/core';

/** Where the members of one capability are among those of a call. */
export interface Members {
  readonly from: number;
  /** After the last. */
  readonly to: number;
  readonly pathAt: (index: number) => string | null;
}

/** The capabilities of a call, file sets as their members. */
export class FileSets {
  readonly members: readonly Capability[];
  readonly #capabilities: readonly Capability[];
  readonly #starts: readonly number[];

  constructor(capabilities: readonly Capability[]) {
    const members: Capability[] = [];
    const starts: number[] = [];
    for (const capability of capabilities) {
      starts.push(members.length);
      for (const member of membersOf(capability)) members.push(member);
    }
    this.#capabilities = capabilities;
    this.members = members;
    this.#starts = starts;
  }

  start(index: number): number {
    return this.#starts[index] as number;
  }

  /** Null for a capability without a file set. */
  at(index: number): Members | null {
    if (!hasFileSet(this.#capabilities[index] as Capability)) return null;
    return {
      from: this.start(index),
      to: this.#starts[index + 1] ?? this.members.length,
      pathAt: (member) => {
        const path = this.members[member]?.path;
        return typeof path === 'string' ? path : null;
      },
    };
  }
}

export function hasFileSet({ path }: Capability): boolean {
  return typeof path === 'object' && fileSetOf(path) !== null;
}
