import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { checkPolicies, type ToolsetDefinition } from '@ambit/analysis';
import { counted, printable, printableLines } from '@ambit/core';
import { type Diagnostic, formatDiagnostics } from '@ambit/policy';
import {
  configurationFile,
  folderProblems,
  loadConfiguration,
  loadWorkers,
  outsideRoots,
  overlapProblems,
  realHome,
  type WorkerDefinition,
  wholeFile,
} from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, isFolder, print } from '../../host.js';
import { foldersOf } from '../given/pairs.js';
import { policyWorld } from '../given/policies.js';
import { givenToolsets } from '../given/toolsets.js';
import type { OptionsOf } from '../table/table.js';
import { watched } from './watched.js';

export function check(host: Host, files: readonly string[], options: OptionsOf<'check'>): Promise<Exit> {
  return watched(host, files, { ...options, work: (at) => checkFiles(at, files, options) });
}

/** Each file by itself with what it extends. */
async function checkFiles(
  host: Host,
  files: readonly string[],
  { toolset: modules, folder, json }: OptionsOf<'check'>,
): Promise<Exit> {
  const toolsets = await givenToolsets(host, modules);
  const folders = foldersOf(host, folder);
  const workers = new Map<string, WorkerDefinition>();
  const results: Checked[] = [];
  for (const file of files) {
    const result = await checkFile(host, file, { toolsets, folders, workers });
    results.push(result);
    if (json !== true) await print(host, formatChecked(result));
  }
  const [unknown] = results.every(({ ok }) => ok)
    ? folderProblems({ workers, problems: [] }, { folders })
    : [];
  if (unknown !== undefined) throw new UnusableError(unknown.message, unknown.help);
  if (json) await print(host, { files: results });
  if (results.some(({ ok }) => !ok)) return exits.unusable;
  return results.some(({ diagnostics }) => diagnostics.length > 0) ? exits.bad : exits.done;
}

interface Checked {
  readonly file: string;
  /** Whether it loads, with all that it extends. */
  readonly ok: boolean;
  readonly rules: number;
  readonly examples: number;
  readonly invariants: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly notes: readonly string[];
}

interface Given {
  readonly folders: Readonly<Record<string, string>>;
  /** Every worker that was loaded, by its file. */
  readonly workers: Map<string, WorkerDefinition>;
}

async function checkFile(
  host: Host,
  file: string,
  of: Given & { readonly toolsets: readonly ToolsetDefinition[] },
): Promise<Checked> {
  const nothing = { rules: 0, examples: 0, invariants: 0, notes: [] };
  if (file.endsWith('.worker')) {
    const { diagnostics, notes } = await checkedWorker(host, file, of);
    return { file, ok: diagnostics.length === 0, ...nothing, diagnostics, notes };
  }
  if (basename(file) === configurationFile) {
    const diagnostics = await configurationDiagnostics(host, file);
    if (diagnostics !== null) return { file, ok: diagnostics.length === 0, ...nothing, diagnostics };
  }
  const { ok, rules, examples, invariants, diagnostics, warnings } = await checkPolicies(
    [file],
    await policyWorld(host, {}),
    { now: Date.now(), toolsets: of.toolsets },
  );
  const notes = ok || !file.endsWith('.test.yaml') ? [] : [`this is a suite: ${host.program} test ${file}`];
  return { file, ok, rules, examples, invariants, diagnostics: [...diagnostics, ...warnings], notes };
}

async function checkedWorker(
  host: Host,
  file: string,
  { folders, workers: all }: Given,
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly notes: readonly string[] }> {
  const root = await realpath(host.folder);
  if (await isFolder(host, file)) return { diagnostics: [wholeFile(file, folderProblem)], notes: [] };
  const { problems, workers } = await loadWorkers(resolve(host.folder, file), { root, shared: [] });
  for (const worker of workers.values()) all.set(worker.file, worker);
  const world = { options: { folders }, root, home: realHome(host.environment) };
  const found = problems.length > 0 ? problems : await overlapProblems(workers.values(), world);
  const diagnostics = found.map((problem) => problem.diagnostic ?? wholeFile(file, problem));
  const outside = diagnostics.length > 0 ? [] : await outsideRoots(workers.values(), world);
  return { diagnostics, notes: outside.map(outsideInWords) };
}

const folderProblem = {
  code: 'CANNOT_READ',
  message: 'it is a folder, not a regular file',
  help: 'a worker is a regular file NAME.worker',
};

function outsideInWords({ root: { at, name }, folder }: Awaited<ReturnType<typeof outsideRoots>>[number]) {
  return `${at} the root \`${name}\` lies outside the working folder: ${folder}
help: its files are \`fs.read.outside\` and the like, unless \`run\` is given --folder ${name}=DIR`;
}

/** Null for a policy, which may have any file name. */
async function configurationDiagnostics(host: Host, file: string): Promise<readonly Diagnostic[] | null> {
  const folder = dirname(resolve(host.folder, file));
  const { sha256, problems } = await loadConfiguration(folder);
  if (sha256 === null && problems.length === 0) return null;
  return problems.map((problem) => ({ ...(problem.diagnostic ?? wholeFile(file, problem)), file }));
}

function formatChecked({ file, ok, rules, examples, invariants, diagnostics, notes }: Checked): string {
  const all = [
    ...(diagnostics.length === 0 ? [] : [formatDiagnostics(diagnostics)]),
    ...notes.map(printableLines),
  ];
  const found = all.map((one) => `${one}\n\n`).join('');
  if (ok && (file.endsWith('.worker') || (basename(file) === configurationFile && rules === 0)))
    return `${found}${printable(file)}: ok`;
  const counts = [
    counted(rules, 'rule'),
    ...(examples === 0 ? [] : [counted(examples, 'example')]),
    ...(invariants === 0 ? [] : [`${counted(invariants, 'invariant')} proved`]),
  ].join(', ');
  const state = diagnostics.length === 0 ? 'ok' : `loads, ${counted(diagnostics.length, 'finding')}`;
  return `${found}${printable(file)}: ${ok ? `${state}, ${counts}` : 'does not load'}`;
}
