import { existsSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Removes a folder with a state folder. A resident judge that is just starting may write into it; then it ends. */
export async function removeWhole(folder: string): Promise<void> {
  for (let tries = 0; existsSync(folder); tries += 1)
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (tries === 200) throw error;
      await wait(50);
    }
}
