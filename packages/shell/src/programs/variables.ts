import data from '../../programs/variables.yaml';

/** A variable that a line may set for programs. Without `values` and `matches`, any value is allowed. */
export interface AllowedVariable {
  /** Its effect. */
  readonly for: string;
  /** Its only values. */
  readonly values?: readonly string[];
  /** A regular expression for its whole value. */
  readonly matches?: string;
}

const rows = Object.entries(
  (data as unknown as { variables: Readonly<Record<string, AllowedVariable>> }).variables,
);

/** Variables that do not affect descriptions, by name. */
export const variables: ReadonlyMap<string, AllowedVariable> = new Map(
  rows.flatMap(([names, entry]) => names.split(' ').map((name) => [name, entry] as const)),
);
