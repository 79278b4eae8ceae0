import { isNonEmpty, isObject } from '@ambit/core';

/** Whether rows have the form of what was stored: one edited by hand may be any JSON. The database checks states. */
export const storedForms = {
  run: (run: unknown) =>
    isObject(run) &&
    areTexts([run.id, run.worker, run.mode, run.log]) &&
    areNumbers([run.begun, run.since, run.pid]) &&
    isObject(run.options) &&
    isObject(run.roots ?? {}),
  question: (asked: unknown) =>
    isObject(asked) &&
    areTexts([asked.run, asked.digest]) &&
    areNumbers([asked.asked, asked.closed ?? 0]) &&
    isQuestion(asked.question) &&
    // An approver from code may have given any object: who uses it reads it again.
    (asked.answer === null || isObject(asked.answer)),
  kept: (stored: unknown) => {
    if (!isObject(stored) || !isObject(stored.answer)) return false;
    const { approval, person, chain, tool, args, shown, policies, remember, reach, until } = stored.answer;
    return (
      areTexts([stored.run, stored.tool, approval, person, tool, remember, reach]) &&
      areNumbers([stored.at, until ?? 0, stored.revoked ?? 0]) &&
      [chain, policies, stored.policies].every(isTexts) &&
      isObject(args) &&
      Array.isArray(shown) &&
      shown.every(isCapability)
    );
  },
  step: (step: unknown) => isObject(step) && (steps.get(step.step as string)?.(step) ?? false),
};

type Members = Readonly<Record<string, unknown>>;

const steps: ReadonlyMap<string, (step: Members) => boolean> = new Map([
  ['entry', ({ entry }) => isObject(entry)],
  ['events', ({ events }) => Array.isArray(events) && isNonEmpty(events) && events.every(isEvent)],
  ['started', ({ place, chain, model }) => areTexts([place, model]) && isTexts(chain)],
  ['turn', ({ place, turn, calls }) => areTexts([place]) && areNumbers([turn]) && isTexts(calls)],
  ['results', ({ place, turn }) => areTexts([place]) && areNumbers([turn])],
  ['executing', ({ call }) => areTexts([call])],
  ['executed', ({ call, came }) => areTexts([call]) && isObject(came)],
  ['taken', ({ question }) => areTexts([question])],
]);

const areTexts = (values: readonly unknown[]) => values.every((value) => typeof value === 'string');
const isTexts = (list: unknown) => Array.isArray(list) && areTexts(list);
const areNumbers = (values: readonly unknown[]) => values.every(Number.isFinite);
const isEvent = (event: unknown) => isObject(event) && areTexts([event.event]);
const isCapability = (capability: unknown) => isObject(capability) && areTexts([capability.name]);

function isQuestion(question: unknown): boolean {
  return (
    isObject(question) &&
    areTexts([question.id, question.call, question.tool]) &&
    isTexts(question.chain) &&
    isObject(question.args) &&
    Array.isArray(question.asked_by) &&
    Array.isArray(question.capabilities) &&
    question.capabilities.every((shown) => isObject(shown) && isCapability(shown.capability))
  );
}
