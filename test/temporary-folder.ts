import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The real path of a new folder, which is removed after the test. */
export function temporaryFolder(beginning = 'ambit-'): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), beginning)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
