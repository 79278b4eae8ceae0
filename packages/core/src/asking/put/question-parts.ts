import type { CallDecision, Judgement } from '../../decide/judgement.js';
import type { Policy } from '../../decide/policy.js';
import type { Capability } from '../../words/capability.js';
import { isNonEmpty, type NonEmpty } from '../../words/decision.js';
import { equalJson } from '../../words/json.js';
import { type Answered, isAnswered } from '../answer-validity.js';

export interface QuestionPart {
  /** All of the call in the first part, those of the part in the others. */
  readonly capabilities: NonEmpty<Capability>;
  readonly questions: readonly Judgement[];
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** The subject of a separate part; null for all the rest together. */
  readonly about: Capability | null;
}

/** The open questions about a call. A rule with `apart` asks separately about each of its subjects, last. */
export function partsOf(
  { capabilities }: CallDecision,
  questions: readonly Judgement[],
  policies: readonly Policy[],
): NonEmpty<QuestionPart> {
  if (!isNonEmpty(capabilities)) throw new TypeError('a call carries at least one capability');
  const ranges = rangesApart(capabilities, questions, policies);
  const isIn = ([from, to]: Range, { capability }: Judgement) => capability >= from && capability < to;
  const rest = questions.filter((question) => !ranges.some((range) => isIn(range, question)));
  const apart = ranges.map((range) => ({
    range,
    asked: questions.filter((question) => isIn(range, question)),
  }));
  const all = [...(rest.length > 0 || ranges.length === 0 ? [{ range: null, asked: rest }] : []), ...apart];
  const parts = all.map(({ range, asked }, index): QuestionPart => {
    const place = { number: index + 1, of: all.length };
    const about = range === null ? null : (capabilities[range[0]] ?? null);
    // The person sees the whole call, even if parts are asked separately.
    if (range === null || index === 0) return { capabilities, questions: asked, ...place, about };
    const shown = capabilities.slice(...range);
    const moved = asked.map((question) => ({ ...question, capability: question.capability - range[0] }));
    return { capabilities: shown as unknown as NonEmpty<Capability>, questions: moved, ...place, about };
  });
  return parts as unknown as NonEmpty<QuestionPart>;
}

/** Whether a person has approved this part, and everything approved is still carried. */
export function isAnsweredPart(
  answered: Answered | null,
  part: QuestionPart,
  { capabilities }: CallDecision,
): boolean {
  if (answered === null || answered.edited) return false;
  const isCarried = (shown: Capability) => capabilities.some((capability) => equalJson(capability, shown));
  return (
    part.questions.length > 0 &&
    answered.shown.every(isCarried) &&
    part.questions.every((question) => isAnswered(answered, question, part.capabilities))
  );
}

type Range = readonly [from: number, to: number];

/** Adjacent capabilities with the same name and digest are one subject with several paths. */
function rangesApart(
  capabilities: readonly Capability[],
  questions: readonly Judgement[],
  policies: readonly Policy[],
): readonly Range[] {
  const apart = questions.filter((question) => wantsApart(question, policies));
  const isSame = (one: Capability | undefined, other: Capability | undefined) =>
    one?.name === other?.name && one?.sha256 === other?.sha256;
  const ranges = apart.map(({ capability: index }): Range => {
    let [from, to] = [index, index + 1];
    while (from > 0 && isSame(capabilities[from - 1], capabilities[index])) from -= 1;
    while (to < capabilities.length && isSame(capabilities[to], capabilities[index])) to += 1;
    return [from, to];
  });
  return ranges.filter(([from], index) => ranges.findIndex(([other]) => other === from) === index);
}

function wantsApart({ policy, rules, undecided }: Judgement, policies: readonly Policy[]): boolean {
  const ids = [...rules, ...undecided].map(({ id }) => id);
  return policies.some(
    ({ name, rules: all }) =>
      name === policy && all.some(({ id, apart }) => apart === true && ids.includes(id)),
  );
}
