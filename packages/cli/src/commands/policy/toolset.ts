import { access, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from '@ambit/audit';
import { jsonText, printable, printableLines, shellWord } from '@ambit/core';
import {
  checkModule,
  type ModuleCheck,
  type ModuleCheckOptions,
  problemWithName,
  starterToolset,
} from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { version } from '../../version.js';

export interface ToolsetCheckOptions {
  readonly runs: number;
  readonly seed: number;
  readonly execute?: boolean;
  readonly confine?: boolean;
  readonly json?: boolean;
}

/** Checks the toolset of a module; returns 1 if it breaks a rule. */
export async function toolsetCheck(
  host: Host,
  module: string,
  { runs, seed, execute = false, confine = false, json = false }: ToolsetCheckOptions,
): Promise<Exit> {
  if (runs < 1) throw new UnusableError('--runs is at least 1');
  if (confine && !execute) throw new UnusableError('--confine goes with --execute');
  const { report, text } = await checkedModule(host, module, { runs, seed, execute, confine });
  await write(host.stdout, json ? `${jsonText(report)}\n` : text);
  return report.findings.length === 0 ? exits.done : exits.bad;
}

/** The table of the tools' reports of a module, in Markdown, for its README. */
export async function toolsetDescribe(
  host: Host,
  module: string,
  { json = false }: { readonly json?: boolean },
): Promise<Exit> {
  const { report, table } = await checkedModule(host, module);
  const { toolset, tools } = report;
  const document = { toolset, tools: tools.map(({ tool, capabilities }) => ({ tool, capabilities })) };
  await write(host.stdout, json ? `${jsonText(document)}\n` : printableLines(table));
  return exits.done;
}

/** A module that was loaded and checked. Its own errors, while it loads, are the reader's to mend: told as bad input is. */
async function checkedModule(
  host: Host,
  module: string,
  options: ModuleCheckOptions = {},
): Promise<ModuleCheck> {
  try {
    return await checkModule(module, host.folder, options);
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    // Without a path, a name is a package, whatever file exists here.
    const isFile =
      /^[^./]/.test(module) && (await stat(join(host.folder, module)).catch(() => null))?.isFile();
    throw new UnusableError(
      `${module} cannot be checked: ${why}`,
      isFile === true ? `did you mean ./${module}?` : null,
    );
  }
}

/** Writes a starter package of a toolset into a folder; nothing if one of its files exists. */
export async function initToolset(
  host: Host,
  { name, folder, json = false }: { readonly name: string; readonly folder: string; readonly json?: boolean },
): Promise<Exit> {
  const problem = problemWithName(name);
  if (problem !== null) throw new UnusableError(problem);
  const files = Object.entries(starterToolset(name, version));
  await makeFolder(resolve(host.folder, folder));
  for (const [file] of files) await requireFree(host, join(folder, file));
  for (const [file, text] of files) await writeFile(resolve(host.folder, folder, file), text, { flag: 'wx' });
  const written = files.map(([file]) => join(folder, file));
  const next = `next: cd ${shellWord(folder)}\n      npm install\n      npm test\n`;
  const said = `${written.map((file) => `wrote ${printable(file)}\n`).join('')}${next}`;
  await write(
    host.stdout,
    json ? `${jsonText({ files: written.map((file) => resolve(host.folder, file)) })}\n` : said,
  );
  return exits.done;
}

async function requireFree(host: Host, file: string): Promise<void> {
  const isThere = await access(resolve(host.folder, file)).then(
    () => true,
    () => false,
  );
  if (isThere) throw new UnusableError(`${file} already exists; it is not replaced`, 'name another folder');
}
