import { lstatSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Question } from '@ambit/core';
import { machinePolicy } from '../policies/read-policies.js';
import { markOf, realOf } from '../trust/own-files.js';
import { signingKeyFile } from '../trust/signing-key.js';
import { logFolderOf, stateFolder, stateFolderOf } from '../trust/state-folder.js';
import { trustFile } from '../trust/trust-store.js';
import { type OpenedSession, openClientSession } from './client-session.js';
import type { EndedCall, ForeignCall } from './foreign-call.js';
import type { ClientSession } from './opened-session.js';
import { projectPolicy } from './session-policies.js';
import type { ClientSessionOptions } from './session-records.js';

interface Kept {
  readonly session: ClientSession;
  readonly places: Places;
  readonly marks: string;
}

/** The folders of a session in the state folder. */
interface Places {
  readonly state: string;
  readonly logs: string;
}

/** The most kept sessions. */
const most = 16;

/**
 * Keeps sessions of a long-lived process for later calls while policies, trust, keys, log and folders are unchanged.
 * `coarsest`: clock ticks of the file system, in milliseconds.
 */
export function keepSessions(coarsest = 1000) {
  const kept = new Map<string, Kept>();

  /** The kept session, if it is still current: another process may own it, or have continued it. */
  async function again(key: string, options: ClientSessionOptions): Promise<Kept | null> {
    const found = kept.get(key);
    if (found === undefined) return null;
    kept.delete(key);
    const { session, places, marks } = found;
    const isSame = marksOf(options, places, session.files).marks === marks;
    if (isSame && (await session.retake(options).catch(() => false))) return found;
    await session.close();
    return null;
  }

  async function keep(key: string, given: Kept): Promise<void> {
    await given.session.release();
    const isFull = kept.size >= most;
    for (const [name, { session }] of kept) {
      if (name !== key && !isFull) continue;
      kept.delete(name);
      await session.close();
    }
    kept.set(key, given);
  }

  return {
    /** The number of kept sessions. */
    get size() {
      return kept.size;
    },
    /** Like `openClientSession`, but closing a session keeps it. */
    open: async (options: ClientSessionOptions): Promise<OpenedSession> => {
      const { deadline: _, watch: __, startedBy: ___, ...same } = options;
      const key = JSON.stringify(same);
      const found = await again(key, options);
      const opened =
        found === null ? await first(options, coarsest) : { ok: true as const, ...found, kept: found };
      if (!opened.ok) return opened;
      const { session, kept: given } = opened;
      const close = (isWhole: boolean) =>
        isWhole && given !== undefined ? keep(key, given) : session.close();
      return { ok: true, session: lent(session, close) };
    },
    async close(): Promise<void> {
      const all = [...kept.values()];
      kept.clear();
      for (const { session } of all) await session.close();
    },
  };
}

/** Opens a session, and says whether it can be kept: its files are old enough, and were the same before and after. */
async function first(
  options: ClientSessionOptions,
  coarsest: number,
): Promise<OpenedSession & { readonly kept?: Kept }> {
  const began = Date.now();
  const { environment, root } = options;
  const [state, logs] = [await stateFolderOf(environment, root), await logFolderOf(environment, root)];
  const places = { state, logs };
  const before = marksOf(options, places, []);
  const opened = await openClientSession({ ...options, isReused: true });
  if (!opened.ok) return opened;
  const { session } = opened;
  const now = marksOf(options, places, session.files);
  const isSame = now.marks.startsWith(before.marks) && !now.isMissing && now.changed + coarsest < began;
  return { ok: true, session, ...(isSame ? { kept: { session, places, marks: now.marks } } : {}) };
}

/** The same session until it is closed. It is not kept after an error, which may leave any state. */
function lent(session: ClientSession, giveBack: (isWhole: boolean) => Promise<void>): ClientSession {
  let isWhole = true;
  const noting =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      work(...args).catch((error: unknown) => {
        isWhole = false;
        throw error;
      });
  return Object.assign(Object.create(session) as ClientSession, {
    judge: noting((call: ForeignCall) => session.judge(call)),
    ask: noting((question: Question) => session.ask(question)),
    refuseUntilAnswered: noting((question: Question, reason: string) =>
      session.refuseUntilAnswered(question, reason),
    ),
    ended: noting((call: EndedCall, error: string | null) => session.ended(call, error)),
    denied: noting((call: EndedCall) => session.denied(call)),
    close: () => giveBack(isWhole && !session.isSpent),
  });
}

/** The state of all files that opening a session reads. `others`: the files that policies were read from. */
function marksOf(
  { policies, environment, root }: ClientSessionOptions,
  { state, logs }: Places,
  others: readonly string[],
) {
  const own = join(root, projectPolicy);
  const folders = [root, stateFolder(environment), state, dirname(logs), logs, join(state, 'runs.db')];
  const keys = [signingKeyFile(state), join(state, 'log.key')];
  const given = policies.map((file) => resolve(root, file));
  const judging = [root, own, ...given, machinePolicy];
  const files = [...new Set([...judging, trustFile(environment, realOf(own)), ...keys])];
  let changed = 0;
  const contentOf = (path: string) => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return `missing ${path}`;
    // A folder changes with each file in it, so only its identity counts; `ownerOf` adds its owner.
    if (found.isDirectory()) return `${realOf(path)} folder`;
    if (!keys.includes(path)) changed = Math.max(changed, Number(found.ctimeNs / 1_000_000n));
    return `${markOf(path)} ${judging.includes(path) && realOf(path)}`;
  };
  const ownerOf = (path: string) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined ? `missing ${path}` : [found.dev, found.ino, found.mode, found.uid].join(' ');
  };
  const marks = [...folders.map(ownerOf), ...files.map(contentOf)];
  const more = others.filter((path) => !files.includes(path)).map(contentOf);
  return {
    marks: [...marks, ...more].join('\n'),
    /** The latest change of a judging file, in milliseconds since 1970. */
    changed,
    /** Whether one of `others` is missing. */
    isMissing: more.some((mark) => mark.startsWith('missing')),
  };
}
