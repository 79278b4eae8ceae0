import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { makeFolder, readRegular } from '@ambit/audit';
import { errorCode, jsonText, printable, shellWord } from '@ambit/core';
import {
  type Preset,
  type Project,
  policySchema,
  presetNames,
  presets,
  readProject,
  schemaFile,
  starterPolicy,
  starterSuite,
} from '@ambit/policy';
import { UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import { isAtTerminal } from '../../questions/person.js';
import { looksOf, wrapped } from '../../view/text.js';
import type { OptionsOf } from '../table/table.js';
import { writeNew } from './new-file.js';

export async function init(host: Host, folder: string, options: OptionsOf<'init'>): Promise<void> {
  const { toolset: name, json } = options;
  if (name === undefined) return initPolicy(host, folder, options);
  return (await import('./toolset.js')).initToolset(host, folder, { name, json });
}

/**
 * Writes a starter policy, its suite and its schema; never over an existing file. Asks for the preset at a terminal.
 */
async function initPolicy(
  host: Host,
  folder: string,
  { preset: given, json }: OptionsOf<'init'>,
): Promise<void> {
  const [name, suiteName] = [join(folder, 'policy.yaml'), join(folder, 'policy.test.yaml')];
  const schemaName = join(folder, schemaFile);
  const [file, suite] = [resolve(host.folder, name), resolve(host.folder, suiteName)];
  const schema = resolve(host.folder, schemaName);
  if ((await readOptionalText(file)) !== null) throw existsError(host, name);
  const project = await projectIn(host, folder);
  const preset = given ?? (await chosen(host));
  await makeFolder(resolve(host.folder, folder));
  if (!(await writeNew(file, starterPolicy(preset, project)))) throw existsError(host, name);
  const besides = [
    [suiteName, ', its suite', await writeNew(suite, starterSuite(preset, project))],
    [schemaName, ', for editors', await writeNew(schema, `${jsonText(policySchema(), 2)}\n`)],
  ] as const;
  const word = printable(shellWord(name));
  const text = [
    `wrote ${printable(name)}, preset ${preset}${given === undefined ? ' (--preset chooses another)' : ''}`,
    ...besides.map(([one, what, isNew]) =>
      isNew ? `wrote ${printable(one)}${what}` : `${printable(one)} already exists; it is not replaced`,
    ),
    `next: ${host.program} check ${word}`,
    `      ${host.program} test ${printable(shellWord(suiteName))}`,
    `      ${host.program} show --policy ${word}`,
    `      ${host.program} run --policy ${word} WORKER`,
    `      ${host.program} trust ${word}, then ${host.program} hook install CLIENT, for a coding agent`,
  ];
  await print(host, json ? { file, suite, schema, preset } : text.join('\n'));
}

function existsError(host: Host, name: string): UnusableError {
  return new UnusableError(
    `${name} already exists; it is not replaced`,
    `${host.program} check ${shellWord(name)}`,
  );
}

async function projectIn(host: Host, folder: string): Promise<Project> {
  const project = await readProject((file) => readOptionalText(resolve(host.folder, folder, file)));
  if (!('file' in project)) return project;
  const { file, line, column, message } = project;
  throw new UnusableError(
    `${join(folder, file)}:${line}:${column}: ${message}`,
    'fix it, so that the policy can name its scripts; nothing was written',
  );
}

async function chosen(host: Host): Promise<Preset> {
  const usual = presetNames[0] as Preset;
  if (!isAtTerminal(host)) return usual;
  const { width } = looksOf(host.stderr, host.environment);
  const rows = presetNames.flatMap((name, index) =>
    wrapped(presets[name], width, `  ${index + 1}  ${name.padEnd(9)} `),
  );
  await write(host.stderr, `Which policy?\n${rows.join('\n')}\n`);
  const lines = createInterface({ input: host.stdin, output: host.stderr });
  let isOpen = true;
  lines.once('close', () => {
    isOpen = false;
  });
  try {
    lines.setPrompt(`number or name [${usual}]: `);
    lines.prompt();
    for await (const line of lines) {
      const answer = line.trim();
      const preset = presetNames.find((name, index) => [name, String(index + 1)].includes(answer));
      if (answer === '' || preset !== undefined) return preset ?? usual;
      // Lines may wait after the terminal closed; newer versions of Node throw if asked for more.
      if (isOpen) lines.prompt();
    }
    throw new UnusableError('no preset was chosen; nothing was written', `--preset ${usual}`);
  } finally {
    lines.close();
  }
}

/** Null if it is missing. */
async function readOptionalText(path: string): Promise<string | null> {
  try {
    return (await readRegular(path)).toString('utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}
