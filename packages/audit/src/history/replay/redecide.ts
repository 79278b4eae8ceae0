import { hash } from 'node:crypto';
import type { Json, Judgement } from '@ambit/core';
import type { LogEntry } from '../../log/line/line.js';
import { listOf, objectsOf, textOf } from '../../log/line/members.js';
import type { ReadMembers } from '../../log/manifests/read-manifest.js';
import type { LogLine } from '../../log/read/read-log.js';
import { type LoggedPolicies, loggedPolicies } from './logged-policies.js';
import { type Judge, replay } from './replay.js';
import type { ReplayedCall } from './summary.js';

export interface Redecision {
  readonly ok: boolean;
  readonly same: number;
  /** Decisions that depend on masked values, missing facts or an unusable manifest. */
  readonly unknown: number;
  /** Whether a policy event does not say what `./` and `~/` stood for. */
  readonly assumed: boolean;
  readonly first: RedecideDamage | null;
}

interface RedecideDamage {
  readonly code: 'DECISION_DIFFERS' | 'JUDGEMENT_DIFFERS' | 'POLICY_DIGEST' | 'POLICY_UNLOADABLE';
  readonly line: number;
  /** The segment of the line, if it is not the first. */
  readonly where?: string;
  readonly seq: number;
  readonly message: string;
  readonly expected: string | null;
  readonly found: string | null;
}

/** A judge under these policies; null if there are none, a reason if one does not load. */
type LoadLogged = (policies: readonly LoggedPolicies[]) => Promise<Judge | string | null>;

/** Judges every decision of a log again under the policies that the log carries, up to the first that is another. */
export async function redecide(
  lines: AsyncIterable<LogLine>,
  load: LoadLogged,
  members: ReadMembers | null = null,
): Promise<Redecision> {
  const policies = createLogged(load);
  const counts = { same: 0, unknown: 0 };
  const done = (first: RedecideDamage | null): Redecision => {
    const where = policies.where();
    const placed = first === null || where === null ? first : { ...first, where };
    return { ok: first === null, ...counts, assumed: policies.assumed(), first: placed };
  };
  for await (const call of replay(policies.follow(lines), policies.judge, members)) {
    const found = damageIn(call, policies.judgements());
    if (found === 'unknown') counts.unknown += 1;
    else if (found === null) counts.same += 1;
    else return done(found);
  }
  return done(policies.damage());
}

function createLogged(load: LoadLogged) {
  let run: string | null = null;
  let sets: LoggedPolicies[] = [];
  let judge: Judge | null = null;
  let judgements: readonly Judgement[] = [];
  let assumed = false;
  let file: string | null = null;
  let where: string | null = null;
  let damage: RedecideDamage | null = null;

  async function accept(entry: LogEntry): Promise<void> {
    if (entry.run !== run) {
      run = entry.run;
      sets = [];
      judge = null;
    }
    if (entry.event === 'decision') judgements = listOf<Judgement>(entry.judgements);
    const set = loggedPolicies(entry);
    if (set === null) return;
    damage = digestDamage(entry);
    // A policy that did not load judged nothing.
    if (damage !== null || (sets.length > 0 && set.files.every(({ observed }) => observed))) return;
    assumed ||= set.root === null || set.home === null;
    sets.push(set);
    const loaded = await load(sets);
    if (typeof loaded === 'string') damage = damageAt(entry, 'POLICY_UNLOADABLE', [loaded, null, null]);
    else judge = loaded;
  }

  /** The lines unchanged, up to a policy with a wrong digest. */
  async function* follow(lines: AsyncIterable<LogLine>): AsyncGenerator<LogLine, void, undefined> {
    for await (const line of lines) {
      file ??= line.file ?? null;
      where = line.file === undefined || line.file === file ? null : line.file;
      await accept(line.entry);
      if (damage !== null) return;
      yield line;
    }
  }

  // Without a policy file, other restrictions stand: programs may bring their own policies.
  const silent: Judge = {
    decide: ({ capabilities }) => {
      return { decision: 'blocked', capabilities, judgements: [], reason: null, instead: null };
    },
    keysRead: () => new Set(),
  };
  return {
    follow,
    judge: {
      decide: (request, grants) => (judge ?? silent).decide(request, grants),
      keysRead: (request) => (judge ?? silent).keysRead(request),
      get reads() {
        return (judge ?? silent).reads ?? null;
      },
    } satisfies Judge,
    judgements: () => judgements,
    assumed: () => assumed,
    where: () => where,
    damage: () => damage,
  };
}

/** A source may have begun with a byte order mark, which its text does not hold. */
function digestDamage(entry: LogEntry): RedecideDamage | null {
  for (const { name, sha256, source } of objectsOf(entry.files)) {
    const text = textOf(source) ?? '';
    const digests = [text, `\ufeff${text}`].map((one) => hash('sha256', one, 'hex'));
    if (typeof sha256 !== 'string' || !digests.includes(sha256)) {
      const message = `the source of \`${textOf(name) ?? ''}\` is not the one that its digest is of`;
      return damageAt(entry, 'POLICY_DIGEST', [message, textOf(sha256), digests[0] ?? null]);
    }
  }
  return null;
}

function damageIn(call: ReplayedCall, logged: readonly Judgement[]): RedecideDamage | 'unknown' | null {
  if (call.after === 'unknown') return 'unknown';
  const { seq, before, after, decision } = call;
  const pairs = decision.judgements.map((now) => ({
    now,
    before: logged.find(({ capability, policy }) => capability === now.capability && policy === now.policy),
  }));
  const other = pairs.find((pair) => saysOf(pair.now) !== saysOf(pair.before));
  if (before === after && other === undefined) return null;
  // If the log lacks a fact (the history has only names), it proves nothing.
  const lacks = pairs.some((pair) => pair.now.undecided.length > (pair.before?.undecided.length ?? 0));
  if (lacks) return 'unknown';
  const at = { seq };
  if (before !== after) {
    const message = `the policies of the log decide differently on \`${call.tool}\``;
    return damageAt(at, 'DECISION_DIFFERS', [message, after, before]);
  }
  const message = `policy \`${other?.now.policy ?? ''}\` says something else of \`${call.tool}\``;
  return damageAt(at, 'JUDGEMENT_DIFFERS', [message, saysOf(other?.now), saysOf(other?.before)]);
}

function saysOf(judgement: Judgement | undefined): string {
  if (judgement === undefined) return 'nothing';
  const ids = objectsOf(judgement.rules as unknown as Json).map(({ id }) => textOf(id) ?? '');
  return [judgement.decision, ...ids].join(' ');
}

function damageAt(
  { seq }: { readonly seq: number },
  code: RedecideDamage['code'],
  [message, expected, found]: readonly [string, string | null, string | null],
): RedecideDamage {
  return { code, line: seq + 1, seq, message, expected, found };
}
