import type { ClientName } from '../clients/client-call.js';

/** What a client's own settings can speak about. Null: everything of the kind. */
export type Subject =
  /** Commands that begin with these words, or, where it is exact, are these words; none: every command. */
  | { readonly about: 'shell'; readonly words: readonly string[]; readonly isExact: boolean }
  /** Command lines that contain each of these texts. */
  | { readonly about: 'text'; readonly pieces: readonly string[] }
  /** Globs as policies have them. */
  | { readonly about: 'read' | 'write'; readonly globs: readonly string[] | null }
  | { readonly about: 'web'; readonly host: string | null }
  | { readonly about: 'server'; readonly server: string | null; readonly tool: string | null }
  | { readonly about: 'agent'; readonly name: string | null }
  /** Every other tool. */
  | { readonly about: 'other' };

export type StaticDecision = 'allow' | 'ask' | 'deny';

export interface StaticRule {
  readonly decision: StaticDecision;
  readonly subject: Subject;
  /** As it was written, for the report. */
  readonly from: string;
}

/** A rule that the target cannot say exactly. `not_at_all`: it has no counterpart there. */
export interface RuleNote {
  readonly rule: string;
  readonly how: 'looser' | 'stricter' | 'not_at_all';
  readonly why: string;
}

/** The rules of a client's settings. */
export interface ClientRules {
  readonly rules: readonly StaticRule[];
  readonly notes: readonly RuleNote[];
  /** What becomes of a call without a rule. */
  readonly rest: 'ask' | 'deny';
}

/** A settings file of a client, read. */
export interface SettingsText {
  readonly file: string;
  readonly text: string;
  /** Whether it is of one project, whose folder `./` is. */
  readonly isProject: boolean;
}

/** How one client's settings are read and written. */
export interface RuleDialect {
  readonly client: ClientName;
  /** Throws `RulesError`. */
  readonly read: (files: readonly SettingsText[]) => ClientRules;
  readonly write: (rules: CompiledRules) => WrittenRules;
}

/** A policy as a client may say it: what is asked and refused by default, and the exceptions. */
export interface CompiledRules {
  readonly rest: Readonly<Record<Kind, 'ask' | 'deny'>>;
  readonly rules: readonly StaticRule[];
  /** The project's folder, for clients that name paths from there. */
  readonly root: string;
}

export const kinds = ['shell', 'read', 'write', 'web', 'server', 'agent', 'other'] as const;
export type Kind = (typeof kinds)[number];

export interface WrittenRules {
  /** The file for which the text is. */
  readonly file: string;
  readonly text: string;
  readonly notes: readonly RuleNote[];
}

/** Settings that cannot be read. */
export class RulesError extends Error {
  override readonly name = 'RulesError';
}

/** Words of a command without anything that a shell reads otherwise; null where there is something. */
export function plainWords(text: string): readonly string[] | null {
  const words = text.trim().split(/ +/);
  return words.every((word) => /^[\w./:=@%+,-]+$/.test(word)) ? words : null;
}

/** `ask` and `deny` of something that a policy cannot name: the whole kind asks. */
export function widened(rule: StaticRule, subject: Subject): StaticRule {
  return { ...rule, decision: 'ask', subject };
}
