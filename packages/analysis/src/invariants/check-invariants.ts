import type { NonEmpty } from '@ambit/core';
import {
  type Diagnostic,
  escapeText,
  type LoadedPolicies,
  type WrittenInvariant,
  type WrittenPolicy,
} from '@ambit/policy';
import { createDiagnostic, createSource, type Problem, quote } from '@ambit/policy/internal';
import type { Unsettled } from '../exact/blind-spot.js';
import { shownCall } from '../exact/call.js';
import { ruleInWords } from '../exact/rule-words.js';
import { type InvariantProof, proveInvariant } from './invariant.js';

export function checkInvariants({ policies, files }: LoadedPolicies & { readonly ok: true }): {
  readonly proved: number;
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics = policies.flatMap((policy, index) => {
    const source = createSource(policy.document.name, files[index]?.source ?? '');
    return brokenIn(policy, policies).map(({ invariant, problem }) => {
      const start = source.lines.offsetOf(invariant.place);
      return createDiagnostic({ ...problem, span: { start, end: start + 1 } }, source);
    });
  });
  const claims = policies.reduce((sum, { document }) => sum + document.invariants.length, 0);
  return { proved: claims - diagnostics.length, diagnostics };
}

export interface BrokenInvariant {
  readonly id: string;
  /** `file:line:column` */
  readonly at: string;
  /** With a call that breaks it, if one was found. */
  readonly message: string;
}

export function brokenInvariants(policies: NonEmpty<WrittenPolicy>): readonly BrokenInvariant[] {
  return policies
    .flatMap((policy) => brokenIn(policy, policies))
    .map(({ invariant: { id, at }, problem: { message } }) => ({ id, at, message }));
}

function brokenIn({ document }: WrittenPolicy, policies: NonEmpty<WrittenPolicy>) {
  return document.invariants.flatMap((invariant) => {
    const problem = problemOf(invariant, proveInvariant(policies, invariant));
    return problem === null ? [] : [{ invariant, problem }];
  });
}

function problemOf({ id }: WrittenInvariant, proof: InvariantProof): Omit<Problem, 'span'> | null {
  switch (proof.status) {
    case 'proved':
      return null;
    case 'refuted':
      return {
        code: 'REFUTED_INVARIANT',
        message: `the invariant ${quote(id)} does not hold; this call is pre_approved: ${shownCall(proof.call)}`,
        help: 'give the call to `ambit explain` to see which rules let it pass; a combination under `together:` would block it',
      };
    case 'unknown':
      return {
        code: 'UNSETTLED_INVARIANT',
        message: `the invariant ${quote(id)} is not settled: no call was found that breaks it, and not every one is ruled out: ${openInWords(proof.unknown)}`,
        help: 'a condition that asks about one fact at a time can be settled; a combination under `together:` would block such calls',
      };
  }
}

const mostNamed = 3;

function openInWords(unknown: readonly Unsettled[]): string {
  const named = unknown.slice(0, mostNamed).map(({ capability, why, rules }) => {
    const because = rules.map(ruleInWords).join(', ');
    return `${escapeText(capability)}: ${escapeText(why)}${because === '' ? '' : `, because of ${because}`}`;
  });
  const more = unknown.length - named.length;
  return [...named, ...(more === 0 ? [] : [`and ${more} more`])].join('; ');
}
