import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Recording } from '@ambit/audit';
import { KilledLogs } from '../../../audit/test/log/write/killed-logs.js';
import { makeSigningKey, openStateFolder, openStore, type RunRecord } from '../../src/index.js';
import { add, type LedgerRun, ledgerOf, makeLedger } from './ledger.js';

const program = fileURLToPath(new URL('drive.mjs', import.meta.url));

/**
 * Where a process kills itself: before the n-th step that one of its runs keeps, some milliseconds later, or some after its start;
 * `between`: later, and until then nothing that is kept gets into a log.
 */
export interface Moment {
  readonly at: 'before' | 'between' | 'later' | 'time';
  readonly run: number;
  readonly step: number;
  readonly after: number;
}

const lines = ['one', 'two', 'free', 'three', 'four', 'five'];

const ledgerRun: LedgerRun = {
  rules: [
    { decision: 'needs_approval', except: { line: 'free' } },
    { decision: 'pre_approved', match: { line: 'free' } },
  ],
  script: {
    main: [
      add('one', 'two'),
      { call: [{ tool: 'helper', args: { input: 'go' } }, ...add('three').call] },
      { say: 'done' },
    ],
    helper: [add('four', 'free'), add('five'), { say: 'helped' }],
  },
};

const recordings: readonly Recording[] = [{}, {}, { rotate: { entries: 9 } }, { commit: 'sync' }];

/** A run in a folder of its own. */
export class KilledRun {
  id: string | null = null;

  private constructor(
    readonly root: string,
    readonly environment: Readonly<Record<string, string>>,
    readonly recording: Recording,
    readonly logs: KilledLogs,
  ) {}

  /** Every other one is signed. */
  static async make(seed: number): Promise<KilledRun> {
    const { folder, root } = makeLedger(ledgerRun);
    const environment = { HOME: folder, AMBIT_HOME: join(folder, 'state') };
    const state = await openStateFolder(environment, root);
    const signer = seed % 2 === 0 ? null : (await makeSigningKey(state)).key.verifier;
    const recording = recordings[(seed >> 1) % recordings.length] ?? {};
    return new KilledRun(root, environment, recording, new KilledLogs(folder, signer));
  }

  /** Its status, and its log for the verifiers; null where it had not begun so far that it can be resumed. */
  async look(): Promise<RunRecord['status'] | null> {
    const store = await openStore(await openStateFolder(this.environment, this.root));
    try {
      const [newest] = await store.runs();
      if (newest === undefined) return null;
      const steps = await store.steps(newest.id);
      if (!steps.some(({ step }) => step === 'entry')) return null;
      this.id = newest.id;
      this.logs.add(newest.log);
      return newest.status;
    } finally {
      await store.close();
    }
  }

  /** What is wrong at its end. */
  async wrong(): Promise<readonly string[]> {
    const status = await this.look();
    if (status !== 'finished') return [`the run is ${status ?? 'gone'}`];
    const done = ledgerOf(this);
    const twice = done.filter((line, index) => done.indexOf(line) !== index);
    const missing = lines.filter((line) => !done.includes(line));
    // What had begun is not done again where nobody can be asked whether it is done.
    const unknown = this.logs.count('"code":"unknown_outcome"');
    return [
      ...(twice.length === 0 ? [] : [`done twice: ${twice.join(', ')}`]),
      ...(missing.length <= unknown ? [] : [`never done: ${missing.join(', ')}`]),
      ...(await this.logs.wrong()),
    ];
  }

  remove(): void {
    rmSync(join(this.root, '..'), { recursive: true, force: true });
  }
}

/** Drives runs in one process; how each ended, or null where the process was killed. */
export async function driveAll(
  runs: readonly KilledRun[],
  kill: Moment | null,
): Promise<readonly string[] | null> {
  const told = runs.map(({ root, environment, recording, id }) => ({ root, environment, recording, id }));
  const child = spawn(process.execPath, [program, JSON.stringify({ runs: told, kill })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const signal = await new Promise((resolve) => child.once('close', (_, name) => resolve(name)));
  return signal === 'SIGKILL' ? null : (JSON.parse(said) as readonly string[]);
}
