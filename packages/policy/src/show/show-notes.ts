import type { Admission, Reach, Remember } from '@ambit/core';
import { groupedBy, isRestriction, type NonEmpty } from '@ambit/core';
import type { WrittenPolicy } from '../document/document.js';
import { escapeText } from '../text/escape.js';
import { memberInWords } from './combination-words.js';

export interface ShowNote {
  readonly about: 'carries' | 'answers' | 'claims' | 'callers';
  /** Null for all policies. */
  readonly policy: string | null;
  readonly text: string;
}

/** For one worker, a note says that its callers' restrictions hold too. */
export function showNotes(
  policies: NonEmpty<WrittenPolicy>,
  { worker }: { readonly worker?: string } = {},
): readonly ShowNote[] {
  const notes = policies.flatMap(({ name: policy, document }): readonly ShowNote[] => [
    ...carriesInWords(document.carries).map((text) => ({ about: 'carries' as const, policy, text })),
    { about: 'answers', policy, text: answersInWords(document.admits) },
    ...document.invariants.map((invariant) => ({
      about: 'claims' as const,
      policy,
      text: `${escapeText(invariant.id)}: no call with ${invariant.members.map(memberInWords).join(' and ')} runs without a person’s answer (proved by \`ambit check\`)`,
    })),
  ]);
  const callers = worker === undefined ? [] : restrictedOthers(policies, worker);
  if (callers.length === 0) return notes;
  const text = `when ${escapeText(worker ?? '')} acts for ${callers.map(escapeText).join(' or ')}, their restrictions hold for it too`;
  return [...notes, { about: 'callers', policy: null, text }];
}

function carriesInWords(carries: WrittenPolicy['carries']): readonly string[] {
  return [...groupedBy(carries, ({ tool }) => tool)].map(([tool, carried]) => {
    const names = carried.map(({ capability: { name, ...facts } }) =>
      escapeText(Object.keys(facts).length === 0 ? name : `${name} ${JSON.stringify(facts)}`),
    );
    const calls = tool.endsWith('.*') ? `every tool of ${tool.slice(0, -2)}` : tool;
    return `calls of ${calls} also carry ${names.join(' and ')}`;
  });
}

function answersInWords({ workers, remember, reach, unattended }: Admission): string {
  const files =
    workers === true
      ? 'approvals in worker files count'
      : workers === false
        ? 'approvals in worker files do not count'
        : `approvals in worker files count for ${workers.map(escapeText).join(', ')}`;
  const kept =
    remember === 'call' ? 'no answer is kept' : `an answer is kept ${lasting[remember]}, ${reaching[reach]}`;
  return `${kept}; ${files}; \`--approve-all\` ${unattended ? 'counts' : 'does not count'}`;
}

const lasting: Readonly<Record<Exclude<Remember, 'call'>, string>> = {
  run: 'for the run at most',
  always: 'for good if a person says so',
};

const reaching: Readonly<Record<Reach, string>> = {
  call: 'for that call alone',
  arguments: 'for the same arguments',
  file: 'for the same file',
  folder: 'as far as the folder of the file',
  program: 'as far as the program',
  capability: 'for everything of that name',
};

function restrictedOthers(policies: NonEmpty<WrittenPolicy>, worker: string): readonly string[] {
  const rules = policies.flatMap((policy) => policy.rules);
  const others = rules.filter((rule) => isRestriction(rule) && rule.inherit && !rule.observe);
  return [...new Set(others.flatMap((rule) => rule.worker ?? []))].filter((other) => other !== worker);
}
