import type { JsonObject } from '@ambit/core';

/** What is wrong with a toolset. */
export interface Finding {
  readonly code: FindingCode;
  /** The tool; null where it is about the toolset. */
  readonly tool: string | null;
  readonly message: string;
  /** Arguments that show it, the smallest that were found. */
  readonly args: JsonObject | null;
}

export type FindingCode =
  /** A name that is an opinion. */
  | 'NAME_DECIDES'
  /** A capability that is neither in the vocabulary nor among the toolset's own. */
  | 'UNDECLARED_CAPABILITY'
  /** A fact that the capability's definition does not have, or of another kind. */
  | 'UNDECLARED_FACT'
  | 'NOT_CANONICAL'
  /** Nothing was reported. */
  | 'EMPTY'
  /** Describing threw, or gave what is no description. */
  | 'NOT_TOTAL'
  | 'NOT_DETERMINISTIC'
  /** Describing did something. */
  | 'NOT_PURE'
  | 'SLOW'
  /** No arguments were found that the tool's schema accepts. */
  | 'NOT_CHECKED'
  /** Executing did something that was not reported. */
  | 'NOT_REPORTED'
  /** Executing an example failed. */
  | 'FAILED'
  /** The package needs what decides. */
  | 'NOT_NEUTRAL';

export function finding(
  code: FindingCode,
  message: string,
  about: { readonly tool?: string; readonly args?: JsonObject } = {},
): Finding {
  return { code, tool: about.tool ?? null, message, args: about.args ?? null };
}
