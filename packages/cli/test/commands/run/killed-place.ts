import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { add, type LedgerRun, makeLedger } from '../../../../runtime/test/killed/ledger.js';

const program = fileURLToPath(new URL('../../../dist/launch.cjs', import.meta.url));

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

const ledgerRun: LedgerRun = {
  rules: [
    { decision: 'needs_approval', match: { line: 'kept*' } },
    { decision: 'needs_approval', except: { line: ['kept*', 'free*'] } },
    { decision: 'pre_approved', match: { line: 'free*' } },
  ],
  policy: { grants: { remember: 'run', reach: 'capability' } },
  script: {
    main: [
      add('one', 'two', 'no'),
      { call: [{ tool: 'helper', args: { input: 'go' } }, ...add('three').call] },
      add('no', 'free 1'),
      { say: 'all is done' },
    ],
    helper: [add('four', 'free 2'), add('kept 1'), add('kept 2', 'kept 3'), add('five'), { say: 'helped' }],
  },
  // Slow enough to be killed in the middle: before it has done anything, and after.
  most: 15,
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
  const { folder, root } = makeLedger(ledgerRun);
  const environment = { PATH: process.env.PATH, HOME: folder, AMBIT_HOME: join(folder, 'state') };
  return { flag, folder, root, environment };
}

export interface Started {
  readonly child: ChildProcess;
  /** Its exit code; null where it was killed. */
  readonly over: Promise<number | null>;
  /** Its output on stderr. */
  readonly said: () => string;
}

/** Starts or continues the run, in a process group of its own. */
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
