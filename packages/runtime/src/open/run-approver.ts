import {
  type Answer,
  type Approver,
  createdPrefix,
  type EarlierRun,
  type Keeper,
  type LogEvent,
  type NonEmpty,
  type Question,
} from '@ambit/core';
import { bindingDigest, jsonDigest } from '../approvers/binding-digest.js';
import { asApprover } from '../approvers/first-answer.js';
import { keptAnswers } from '../approvers/kept-answers.js';
import type { Parking } from '../approvers/parking.js';
import { storeApprover } from '../approvers/store-approver.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { clock } from '../host/clock.js';
import type { Happening } from '../host/session-event.js';
import type { Store } from '../store/store.js';
import type { OpenOptions } from './open-options.js';
import type { Records } from './records.js';

/** The approver of a run; null if nobody can be asked. */
export function runApprover(
  { mode, approver, park = false, wait = false }: OpenOptions,
  of: {
    readonly records: Records;
    readonly parking: Parking;
    readonly policies: () => readonly string[];
  },
): Approver | null {
  // A person who parks a run cannot be asked.
  const here = park ? null : asApprover(approver);
  if (mode !== 'interactive' || (here === null && !park && !wait)) return here;
  const { records, parking, policies } = of;
  return storeApprover(records.store, {
    run: records.id,
    digestOf: (question) => bindingDigest(question, policies()),
    now: () => clock.now(),
    here,
    whileWaiting: parking.waiting,
    isParked: parking.isParked,
  });
}

/** A person's stored answer to this question; null for none. */
export function givenBefore(
  store: Pick<Store, 'question'>,
  policies: () => readonly string[],
): (question: Question) => Promise<Answer | null> {
  return async (question) => {
    const found = await store.question(question.id);
    if (found === null || found.state !== 'answered') return null;
    return found.digest === bindingDigest(question, policies()) ? found.answer : null;
  };
}

export function createPolicyDigests(begun: readonly { readonly sha256: string }[]) {
  const digests = new Set(begun.map(({ sha256 }) => sha256));
  return {
    take(event: LogEvent): void {
      if (event.event !== 'policy' || event.problems !== undefined) return;
      for (const { sha256, observed } of event.files) if (observed !== true) digests.add(sha256);
    },
    now: (): readonly string[] => [...digests],
  };
}

/** Stores answers for later runs. Absent if a program made a policy: its identity is unknown later. */
export function runKeeper(
  { policies }: Pick<OpenOptions, 'policies'>,
  of: {
    readonly catalogue: Pick<Catalogue, 'workers' | 'roots'>;
    readonly emit: (event: Happening) => void;
    readonly records: Records;
    readonly digests: () => readonly string[];
  },
): { readonly keeper?: Keeper } {
  const { records, digests, emit } = of;
  if (policies.some((policy) => typeof policy !== 'string')) return {};
  const keeper = keptAnswers(records.store, {
    run: records.id,
    judging: (chain) => {
      const restrictions = restrictionsOf(of.catalogue, chain);
      return restrictions === null ? null : [...new Set([...digests(), ...restrictions])].sort();
    },
    fileOf: (worker) => of.catalogue.workers.get(worker)?.sha256 ?? null,
    onVoid: ({ approval, person, tool, chain }, why) =>
      emit({ type: 'answer_void', approval, person, tool, chain, why }),
  });
  return { keeper };
}

export async function earlierAnswers(earlier: EarlierRun, { store, id }: Records): Promise<EarlierRun> {
  const questions = (await store.questions()).filter(({ run }) => run === id);
  const stored = new Set((await store.kept()).map(({ answer }) => answer.approval));
  // An answer whose keeping was interrupted counts for this run.
  const kept = earlier.kept.map((answer) =>
    answer.remember === 'run' || stored.has(answer.approval)
      ? answer
      : { ...answer, remember: 'run' as const },
  );
  return { ...earlier, kept, shown: questions.map(({ question: { call, calls = [call] } }) => calls) };
}

/** Null if a worker is missing. */
function restrictionsOf(
  { workers, roots }: Pick<Catalogue, 'workers' | 'roots'>,
  chain: NonEmpty<string>,
): readonly string[] | null {
  const digests: string[] = [];
  for (const name of new Set(chain)) {
    const worker = workers.get(name);
    if (worker === undefined) return null;
    // Its name is the model's choice: only the same definition is the same worker.
    if (name.startsWith(createdPrefix)) digests.push(jsonDigest({ worker: name, sha256: worker.sha256 }));
    const guarded = worker.roots.filter((root) => root.read_approval || root.write_approval);
    const folders = (roots.get(name) ?? []).map(({ name: root, folder }) => ({ root, folder }));
    const said = {
      worker: name,
      roots: guarded.map(({ name: root, read_approval, write_approval }) => ({
        root,
        readApproval: read_approval === true,
        writeApproval: write_approval === true,
        folder: folders.find((each) => each.root === root)?.folder ?? null,
      })),
      approvals: worker.toolsets.flatMap(({ key, approvals }) =>
        approvals
          .filter(({ decision }) => decision !== 'pre_approved')
          .map(({ tool, decision }) => ({ key, tool, decision })),
      ),
    };
    if (said.roots.length + said.approvals.length > 0) digests.push(jsonDigest(said));
  }
  return digests;
}
