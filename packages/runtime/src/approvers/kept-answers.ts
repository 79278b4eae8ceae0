import {
  equalJson,
  isWithin,
  type Keeper,
  type KeptAnswer,
  type NonEmpty,
  type Tool,
  type ToolInUse,
  textsOf,
} from '@ambit/core';
import { clock } from '../host/clock.js';
import type { Store, StoredAnswer } from '../store/store.js';
import { jsonDigest } from './binding-digest.js';

interface Basis {
  /** SHA-256, in hex, of the tool's definition. */
  readonly tool: string;
  /** SHA-256 of each judging policy, sorted. */
  readonly policies: readonly string[];
}

interface KeptAnswersOptions {
  readonly run: string;
  /** Null if a digest is missing. */
  readonly judging: (chain: NonEmpty<string>) => readonly string[] | null;
  readonly onVoid: (answer: KeptAnswer, why: string) => void;
  /** The digest of a worker's file; null for none. */
  readonly fileOf?: (worker: string) => string | null;
}

/** Keeps answers in a store: each for its tool and its policies as they were when it was given. */
export function keptAnswers(store: Store, options: KeptAnswersOptions): Keeper {
  const told = new Set<string>();
  const basisOf = ({ chain, tool, name }: ToolInUse): Basis | null => {
    const policies = options.judging(chain);
    return policies === null ? null : { tool: toolDigest(name, tool), policies };
  };
  // A called worker as it was, for a model names those that it creates; and whether a program was confined.
  const basisFor = (basis: Basis | null, { shown }: KeptAnswer, { confines = false }: Tool): Basis | null => {
    const { fileOf } = options;
    const names = shown.flatMap(({ name, worker }) => (name === 'worker.call' ? textsOf([worker]) : []));
    const callees = fileOf === undefined ? [] : names.map(fileOf);
    const confined = confines && shown.some(({ name }) => isWithin(name, 'proc.exec.opaque'));
    if (basis === null || (callees.length === 0 && !confined)) return basis;
    return { ...basis, tool: jsonDigest({ tool: basis.tool, callees, confined }) };
  };
  return {
    async kept(of) {
      const basis = basisOf(of);
      const names = of.policies().map(({ name }) => name);
      const alike = (await store.kept()).filter(
        ({ answer, revoked }) =>
          revoked === null && answer.tool === of.name && equalJson(answer.chain, of.chain),
      );
      return alike.flatMap((stored) => {
        const why = whyVoid(stored, basisFor(basis, stored.answer, of.tool), clock.now());
        // The judging policies are the same ones, also under other names.
        if (why === null) return [{ ...stored.answer, policies: names }];
        const { approval } = stored.answer;
        if (!told.has(approval)) options.onVoid(stored.answer, why);
        told.add(approval);
        return [];
      });
    },
    async keep(answer, of) {
      const basis = basisFor(basisOf(of), answer, of.tool);
      if (basis === null) throw new Error('a policy that judges it has no digest');
      await store.keep({ answer, run: options.run, at: clock.now(), ...basis, revoked: null });
    },
  };
}

/** Why an answer does not count, or null. */
function whyVoid(
  { answer, tool, policies, revoked, at }: StoredAnswer,
  basis: Basis | null,
  now: number,
): string | null {
  if (revoked !== null) return 'it was revoked';
  if (answer.until !== undefined && now >= answer.until) return 'its time is up';
  if (answer.until !== undefined && now < at) return 'the clock was set back';
  if (basis === null || !equalJson(policies, basis.policies)) return 'a policy was changed, added or removed';
  return tool === basis.tool ? null : `the definition of ${answer.tool} has changed`;
}

/** The definition of a tool: the model's view, and its toolset's identity. */
function toolDigest(name: string, { description, input, digest }: Tool): string {
  return jsonDigest({ name, description, input: input.json, digest: digest ?? null });
}
