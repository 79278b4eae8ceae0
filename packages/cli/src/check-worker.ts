import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Diagnostic } from '@ambit/policy';
import { loadConfiguration, loadWorkers, type Problem } from '@ambit/runtime';
import type { Host } from './host.js';

/** What is wrong with a worker's file and those of the workers that it calls. */
export async function workerDiagnostics(host: Host, file: string): Promise<readonly Diagnostic[]> {
  const root = await realpath(host.folder);
  const { problems } = await loadWorkers(resolve(host.folder, file), { root, shared: [] });
  return problems.map((problem) => problem.diagnostic ?? wholeFile(problem, file));
}

/** What is wrong with the configuration of a project, `ambit.yaml`; null where the file is a policy, which may have any name. */
export async function configurationDiagnostics(
  host: Host,
  file: string,
): Promise<readonly Diagnostic[] | null> {
  const folder = dirname(resolve(host.folder, file));
  const { sha256, problems } = await loadConfiguration(folder);
  if (sha256 === null && problems.length === 0) return null;
  return problems.map((problem) => ({ ...(problem.diagnostic ?? wholeFile(problem, file)), file }));
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
