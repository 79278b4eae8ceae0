import type { Keeper, KeptAnswer } from '../../src/index.js';

/** Keeps answers as long as the test lives. */
export class MemoryKeeper implements Keeper {
  readonly answers: KeptAnswer[] = [];
  /** What each call of the keeper was about. */
  readonly looked: string[] = [];

  kept({ name }: Parameters<Keeper['kept']>[0]): Promise<readonly KeptAnswer[]> {
    this.looked.push(name);
    return Promise.resolve([...this.answers]);
  }

  keep(answer: KeptAnswer): Promise<void> {
    this.answers.push(answer);
    return Promise.resolve();
  }

  revokeAll(): void {
    this.answers.length = 0;
  }
}
