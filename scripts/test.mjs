import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { run, runQuietly } from './process.mjs';
import { words } from './words.mjs';
import { isInstalled } from './workspace.cjs';

/** Runs all checks and tests. The last line is `N passed, N failed`; a failing stage counts as one failed. */
export async function test(vitestArgs, say) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const problems = [];
  const stage = async (title, work) => {
    try {
      await work();
      return true;
    } catch (error) {
      problems.push(`${title}: ${error.message}`);
      count.failed += 1;
      return false;
    }
  };

  const built = await stage('build', () => build(say));
  if (built || isInstalled()) {
    say('declarations, then types and lint beside the tests');
    await stage('declarations', () => runQuietly('tsc', ['-b', 'tsconfig.build.json']));
    // Tests often wait for processes and disks, so the checks run beside them.
    await Promise.all([checks(stage), stage('tests', () => vitest(vitestArgs, count, inMemory))]);
  }

  // At the end, where a person sees them.
  for (const problem of problems) say(problem);
  printCount(count);
}

async function checks(stage) {
  await stage('words', () => words());
  await stage('types', () => runQuietly('tsc', ['--noEmit', '--pretty', '-p', 'tsconfig.json']));
  await stage('biome', () => runQuietly('biome', ['check']));
  await stage('oxlint', () => runQuietly('oxlint', ['--type-aware']));
}

/** Writes the last line, `N passed, N failed`, and decides the exit code. */
export function printCount({ passed, failed, skipped }) {
  process.exitCode = failed === 0 ? 0 : 1;
  const more = skipped === 0 ? '' : `, ${skipped} skipped`;
  process.stdout.write(`${passed} passed, ${failed} failed${more}\n`);
}

/**
 * Runs the tests and adds to `count`. Throws if the run failed outside the tests. `before` returns the words of a
 * command that gives vitest a folder for the files of the tests.
 */
export async function vitest(args, count, before = async () => []) {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-test-'));
  const file = join(folder, 'report.json');
  try {
    const [command, ...words] = [...(await before(folder)), 'vitest'];
    const code = await run(command, [
      ...words,
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...args,
    ]);
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const unloaded = report.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    count.passed += report.numPassedTests;
    count.failed += report.numFailedTests + unloaded.length;
    count.skipped += report.numPendingTests + report.numTodoTests;
    if (report.numPassedTests + report.numFailedTests === 0) throw new Error('no test ran');
    if (code !== 0 && report.numFailedTests + unloaded.length === 0)
      throw new Error(`vitest ended with exit code ${code}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A file system in memory that nobody else sees: on disks, the tests wait for each durable write. Only root may mount
 * one; the exploring tests and all others use the disk.
 */
async function inMemory(folder) {
  const files = join(folder, 'files');
  mkdirSync(files);
  // Some tests try what another user may do there.
  chmodSync(folder, 0o755);
  const mounting = 'mount -t tmpfs -o mode=1777 ambit "$0" && exec "$@"';
  const words = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', mounting, files];
  const isPermitted = process.getuid?.() === 0 && freemem() > 4 * 2 ** 30;
  if (!isPermitted) return [];
  try {
    await runQuietly(words[0], [...words.slice(1), 'true']);
    return [...words, 'env', `TMPDIR=${files}`];
  } catch {
    return [];
  }
}
