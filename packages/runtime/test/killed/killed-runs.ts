import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Recording } from '@ambit/audit';
import { KilledLogs } from '../../../audit/test/log/write/killed-logs.js';
import { makeSigningKey, openStateFolder, openStore, type RunRecord } from '../../src/index.js';

const program = fileURLToPath(new URL('drive.mjs', import.meta.url));

/**
 * Where a process kills itself: before the n-th step that one of its runs keeps, so many milliseconds later, or so many after its start;
 * `between`: later, and until then nothing that is kept gets into a log.
 */
export interface Moment {
  readonly at: 'before' | 'between' | 'later' | 'time';
  readonly run: number;
  readonly step: number;
  readonly after: number;
}

const lines = ['one', 'two', 'free', 'three', 'four', 'five'];
const add = (...list: readonly string[]) => ({ call: list.map((line) => ({ tool: 'add', args: { line } })) });

const files: Readonly<Record<string, string | object>> = {
  'policy.yaml': {
    version: 1,
    default: 'needs_approval',
    capabilities: {
      'ledger.add': [
        { decision: 'needs_approval', except: { line: 'free' } },
        { decision: 'pre_approved', match: { line: 'free' } },
      ],
      'code.load': 'pre_approved',
      'worker.call': 'pre_approved',
    },
  },
  'main.worker': `${JSON.stringify({ toolsets: { './ledger.mjs': {}, helper: {} } })}\n---\nWork.\n`,
  'helper.worker': `${JSON.stringify({ toolsets: { './ledger.mjs': {} } })}\n---\nHelp.\n`,
  'script.yaml': {
    main: [
      add('one', 'two'),
      { call: [{ tool: 'helper', args: { input: 'go' } }, ...add('three').call] },
      { say: 'done' },
    ],
    helper: [add('four', 'free'), add('five'), { say: 'helped' }],
  },
  'ledger.mjs': `
import { appendFileSync } from 'node:fs';
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
        appendFileSync(new URL('./ledger.txt', import.meta.url), line + '\\n');
        return 'added';
      },
    },
  ],
};
`,
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
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-pair-')));
    const root = join(folder, 'work');
    mkdirSync(root);
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
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
    const file = join(this.root, 'ledger.txt');
    const done = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
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
