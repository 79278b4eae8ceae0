import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ClientName, clientNames } from '../../src/index.js';
import { type HookChange, programs, RealPlace } from './real-client.js';
import { shellCalls } from './shell-calls.js';

const Database = createRequire(new URL('../../../runtime/package.json', import.meta.url))('libsql') as new (
  file: string,
) => { readonly exec: (sql: string) => void; readonly close: () => void };

/** Everything judgeable is permitted, so only a failing hook can refuse. */
const open = 'version: 1\ndefault: pre_approved\n';

interface Failure {
  readonly change?: (place: RealPlace, client: ClientName) => HookChange;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: (place: RealPlace) => Readonly<Record<string, string>>;
  readonly needs?: () => boolean;
  readonly before?: (place: RealPlace, client: ClientName) => void;
}

const isRoot = () => process.getuid?.() === 0;

/** The hook with this instead of its input. */
function given(input: string, place: RealPlace, client: ClientName): readonly [string, ...string[]] {
  return ['/bin/sh', '-c', `printf %s "${input}" | "$@"`, 'sh', ...place.command(client)];
}

/** What goes wrong with the hook. */
const failures: Readonly<Record<string, Failure>> = {
  'the policy is missing': { change: () => ({ policies: ['/missing/policy.yaml'] }) },
  'the policy is not trusted': { change: () => ({ policies: [] }), files: { 'policy.yaml': open } },
  'the policy does not load': {
    change: (place) => ({ policies: [place.write('bad.yaml', 'version: 1\ndefault: alow\n')] }),
  },
  'the program is missing': { change: () => ({ command: ['/missing/node', 'launch.cjs'] }) },
  'the hook is killed': { change: () => ({ command: ['/bin/sh', '-c', 'kill -9 $$'] }) },
  'the hook ends with 1': { change: () => ({ command: ['/bin/sh', '-c', 'echo broken >&2; exit 1'] }) },
  'the input is broken': { change: (place, client) => ({ command: given('{bad', place, client) }) },
  'the input is cut off': {
    change: (place, client) => ({ command: given('$(head -c 40)', place, client) }),
  },
  'the hook hangs': {
    change: () => ({
      command: ['/bin/sleep', '600'],
      timeout: 8,
      limiter: ['/usr/bin/timeout', '--foreground', '-s', 'KILL', '2'],
    }),
  },
  'the disk is full': {
    needs: isRoot,
    change: (place, client) => {
      const script =
        'mount --make-rprivate / && mkdir -p "$0" && mount -t tmpfs -o size=16k,mode=700 none "$0" && { cat /dev/zero > "$0/full" 2>/dev/null; exec "$@"; }';
      const own = place.command(client);
      return { command: ['/usr/bin/unshare', '-m', '/bin/sh', '-c', script, place.state(client), ...own] };
    },
  },
  'the store is locked': {
    change: (place, client) => ({ command: [...place.command(client), '--timeout', '3'] }),
    before: (place, client) => {
      const state = place.state(client);
      for (const name of readdirSync(state).filter((each) => existsSync(join(state, each, 'runs.db')))) {
        const store = new Database(join(state, name, 'runs.db'));
        store.exec('BEGIN EXCLUSIVE');
        onTestFinished(() => store.close());
      }
    },
  },
};

describe.each(clientNames)('%s', (client) => {
  const drive = (place: RealPlace, { change, files = {}, env }: Failure = {}) =>
    place.drive(client, {
      files,
      script: [{ tools: [shellCalls[client]('echo x > ran')] }, 'done'],
      ...(change === undefined ? {} : { change: change(place, client) }),
      ...(env === undefined ? {} : { env: env(place) }),
    });

  for (const [what, failure] of Object.entries(failures))
    it.skipIf(!programs.has(client) || failure.needs?.() === false)(`runs no tool if ${what}`, async () => {
      const place = new RealPlace(open);
      if (failure.before !== undefined) {
        expect(existsSync(join((await drive(place)).proj, 'ran'))).toBe(true);
        failure.before(place, client);
      }
      const { proj } = await drive(place, failure);
      expect(existsSync(join(proj, 'ran'))).toBe(false);
    });

  it.skipIf(!programs.has(client))(
    'judges by the given policy, regardless of the client’s environment',
    async () => {
      const place = new RealPlace('version: 1\ndefault: blocked\n');
      const wide = place.write('wide.yaml', open);
      const script = place.write('exit.sh', 'exit 0\n');
      const other = join(place.base, 'other');
      const loaded = place.write('exit.cjs', 'process.exit(0)\n');
      const { proj } = await drive(place, {
        env: () => ({
          AMBIT_POLICY: wide,
          AMBIT_HOME: other,
          XDG_STATE_HOME: join(place.base, 'xdg'),
          ENV: script,
          BASH_ENV: script,
          // A client that is a Node program would run this itself.
          ...(client === 'gemini' ? {} : { NODE_OPTIONS: `--require ${loaded}` }),
        }),
      });
      expect(existsSync(join(proj, 'ran'))).toBe(false);
      expect([other, join(place.base, 'xdg/ambit')].filter((each) => existsSync(each))).toEqual([]);
    },
  );
});
