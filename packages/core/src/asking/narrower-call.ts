import { withinFolder } from '../decide/deciding-member.js';
import type {
  CallDecision,
  DecidingMember,
  Judgement,
  RuleReference,
  UndecidedRule,
} from '../decide/judgement.js';
import type { Decision } from '../words/decision.js';
import { fileSetOf } from '../words/files/file-set.js';
import { grouped } from '../words/files/files-in-words.js';
import type { Json } from '../words/json.js';

/** Hints for the model's next call. Not escaped. */
export interface NarrowerCall {
  /** Null if a rule certainly applied, or the reason says it. */
  readonly unknown: string | null;
  readonly instead: string | null;
}

const mostNamed = 3;

/** How to make the call narrower, from the judgement that refused it. */
export function narrowerCall(
  first: Judgement | undefined,
  decision: CallDecision,
  level: Decision,
): NarrowerCall {
  if (first === undefined) return { unknown: null, instead: null };
  const { member } = first;
  const path = decision.capabilities[first.capability]?.path;
  const undecided = undecidedIn(first, level);
  if (undecided !== undefined) {
    const isAboutFiles = member?.path === null || path === undefined;
    const isFile = isAboutFiles && /\bpath\b/.test(undecided.why);
    return {
      unknown: member === undefined ? undecided.why : null,
      instead: isFile ? namedFiles : `make a call in which this is known: ${undecided.why}`,
    };
  }
  if (member === undefined || member.path === null || member.of < 2) return { unknown: null, instead: null };
  const others = 'or name the files that it needs';
  return {
    unknown: null,
    instead: `make a narrower call: leave out ${filesInWords(member, path)}, ${others}`,
  };
}

/** Whether its strictness comes only from an undecided rule. */
export function isUndecided(judgement: Judgement | undefined, level: Decision): boolean {
  return judgement !== undefined && undecidedIn(judgement, level) !== undefined;
}

function undecidedIn({ rules, undecided }: Judgement, level: Decision): UndecidedRule | undefined {
  const isLevel = (rule: RuleReference) => rule.decision === level;
  return rules.some(isLevel) ? undefined : undecided.find(isLevel);
}

const namedFiles =
  'make a narrower call: name its files, without variables and without the output of a program; list them with a call of its own first, and put `--` before text that may begin with a dash';

function filesInWords({ path, count, of }: DecidingMember, set: Json | undefined): string {
  const members = [...(fileSetOf(set)?.paths ?? [])].sort();
  // If some members were judged less strictly, only the first is known.
  const named = (count === of ? members : [path ?? '']).slice(0, mostNamed);
  const rest = count - named.length;
  const names = named.map((name) => withinFolder(name, members)).join(', ');
  return `${names}${rest > 0 ? ` and ${grouped(rest)} more` : ''}`;
}
