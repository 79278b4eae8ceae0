import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { withLock } from './lock.mjs';
import { runQuietly } from './process.mjs';
import { buildFolder, isBuilt, outputs, sources } from './workspace.cjs';

/** Installs and builds what is not up to date. Processes that want this at the same time take turns. */
export async function build(say) {
  mkdirSync(buildFolder, { recursive: true });
  await withLock(join(buildFolder, 'lock'), say, async () => {
    bootstrap(say);
    if (isBuilt()) return;
    say('building');
    const stamp = join(buildFolder, 'stamp');
    rmSync(stamp, { force: true });
    // Before the build, so that a file that is saved during it is built the next time.
    const read = sources();
    await runQuietly('turbo', ['run', 'build', '--output-logs=new-only', '--ui=stream']);
    writeFileSync(stamp, `${read}\n${outputs()}`);
  });
}
