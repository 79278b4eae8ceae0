import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const abandonedAfterMs = 10 * 60_000;

/** Runs `work` while holding the lock folder at `path`; waits while another living process holds it. */
export async function withLock(path, say, work) {
  let told = false;
  while (!take(path)) {
    if (isAbandoned(path)) clear(path);
    else {
      if (!told) say('waiting for another build to finish');
      told = true;
      await sleep(100);
    }
  }
  const release = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function take(path) {
  const mine = `${path}.${process.pid}`;
  mkdirSync(mine, { recursive: true });
  writeFileSync(join(mine, 'pid'), String(process.pid));
  try {
    // A rename onto a folder that is not empty fails, so the lock never exists without its owner in it.
    renameSync(mine, path);
    return true;
  } catch {
    rmSync(mine, { recursive: true, force: true });
    return false;
  }
}

function isAbandoned(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > abandonedAfterMs) return true;
    process.kill(Number(readFileSync(join(path, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Only one process clears, and looks again before it does: the lock may have a new owner since. */
function clear(path) {
  const guard = `${path}.clearing`;
  try {
    mkdirSync(guard);
  } catch {
    const stat = statSync(guard, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > 10_000) rmSync(guard, { recursive: true, force: true });
    return;
  }
  if (isAbandoned(path)) rmSync(path, { recursive: true, force: true });
  rmSync(guard, { recursive: true, force: true });
}
