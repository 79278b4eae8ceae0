import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Diagnostic } from '@ambit/policy';
import { loadWorkers, type Problem } from '@ambit/runtime';
import type { Host } from './host.js';

/** What is wrong with a worker's file and those of the workers that it calls. */
export async function workerDiagnostics(host: Host, file: string): Promise<readonly Diagnostic[]> {
  const root = await realpath(host.folder);
  const { problems } = await loadWorkers(resolve(host.folder, file), { root, shared: [] });
  return problems.map((problem) => problem.diagnostic ?? wholeFile(problem, file));
}

function wholeFile({ code, message, help }: Problem, file: string): Diagnostic {
  return {
    file,
    line: 1,
    column: 1,
    length: 0,
    code: code as Diagnostic['code'],
    message,
    help,
    excerpt: null,
  };
}
