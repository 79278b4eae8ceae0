import { isWithin, type NonEmpty, namesTool } from '@ambit/core';
import { createEngine, type WrittenNamedRule, type WrittenPolicy } from '@ambit/policy';
import { rulesInWords } from '../../exact/rule-words.js';
import { builtInTools } from '../names/tools.js';
import { CallSearch } from '../subject/call-search.js';
import { heardSites, type Lint } from '../subject/scope.js';
import { asksPerson } from './rule-index.js';

const mostPairs = 1_000_000;
const engine = createEngine();

/** Permissions of a tool that answer other rules' questions. Each is shown by a decided call. */
export const overridingGrants: Lint = ({ file, now }, report) => {
  const sites = heardSites(file);
  const grants = sites.filter(({ rule }) => rule.about === 'tool' && rule.decision === 'pre_approved');
  // A search reads all rules first.
  if (grants.length === 0) return;
  const rules = sites.map(({ rule }) => rule).filter((rule) => rule.about !== 'combination');
  const asking = rules.filter((rule) => rule.decision === 'needs_approval' && !asksPerson(rule));
  const around = { policy: file.policy, search: new CallSearch([file.policy], now) };
  let pairs = mostPairs;
  for (const { rule, decision: span } of grants) {
    if (rule.about !== 'tool') continue;
    pairs -= asking.length;
    if (pairs < 0) return;
    const answered = asking.filter((other) => isAnswered(rule, other, around));
    if (answered.length === 0) continue;
    report('OVERRIDING_GRANT', span, {
      message: `this answers the questions of ${rulesInWords(answered)}: what they ask about runs through this tool`,
      help: '`answer: person` on a rule keeps its question from grants; remove this grant if it was not meant',
    });
  }
};

function isAnswered(
  grant: WrittenNamedRule,
  asking: WrittenNamedRule,
  { policy, search }: { readonly policy: WrittenPolicy; readonly search: CallSearch },
): boolean {
  return toolsOf(grant.name).some((tool) => {
    if (asking.about === 'tool' && !namesTool(asking.name, tool)) return false;
    const carried = policy.carries.filter((each) => namesTool(each.tool, tool));
    const names = [...(builtInTools[tool] ?? []), ...carried.map(({ capability }) => capability.name)];
    const concerned =
      asking.about === 'tool'
        ? [names[0] ?? 'tool.call']
        : names.filter((name) => isWithin(name, asking.name));
    return concerned.some((name) => {
      if (search.isDone) return false;
      const capability = carried.find((each) => each.capability.name === name)?.capability ?? { name };
      const frame = { tool, chain: chainFor(grant, asking), capability };
      const isAsked = [
        search.truthOf(asking, frame),
        search.truthOf(grant, frame),
        search.formulas.not(search.decisionOf(frame).isFinal),
      ] as const;
      const found = search.find(isAsked, frame, (request) =>
        engine
          .decide(request, [policy])
          .judgements.some(
            ({ rules, answered_by: by }) =>
              rules.some(({ id }) => id === asking.id) && by?.by === 'rule' && by.id === grant.id,
          ),
      );
      return found !== null;
    });
  });
}

function toolsOf(key: string): readonly string[] {
  const known = Object.keys(builtInTools).filter((tool) => namesTool(key, tool));
  return key.endsWith('.*') ? [...known, `${key.slice(0, -1)}tool`] : [key];
}

/** A grant concerns the acting worker; a restriction also its callers. */
function chainFor(grant: WrittenNamedRule, asking: WrittenNamedRule): NonEmpty<string> {
  const acting = grant.worker ?? asking.worker ?? 'main';
  return asking.worker === null || asking.worker === acting ? [acting] : [asking.worker, acting];
}
