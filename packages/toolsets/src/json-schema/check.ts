import { isObject, type Json, type JsonObject } from '@ambit/core';

/** Returns the mistake, or null. */
export type Check = (value: Json, state: CheckState) => string | null;

export interface CheckState {
  /** `edits[0].text`; empty for the whole. */
  readonly at: string;
  readonly effort: Effort;
}

/** Null if the keyword checks nothing. */
export type Keyword = (value: Json, scene: KeywordScene) => Check | null;

export interface KeywordScene {
  readonly schema: JsonObject;
  /** In foreign schemas, `format` is an annotation. */
  readonly checksFormats: boolean;
  /** Throws `SchemaFault`. */
  readonly compile: (schema: Json | undefined) => Check;
  /** Throws `SchemaFault`. */
  readonly refer: (reference: string) => Check;
}

export class SchemaFault extends Error {
  override readonly name = 'SchemaFault';
}

/** Schemas can double their work with every line. */
const mostSteps = 200_000;
const deepest = 1_000;

/** Throws beyond the limit, through every `not` and `anyOf`. */
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

/** Stops at the first problem: each check costs effort. */
export function firstProblem<T>(
  items: readonly T[],
  check: (item: T, index: number) => string | null,
): string | null {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem !== null) return problem;
  }
  return null;
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
  if (isObject(value)) return value;
  throw new SchemaFault(`\`${keyword}\` is not a map`);
}
