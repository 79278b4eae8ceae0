import { hash } from 'node:crypto';
import type { Json, Judgement } from '@ambit/core';
import type { LogEntry } from '../../log/line/line.js';
import { listOf, objectsOf, textOf } from '../../log/line/members.js';
import type { DamageOf } from '../../log/line/parse-line.js';
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
  /** Whether a policy event lacks the meaning of `./` and `~/`. */
  readonly assumed: boolean;
  readonly first: RedecideDamage | null;
}

type RedecideCode = 'DECISION_DIFFERS' | 'JUDGEMENT_DIFFERS' | 'POLICY_DIGEST' | 'POLICY_UNLOADABLE';

interface RedecideDamage extends DamageOf<RedecideCode> {
  readonly line: number;
  /** The segment of the line, if it is not the first. */
  readonly where?: string;
}

/** A judge under these policies; null if there are none, a reason if one does not load. */
type LoadLogged = (policies: readonly LoggedPolicies[]) => Promise<Judge | string | null>;

/** Judges every decision of a log again under the policies from the log, up to the first difference. */
export async function redecide(
  lines: AsyncIterable<LogLine>,
  load: LoadLogged,
  members: ReadMembers | null = null,
): Promise<Redecision> {
  const judge = new LoggedJudge(load);
  const counts = { same: 0, unknown: 0 };
  const done = (first: RedecideDamage | null): Redecision => {
    const { where, assumed } = judge;
    const placed = first === null || where === null ? first : { ...first, where };
    return { ok: first === null, ...counts, assumed, first: placed };
  };
  for await (const call of replay(judge.follow(lines), judge, members)) {
    const found = damageIn(call, judge.judgements);
    if (found === 'unknown') counts.unknown += 1;
    else if (found === null) counts.same += 1;
    else return done(found);
  }
  return done(judge.damage);
}

/** Judges by the policies of the preceding entries. Without a policy file, only other restrictions apply. */
class LoggedJudge implements Judge {
  /** Of the last decision in the log. */
  judgements: readonly Judgement[] = [];
  assumed = false;
  damage: RedecideDamage | null = null;
  /** The segment of the last line; null in the first segment. */
  where: string | null = null;
  #file: string | null = null;
  #run: string | null = null;
  #sets: LoggedPolicies[] = [];
  #judge: Judge = silent;

  constructor(private readonly load: LoadLogged) {}

  readonly decide: Judge['decide'] = (request, grants) => this.#judge.decide(request, grants);
  readonly keysRead: Judge['keysRead'] = (request) => this.#judge.keysRead(request);

  get reads() {
    return this.#judge.reads ?? null;
  }

  /** The lines unchanged, up to a policy with a wrong digest. */
  async *follow(lines: AsyncIterable<LogLine>): AsyncGenerator<LogLine, void, undefined> {
    for await (const line of lines) {
      this.#file ??= line.file ?? null;
      this.where = line.file === undefined || line.file === this.#file ? null : line.file;
      await this.#accept(line.entry);
      if (this.damage !== null) return;
      yield line;
    }
  }

  async #accept(entry: LogEntry): Promise<void> {
    if (entry.run !== this.#run) {
      this.#run = entry.run;
      this.#sets = [];
      this.#judge = silent;
    }
    if (entry.event === 'decision') this.judgements = listOf<Judgement>(entry.judgements);
    const set = loggedPolicies(entry);
    if (set === null) return;
    this.damage = digestDamage(entry);
    // A policy that did not load judged nothing.
    const isObserved = this.#sets.length > 0 && set.files.every(({ observed }) => observed);
    if (this.damage !== null || isObserved) return;
    this.assumed ||= set.root === null || set.home === null;
    this.#sets.push(set);
    const loaded = await this.load(this.#sets);
    if (typeof loaded === 'string') this.damage = damageAt(entry, 'POLICY_UNLOADABLE', [loaded, null, null]);
    else this.#judge = loaded ?? silent;
  }
}

const silent: Judge = {
  decide: ({ capabilities }) => {
    return { decision: 'blocked', capabilities, judgements: [], reason: null, instead: null };
  },
  keysRead: () => new Set(),
};

/** A source may have begun with a byte order mark, which its text does not hold. */
function digestDamage(entry: LogEntry): RedecideDamage | null {
  for (const { name, sha256, source } of objectsOf(entry.files)) {
    const text = textOf(source) ?? '';
    const digests = [text, `\ufeff${text}`].map((one) => hash('sha256', one, 'hex'));
    if (typeof sha256 !== 'string' || !digests.includes(sha256)) {
      const message = `the source of \`${textOf(name) ?? ''}\` does not match its digest`;
      return damageAt(entry, 'POLICY_DIGEST', [message, textOf(sha256), digests[0] ?? null]);
    }
  }
  return null;
}

function damageIn(call: ReplayedCall, logged: readonly Judgement[]): RedecideDamage | 'unknown' | null {
  if (call.after === 'unknown') return 'unknown';
  const { before, after, decision } = call;
  const repeated = decision.judgements.map((now) => ({
    now,
    before: logged.find(({ capability, policy }) => capability === now.capability && policy === now.policy),
  }));
  const known = new Set(repeated.map((pair) => pair.before));
  const policies = new Set(decision.judgements.map(({ policy }) => policy));
  // The log may hold judgements of worker files and programs besides, but no more of these policies.
  const added = logged.filter((one) => policies.has(one.policy) && !known.has(one));
  const pairs = [...repeated, ...added.map((before) => ({ now: undefined, before }))];
  const other = pairs.find((pair) => saysOf(pair.now) !== saysOf(pair.before));
  if (before === after && other === undefined) return null;
  // If the log lacks a fact (the history has only names), it proves nothing.
  const lacks = pairs.some(
    (pair) => (pair.now?.undecided.length ?? 0) > (pair.before?.undecided.length ?? 0),
  );
  if (lacks) return 'unknown';
  if (before !== after) {
    const message = `the policies of the log decide differently on \`${call.tool}\``;
    return damageAt(call, 'DECISION_DIFFERS', [message, after, before]);
  }
  const message = `policy \`${(other?.now ?? other?.before)?.policy ?? ''}\` judges \`${call.tool}\` differently`;
  return damageAt(call, 'JUDGEMENT_DIFFERS', [message, saysOf(other?.now), saysOf(other?.before)]);
}

function saysOf(judgement: Judgement | undefined): string {
  if (judgement === undefined) return 'nothing';
  const ids = objectsOf(judgement.rules as unknown as Json).map(({ id }) => textOf(id) ?? '');
  return [judgement.decision, ...ids].join(' ');
}

function damageAt(
  { seq }: { readonly seq: number },
  code: RedecideCode,
  [message, expected, found]: readonly [string, string | null, string | null],
): RedecideDamage {
  return { code, line: seq + 1, seq, message, expected, found };
}
