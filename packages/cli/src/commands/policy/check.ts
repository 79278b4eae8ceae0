import { basename } from 'node:path';
import { checkPolicies, type ToolsetDefinition } from '@ambit/analysis';
import { jsonText, printable, printableLines } from '@ambit/core';
import { type Diagnostic, formatDiagnostics } from '@ambit/policy';
import { configurationFile } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { policyWorld } from '../given/policies.js';
import { givenToolsets } from '../given/toolsets.js';

/** Each file by itself with what it extends. */
export async function check(
  host: Host,
  files: readonly string[],
  {
    toolset: modules = [],
    folder = [],
    json = false,
  }: { readonly toolset?: readonly string[]; readonly folder?: readonly string[]; readonly json?: boolean },
): Promise<Exit> {
  const toolsets = await givenToolsets(host, modules);
  const results: Checked[] = [];
  for (const file of files) {
    const result = await checked(host, file, { toolsets, folder });
    results.push(result);
    if (!json) await write(host.stdout, `${inWords(result)}\n`);
  }
  if (json) await write(host.stdout, `${jsonText({ files: results })}\n`);
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

async function checked(
  host: Host,
  file: string,
  {
    toolsets,
    folder,
  }: { readonly toolsets: readonly ToolsetDefinition[]; readonly folder: readonly string[] },
): Promise<Checked> {
  const nothing = { rules: 0, examples: 0, invariants: 0, notes: [] };
  if (file.endsWith('.worker')) {
    const { checkedWorker } = await import('./check-worker.js');
    const { diagnostics, notes } = await checkedWorker(host, file, folder);
    return { file, ok: diagnostics.length === 0, ...nothing, diagnostics, notes };
  }
  if (basename(file) === configurationFile) {
    const { configurationDiagnostics } = await import('./check-worker.js');
    const diagnostics = await configurationDiagnostics(host, file);
    if (diagnostics !== null) return { file, ok: diagnostics.length === 0, ...nothing, diagnostics };
  }
  const { ok, rules, examples, invariants, diagnostics, warnings } = await checkPolicies(
    [file],
    await policyWorld(host, {}),
    { now: Date.now(), toolsets },
  );
  return { file, ok, rules, examples, invariants, diagnostics: [...diagnostics, ...warnings], notes: [] };
}

function inWords({ file, ok, rules, examples, invariants, diagnostics, notes }: Checked): string {
  const all = [
    ...(diagnostics.length === 0 ? [] : [formatDiagnostics(diagnostics)]),
    ...notes.map(printableLines),
  ];
  const found = all.map((one) => `${one}\n\n`).join('');
  if (ok && (file.endsWith('.worker') || (basename(file) === configurationFile && rules === 0)))
    return `${found}${printable(file)}: ok`;
  const counts = [
    count(rules, 'rule'),
    ...(examples === 0 ? [] : [count(examples, 'example')]),
    ...(invariants === 0 ? [] : [`${count(invariants, 'invariant')} proved`]),
  ].join(', ');
  const state = diagnostics.length === 0 ? 'ok' : `loads, ${count(diagnostics.length, 'finding')}`;
  return `${found}${printable(file)}: ${ok ? `${state}, ${counts}` : 'does not load'}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
