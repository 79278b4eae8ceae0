import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptAnswer } from '@ambit/core';
import { openStateFolder, openStore, type Question, type Store, type StoredAnswer } from '@ambit/runtime';
import type { AskedQuestion, StoredRun } from '../../../../runtime/src/store/store.js';
import { ambit, folderOf, type Ran } from '../../host.js';
import { question } from '../../questions/question.js';

/** A working folder with a store, as a run leaves it. */
export class StoredPlace {
  readonly folder = folderOf();
  readonly root = join(this.folder, 'work');
  readonly environment = { AMBIT_HOME: join(this.folder, 'state'), HOME: this.folder };

  constructor() {
    mkdirSync(this.root);
  }

  async filled(fill: (store: Store) => Promise<unknown>): Promise<void> {
    const store = await openStore(await openStateFolder(this.environment, this.root));
    await fill(store);
    await store.close();
  }

  async read<T>(look: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore(await openStateFolder(this.environment, this.root));
    try {
      return await look(store);
    } finally {
      await store.close();
    }
  }

  /** Approving takes a terminal. */
  ambit(...argv: readonly string[]): Promise<Ran> {
    const isTerminal = argv.includes('approve');
    return ambit(argv, { folder: this.root, environment: this.environment, isTerminal });
  }
}

export function asked(id: string, changes: Partial<Question> = {}, digest = 'd'.repeat(64)): AskedQuestion {
  return { run: 'r1', question: { ...question, id, ...changes }, digest, asked: Date.UTC(2026, 10, 21, 10) };
}

export function storedRun(id: string, changes: Partial<StoredRun> = {}): StoredRun {
  return {
    id,
    begun: Date.UTC(2026, 10, 21, 9),
    worker: 'orchestrator',
    mode: 'interactive',
    log: '/w/.ambit/log/r1.jsonl',
    // No process has such a number.
    pid: 2 ** 30,
    options: {},
    ...changes,
  };
}

export function keptAnswer(approval: string, changes: Partial<KeptAnswer> = {}): StoredAnswer {
  return {
    answer: {
      source: 'kept',
      approval,
      person: 'ada',
      chain: ['orchestrator', 'evaluator'],
      tool: 'filesystem.write_file',
      args: { path: 'out/a.md', content: 'x' },
      shown: [{ name: 'fs.write', path: '/work/out/a.md', bytes: 1 }],
      policies: ['policy.yaml'],
      remember: 'always',
      reach: 'folder',
      ...changes,
    },
    run: 'r1',
    at: Date.UTC(2026, 10, 21, 10),
    tool: 'aa',
    policies: ['bb'],
    revoked: null,
  };
}
