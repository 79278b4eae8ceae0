import { isNonEmpty } from '@ambit/core';
import { type FactPatterns, type Match, type Pattern, patternText } from '../../condition/pattern.js';
import type { RuleParts } from '../../document/rule-condition.js';
import { quote } from '../../text/escape.js';
import { widenGlob } from './widen-glob.js';

/**
 * One change of a rule's condition, made from the rule itself, so it fits the same rule with other folders.
 */
export interface ConditionEdit {
  readonly words: string;
  readonly apply: (parts: RuleParts) => RuleParts;
}

/** Every part removed, every glob widened, and every pattern of a list removed. */
export function conditionEdits(parts: RuleParts): readonly ConditionEdit[] {
  const without = (part: keyof RuleParts) => ({
    words: `without \`${part}\``,
    apply: (given: RuleParts) => ({ ...given, [part]: null }),
  });
  return [
    ...(parts.match === null ? [] : matchEdits('match', parts.match)),
    ...(parts.except === null ? [] : [without('except'), ...matchEdits('except', parts.except)]),
    ...(parts.when === null ? [] : [without('when')]),
    ...(parts.until === null ? [] : [without('until')]),
  ];
}

type MatchPart = 'match' | 'except';

function matchEdits(part: MatchPart, match: Match): readonly ConditionEdit[] {
  return match.flatMap((fact, index) => [
    // An exception without its only fact would except everything.
    ...(part === 'match' || match.length > 1
      ? [
          {
            words: `without ${quote(`${part}.${fact.fact}`)}`,
            apply: edited(part, (given) => given.filter((_, at) => at !== index)),
          },
        ]
      : []),
    ...patternEdits(part, fact, index),
  ]);
}

function patternEdits(
  part: MatchPart,
  { fact, patterns }: FactPatterns,
  index: number,
): readonly ConditionEdit[] {
  const name = quote(`${part}.${fact}`);
  return patterns.flatMap((pattern, at) => {
    const widened = widenPattern(pattern);
    const inPatterns = (edit: (given: readonly Pattern[]) => readonly Pattern[]) =>
      edited(part, (given) =>
        given.map((each, one) => {
          const changed = one === index ? edit(each.patterns) : each.patterns;
          return isNonEmpty(changed) ? { ...each, patterns: changed } : each;
        }),
      );
    return [
      ...(widened === null
        ? []
        : [
            {
              words: `${name}: ${quote(patternText(widened))} instead of ${quote(patternText(pattern))}`,
              apply: inPatterns((given) =>
                given.map((each, one) => (one === at ? (widenPattern(each) ?? each) : each)),
              ),
            },
          ]),
      ...(patterns.length === 1
        ? []
        : [
            {
              words: `${name} without ${quote(patternText(pattern))}`,
              apply: inPatterns((given) => given.filter((_, one) => one !== at)),
            },
          ]),
    ];
  });
}

function widenPattern(pattern: Pattern): Pattern | null {
  const glob = pattern.kind === 'glob' ? widenGlob(pattern.glob) : null;
  return glob === null ? null : { kind: 'glob', glob };
}

function edited(part: MatchPart, edit: (match: Match) => readonly FactPatterns[]): ConditionEdit['apply'] {
  return (parts) => {
    const match = parts[part];
    const changed = match === null ? [] : edit(match);
    return { ...parts, [part]: isNonEmpty(changed) ? changed : null };
  };
}
