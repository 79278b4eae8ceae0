import type { RunningServer } from '@ambit/toolsets';

/** A server that was started. */
export interface StartedServer {
  readonly running: RunningServer;
  /** Why a listed tool is not offered, by its name. */
  readonly refused: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

export interface Restartable extends StartedServer {
  /** Ends what remains of an ended server, and starts it again. Not while another call of it is running. */
  restart(): Promise<void>;
}

/**
 * A server that can be started again. It keeps the tools and the greeting of its first start, and what it then refused:
 * a definition that differs later has changed in the session. `begin`: the next start.
 */
export function restartable(first: StartedServer, begin: () => Promise<StartedServer>): Restartable {
  let now = first;
  let starting: Promise<void> | null = null;
  const refused = new Map(first.refused);
  /** Tools that changed before the last start: they do not come back. */
  const lost = new Map<string, ReturnType<RunningServer['standing']>>();
  const standing: RunningServer['standing'] = (tool) => lost.get(tool) ?? now.running.standing(tool);
  const start = async () => {
    await now.close();
    const next = await begin();
    for (const { name } of first.running.tools)
      if (standing(name) !== 'as first seen') lost.set(name, standing(name));
    for (const [name, why] of next.refused) refused.set(name, why);
    now = next;
  };
  return {
    refused,
    running: {
      ...first.running,
      get connection() {
        return now.running.connection;
      },
      get ended() {
        return now.running.ended;
      },
      standing,
      call: (...given) => now.running.call(...given),
      pass: (...given) => now.running.pass(...given),
      listAgain: (signal) => now.running.listAgain(signal),
      request: (...given) => now.running.request(...given),
    },
    restart() {
      starting = start();
      return starting;
    },
    async close() {
      await starting?.catch(() => undefined);
      await now.close();
    },
  };
}
