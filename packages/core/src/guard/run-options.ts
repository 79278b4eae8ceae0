import { modes } from '../asking/question.js';
import { problemInWords, takePolicy } from '../decide/made/take-policy.js';
import { isJsonObject } from '../words/json.js';
import { printable } from '../words/printable.js';

/** In words; empty for none. Reads each option once. */
export function runOptionsProblems(given: Readonly<Record<string, unknown>>): readonly string[] {
  const { policies, observing = [], mode, approver, context } = given;
  const { log, clock, newId, decide, newer, whileWaiting, keeper, open, given: before } = given;
  return [
    ...(Array.isArray(policies) && policies.length > 0 ? [] : ['at least one policy is required']),
    ...policyProblems(policies),
    ...policyProblems(observing),
    ...((modes as readonly unknown[]).includes(mode)
      ? []
      : [`${shown(mode)} is not a mode: ${modes.join(', ')}`]),
    ...(approver === null || hasFunctions(approver, ['ask']) ? [] : [approverProblem]),
    ...(hasFunctions(log, ['append']) ? [] : ['`log` must have a function `append`']),
    ...(hasFunctions(clock, ['now', 'after']) ? [] : ['`clock` must have functions `now` and `after`']),
    ...(typeof newId === 'function' ? [] : ['`newId` must be a function']),
    ...(keeper === undefined || hasFunctions(keeper, ['kept', 'keep'])
      ? []
      : ['`keeper` must have functions `kept` and `keep`']),
    ...Object.entries({ decide, newer, whileWaiting, given: before }).flatMap(([name, value]) =>
      value === undefined || typeof value === 'function' ? [] : [`\`${name}\` must be a function`],
    ),
    ...(['describeLimit', 'answerLimit'] as const).flatMap((name) =>
      isLimit(given[name]) ? [] : [`\`${name}\` must be a number of milliseconds`],
    ),
    ...(open === undefined || typeof open === 'boolean' ? [] : ['`open` must be true or false']),
    ...(isJsonObject(context) ? [] : ['`context` must be an object of plain JSON values']),
  ];
}

export const approverProblem = '`approver` must be null or have a function `ask`';

/** Whether a value has functions of these names. */
export function hasFunctions(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function');
  } catch {
    return false;
  }
}

function isLimit(limit: unknown): boolean {
  return limit === undefined || (typeof limit === 'number' && limit >= 0);
}

function policyProblems(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((given: unknown, index) => {
    const result = takePolicy(given);
    return result.ok ? [] : result.problems.map((problem) => problemInWords(index, given, problem));
  });
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `\`${printable(value)}\`` : typeof value;
}
