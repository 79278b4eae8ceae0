import { type SpawnOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The program of this checkout, seen from `dist/`. */
export const ambitProgram = fileURLToPath(new URL('../../../bin/ambit', import.meta.url));

/** Runs the program from this checkout, as a user would. Resolves to its exit code; 128 and more for a signal. */
export function runAmbit(args: readonly string[], options: SpawnOptions): Promise<number> {
  const child = spawn(process.execPath, [ambitProgram, ...args], options);
  // A terminal sends Ctrl-C to both processes: `ambit` ends the run, and this process waits for it.
  const wait = () => undefined;
  const forward = () => child.kill('SIGTERM');
  process.on('SIGINT', wait).on('SIGTERM', forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('SIGINT', wait).off('SIGTERM', forward);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}
