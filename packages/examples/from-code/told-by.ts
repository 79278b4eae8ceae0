import type { LoggedEvent } from '../read-log.js';

/** One call of a log, from its decision to its outcome. */
interface ToldCall {
  readonly decisions: readonly unknown[];
  readonly answers: readonly unknown[];
  readonly outcome: { readonly outcome?: string; readonly code?: string; readonly reason?: string };
}

/** A run of a log, without ids, times and digests; its own folder is called ROOT. */
export interface Told {
  /** The run, its policies and its end. */
  readonly run: readonly unknown[];
  /** In the order of their first decisions. */
  readonly calls: readonly ToldCall[];
}

/** Members that differ in every run, or depend on one that does. */
const own = ['run', 'seq', 'time', 'prev', 'hash', 'call', 'approval', 'args_digest'];

export function toldBy(events: readonly LoggedEvent[], root: string): Told {
  const ids = [...new Set(events.flatMap(({ call }) => (call === undefined ? [] : [call])))];
  const plain = (event: LoggedEvent) => withoutOwn(event, { root, ids });
  const calls = ids.map((id): ToldCall => {
    const of = (name: string) => events.filter(({ event, call }) => event === name && call === id).map(plain);
    const [outcome = {}] = of('outcome');
    return { decisions: of('decision'), answers: of('approval'), outcome };
  });
  return { run: events.filter(({ call }) => call === undefined).map(plain), calls };
}

function withoutOwn(
  event: LoggedEvent,
  { root, ids }: { readonly root: string; readonly ids: readonly string[] },
): object {
  const text = JSON.stringify(event, (key, value: unknown) =>
    own.includes(key) || isMoment(key, value) ? undefined : value,
  );
  // The id of a question contains the id of its call.
  const named = ids.reduce((all, id, index) => all.replaceAll(id, `CALL ${index}`), text);
  return JSON.parse(named.replaceAll(root, 'ROOT')) as object;
}

/** `at` is also where a rule stands. */
function isMoment(key: string, value: unknown): boolean {
  return key === 'at' && typeof value === 'number';
}
