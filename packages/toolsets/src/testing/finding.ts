import type { JsonObject } from '@ambit/core';

/** A mistake of a toolset. */
export interface Finding {
  readonly code: FindingCode;
  /** The tool; null for the toolset itself. */
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
  /** The report was empty. */
  | 'EMPTY'
  /** Describing threw, or returned an invalid description. */
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
  /** The package depends on code that decides. */
  | 'NOT_NEUTRAL';

export function finding(
  code: FindingCode,
  message: string,
  about: { readonly tool?: string; readonly args?: JsonObject } = {},
): Finding {
  return { code, tool: about.tool ?? null, message, args: about.args ?? null };
}
