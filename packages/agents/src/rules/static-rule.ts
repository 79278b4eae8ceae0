import { matchesWildcards } from '@ambit/core';
import type { ClientName } from '../clients/client-call.js';
import { toolsNamed } from '../describe/describe-client-call.js';

/** The subject of a rule in a client's own settings. Null means everything of the kind. */
export type Subject =
  /**
   * Commands that begin with these words, or, if `isExact`, consist of these words; an empty list means every
   * command.
   */
  | { readonly about: 'shell'; readonly words: readonly string[]; readonly isExact: boolean }
  /** Command lines that contain each of these texts. */
  | { readonly about: 'text'; readonly pieces: readonly string[] }
  | FileSubject
  /** Every scheme and port if there is no scheme, otherwise only its own port. */
  | { readonly about: 'web'; readonly host: string | null; readonly scheme?: string }
  | { readonly about: 'server'; readonly server: string | null; readonly tool: string | null }
  /** The name of the client. */
  | { readonly about: 'agent'; readonly name: string | null }
  /** Every other tool. `tool`: that of a restriction, by its name in policies; also `toolset.*`. */
  | { readonly about: 'other'; readonly tool?: string };

/** Globs in the form of policies. */
export interface FileSubject {
  readonly about: 'read' | 'write';
  readonly globs: readonly string[] | null;
  /** Only calls of these tools, by their names in policies. */
  readonly tools?: readonly string[];
  /** Only calls with this argument. */
  readonly has?: string;
  /** Only calls without this argument. */
  readonly lacks?: string;
}

/** The client's tools that rules refuse whatever the call does. */
export function refusedTools(client: ClientName, rules: readonly StaticRule[]): readonly string[] {
  const names = rules.flatMap(({ decision, subject }) =>
    decision === 'deny' && subject.about === 'other' && subject.tool !== undefined ? [subject.tool] : [],
  );
  return toolsNamed(client, ...names);
}

export type StaticDecision = 'allow' | 'ask' | 'deny';

export interface StaticRule {
  readonly decision: StaticDecision;
  readonly subject: Subject;
  /** The rule as written, for the report. */
  readonly from: string;
  /** Whether it refuses more than the policy, which has a condition. */
  readonly isStricter?: true;
}

/** A rule that the target cannot express exactly. `not_at_all`: there is no equivalent. */
export interface RuleNote {
  readonly rule: string;
  readonly how: 'looser' | 'stricter' | 'not_at_all';
  readonly why: string;
}

const noteThat =
  (how: RuleNote['how']) =>
  (rule: string, why: string): RuleNote => ({ rule, how, why });

export const looser = noteThat('looser');
export const stricter = noteThat('stricter');
export const absent = noteThat('not_at_all');

/** The rules of a client's settings. */
export interface ClientRules {
  readonly rules: readonly StaticRule[];
  readonly notes: readonly RuleNote[];
  /** The decision for a call without a rule. */
  readonly rest: 'ask' | 'deny';
}

/** The parsed settings file of a client. */
export interface SettingsText {
  readonly file: string;
  readonly text: string;
  /** Whether the file belongs to one project, whose folder `./` means. */
  readonly isProject: boolean;
}

/** How one client's settings are read and written. */
export interface RuleDialect {
  /** Throws `RulesError`. */
  readonly read: (files: readonly SettingsText[]) => ClientRules;
  readonly write: (rules: CompiledRules) => WrittenRules;
}

/** A policy in a form that a client can express: the default decision, and the exceptions. */
export interface CompiledRules {
  readonly rest: Readonly<Record<Kind, 'ask' | 'deny'>>;
  readonly rules: readonly StaticRule[];
  /** The project's folder, for clients with relative paths. */
  readonly root: string;
}

export const kinds = ['shell', 'read', 'write', 'web', 'server', 'agent', 'other'] as const;
export type Kind = (typeof kinds)[number];

/** The kinds of the tools that a name with wildcards covers; empty for a name without wildcards. */
export function kindsLike(name: string, kindOf: ReadonlyMap<string, Kind>): readonly Kind[] {
  if (!/[*?]/.test(name)) return [];
  return [...new Set([...kindOf].filter(([tool]) => matchesWildcards(name, tool)).map(([, kind]) => kind))];
}

/** Matches everything of a kind. */
export function everything(kind: Kind): Subject {
  switch (kind) {
    case 'shell':
      return { about: 'shell', words: [], isExact: false };
    case 'read':
    case 'write':
      return { about: kind, globs: null };
    case 'web':
      return { about: 'web', host: null };
    case 'server':
      return { about: 'server', server: null, tool: null };
    case 'agent':
      return { about: 'agent', name: null };
    case 'other':
      return { about: 'other' };
  }
}

export interface WrittenRules {
  /** The file that the text is for. */
  readonly file: string;
  readonly text: string;
  readonly notes: readonly RuleNote[];
}

/** Words of a command without characters that are special for a shell; null if there is one. */
export function plainWords(text: string): readonly string[] | null {
  const words = text.trim().split(/ +/);
  return words.every((word) => /^[\w./:=@%+,-]+$/.test(word)) ? words : null;
}
