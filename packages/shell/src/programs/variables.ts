import data from '../../programs/variables.yaml';

/** A variable that a line may set for programs. Any value where neither `values` nor `matches` is given. */
export interface AllowedVariable {
  /** What it changes. */
  readonly for: string;
  /** Its only values. */
  readonly values?: readonly string[];
  /** A regular expression for its whole value. */
  readonly matches?: string;
}

const rows = Object.entries(
  (data as unknown as { variables: Readonly<Record<string, AllowedVariable>> }).variables,
);

/** Variables that change nothing that a description says, by name. */
export const variables: ReadonlyMap<string, AllowedVariable> = new Map(
  rows.flatMap(([names, entry]) => names.split(' ').map((name) => [name, entry] as const)),
);
