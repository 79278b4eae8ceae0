import type { JsonObject } from '@ambit/core';

export interface Finding {
  readonly code: FindingCode;
  /** Null for the toolset itself. */
  readonly tool: string | null;
  readonly message: string;
  /** The smallest arguments that show it. */
  readonly args: JsonObject | null;
}

export type FindingCode =
  | 'NAME_DECIDES'
  /** A capability that is neither in the vocabulary nor among the toolset's own. */
  | 'UNDECLARED_CAPABILITY'
  /** A fact that the capability's definition does not have, or of another kind. */
  | 'UNDECLARED_FACT'
  | 'NOT_CANONICAL'
  | 'EMPTY'
  /** Describing threw, or returned an invalid description. */
  | 'NOT_TOTAL'
  | 'NOT_DETERMINISTIC'
  | 'NOT_PURE'
  | 'SLOW'
  /** No valid arguments were found. */
  | 'NOT_CHECKED'
  /** Executing did something that was not reported. */
  | 'NOT_REPORTED'
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
