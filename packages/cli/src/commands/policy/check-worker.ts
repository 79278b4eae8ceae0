import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Diagnostic } from '@ambit/policy';
import { homeFolder, loadConfiguration, loadWorkers, outsideRoots, type Problem } from '@ambit/runtime';
import type { Host } from '../../host.js';
import { foldersOf } from '../given/pairs.js';

export async function checkedWorker(
  host: Host,
  file: string,
  folder: readonly string[],
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly notes: readonly string[] }> {
  const root = await realpath(host.folder);
  const { problems, workers } = await loadWorkers(resolve(host.folder, file), { root, shared: [] });
  const diagnostics = problems.map((problem) => problem.diagnostic ?? wholeFile(problem, file));
  const home = homeFolder(host.environment);
  const options = { folders: foldersOf(host, folder) };
  const world = { options, root, home: await realpath(home).catch(() => home) };
  const outside = diagnostics.length > 0 ? [] : await outsideRoots(workers.values(), world);
  return { diagnostics, notes: outside.map(outsideInWords) };
}

function outsideInWords({ root: { at, name }, folder }: Awaited<ReturnType<typeof outsideRoots>>[number]) {
  return `${at} the root \`${name}\` lies outside the working folder: ${folder}
help: its files are \`fs.read.outside\` and the like, unless \`run\` is given --folder ${name}=DIR`;
}

/** Null for a policy, which may have any name. */
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
