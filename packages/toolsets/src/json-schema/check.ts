import type { Json, JsonObject } from '@ambit/core';

/** Checks a value against a part of a schema: the mistake in words, or null. */
export type Check = (value: Json, state: CheckState) => string | null;

/** One value on its way through a schema. */
export interface CheckState {
  /** Where the value stands: `edits[0].text`; empty for the whole. */
  readonly at: string;
  readonly effort: Effort;
}

/** Compiles one keyword of a schema into a check; null if the keyword checks nothing. */
export type Keyword = (value: Json, scene: KeywordScene) => Check | null;

export interface KeywordScene {
  /** The schema that contains the keyword. */
  readonly schema: JsonObject;
  /** Whether `format` restricts values, as the author of a worker expects. In foreign schemas it is an annotation. */
  readonly checksFormats: boolean;
  /** The check of another schema of the same document. Throws `SchemaFault`. */
  readonly compile: (schema: Json | undefined) => Check;
  /** The check of the target of a `$ref`. Throws `SchemaFault`. */
  readonly refer: (reference: string) => Check;
}

/** Why a schema cannot be used. Thrown while it is read, and caught by the caller. */
export class SchemaFault extends Error {
  override readonly name = 'SchemaFault';
}

/** The most steps that one value may take: schemas can be written that double their work with every line. */
const mostSteps = 200_000;
const deepest = 1_000;

/** Counts the work of checking one value. Throws beyond the limit, through every `not` and `anyOf`. */
export class Effort {
  #steps = 0;
  #depth = 0;

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > mostSteps) throw new TooMuchEffort();
  }

  within<T>(step: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) throw new TooMuchEffort();
    this.spend(1);
    const result = step();
    this.#depth -= 1;
    return result;
  }
}

export class TooMuchEffort extends Error {
  override readonly name = 'TooMuchEffort';
}

export function wrong(state: CheckState, what: string): string {
  return state.at === '' ? what : `\`${state.at}\` ${what}`;
}

export function below(state: CheckState, step: string | number): CheckState {
  const name = typeof step === 'number' ? `[${step}]` : state.at === '' ? step : `.${step}`;
  return { ...state, at: `${state.at}${name}` };
}

export function requireCount(value: Json, keyword: string): number {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
  throw new SchemaFault(`\`${keyword}\` must be a non-negative integer`);
}

export function requireList(value: Json, keyword: string): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  throw new SchemaFault(`\`${keyword}\` is not a list`);
}

export function requireMap(value: Json, keyword: string): JsonObject {
  if (isMap(value)) return value;
  throw new SchemaFault(`\`${keyword}\` is not a map`);
}

export function isMap(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
