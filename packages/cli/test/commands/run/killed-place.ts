import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

/** Lines that end up in the ledger: each once. `no` is refused for good, though the model asks for it twice. */
export const lines = [
  'one',
  'two',
  'free 1',
  'three',
  'four',
  'five',
  'free 2',
  'kept 1',
  'kept 2',
  'kept 3',
];
const add = (...list: readonly string[]) => ({ call: list.map((line) => ({ tool: 'add', args: { line } })) });

const files: Readonly<Record<string, string | object>> = {
  'policy.yaml': {
    version: 1,
    default: 'needs_approval',
    capabilities: {
      'ledger.add': [
        { decision: 'needs_approval', match: { line: 'kept*' } },
        { decision: 'needs_approval', except: { line: ['kept*', 'free*'] } },
        { decision: 'pre_approved', match: { line: 'free*' } },
      ],
      'code.load': 'pre_approved',
      'worker.call': 'pre_approved',
    },
    grants: { remember: 'run', reach: 'capability' },
  },
  'main.worker': `${JSON.stringify({ toolsets: { './ledger.mjs': {}, helper: {} } })}\n---\nWork.\n`,
  'helper.worker': `${JSON.stringify({ toolsets: { './ledger.mjs': {} } })}\n---\nHelp.\n`,
  'script.yaml': {
    main: [
      add('one', 'two', 'no'),
      { call: [{ tool: 'helper', args: { input: 'go' } }, ...add('three').call] },
      add('no', 'free 1'),
      { say: 'all is done' },
    ],
    helper: [add('four', 'free 2'), add('kept 1'), add('kept 2', 'kept 3'), add('five'), { say: 'helped' }],
  },
  // Slow enough to be killed in the middle: before it has done anything, and after.
  'ledger.mjs': `
import { appendFileSync } from 'node:fs';
const wait = (most) => new Promise((done) => setTimeout(done, Math.random() * most));
export default {
  name: 'ledger',
  capabilities: [],
  tools: [
    {
      name: 'add',
      description: 'Adds a line.',
      input: { json: { type: 'object' }, parse: (value) => ({ ok: true, value }) },
      describe: ({ line }) => ({ capabilities: [{ name: 'ledger.add', line }] }),
      execute: async ({ line }) => {
        await wait(15);
        appendFileSync(new URL('./ledger.txt', import.meta.url), line + '\\n');
        await wait(15);
        return 'added';
      },
    },
  ],
};
`,
};

/** A working folder with a run that is killed. */
export interface Place {
  /** Who answers. */
  readonly flag: '--wait' | '--approve-all';
  readonly folder: string;
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function makePlace(flag: Place['flag']): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-killed-')));
  const root = join(folder, 'work');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const environment = { PATH: process.env.PATH, HOME: folder, AMBIT_HOME: join(folder, 'state') };
  return { flag, folder, root, environment };
}

export interface Started {
  readonly child: ChildProcess;
  /** Its exit code; null where it was killed. */
  readonly over: Promise<number | null>;
  /** What it has said on stderr. */
  readonly said: () => string;
}

/** Starts the run, or goes on with it, in a process group of its own. */
export function start({ flag, root, environment }: Place, run: string | null): Started {
  const argv =
    run === null
      ? ['main', 'work', '--policy', 'policy.yaml', '--model', 'script:script.yaml', flag]
      : ['--resume', run, ...(flag === '--wait' ? [flag] : [])];
  const child = spawn(process.execPath, [program, 'run', ...argv, '--quiet'], {
    cwd: root,
    detached: true,
    env: { ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const over = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, over, said: () => err };
}

/** What the tool has done, in order. */
export function ledgerOf({ root }: Place): readonly string[] {
  const file = join(root, 'ledger.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
