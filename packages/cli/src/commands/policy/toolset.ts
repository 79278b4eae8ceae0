import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder, writeWhole } from '@ambit/audit';
import { foldersUp, printable, printableLines, shellWord } from '@ambit/core';
import {
  checkModule,
  type ModuleCheck,
  type ModuleCheckOptions,
  problemWithName,
  starterToolset,
} from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, print } from '../../host.js';
import { version } from '../../version.js';
import { unloadable } from '../given/toolsets.js';
import type { OptionsOf } from '../table/table.js';
import { writeNew } from './new-file.js';

export async function toolsetCheck(
  host: Host,
  module: string,
  { runs, seed, execute = false, confine = false, json }: OptionsOf<'toolset check'>,
): Promise<Exit> {
  if (runs < 1) throw new UnusableError('--runs is at least 1');
  if (confine && !execute) throw new UnusableError('--confine goes with --execute');
  const { report, text } = await checkedModule(host, module, { runs, seed, execute, confine });
  await print(host, json ? report : text);
  return report.findings.length === 0 ? exits.done : exits.bad;
}

/** The table goes to stdout, or into the README. */
export async function toolsetDescribe(
  host: Host,
  module: string,
  { write: isWritten = false, json }: OptionsOf<'toolset describe'>,
): Promise<void> {
  const { report, table, path } = await checkedModule(host, module);
  const { toolset, tools } = report;
  const readme = isWritten ? { readme: await writeTable(path, printableLines(table)) } : {};
  const document = {
    toolset,
    tools: tools.map(({ tool, capabilities }) => ({ tool, capabilities })),
    ...readme,
  };
  const said = isWritten ? `wrote the table in ${printable(String(readme.readme))}` : printableLines(table);
  await print(host, json ? document : said);
}

async function writeTable(module: string, table: string): Promise<string> {
  const folder = dirname(module);
  const own = foldersUp(folder).find((at) => existsSync(join(at, 'package.json'))) ?? folder;
  const readme = join(own, 'README.md');
  const [head = ''] = table.split('\n', 1);
  const text = await readFile(readme, 'utf8').catch(() => null);
  if (text === null) throw new UnusableError(`there is no ${readme}`, `write one with the line ${head}`);
  const lines = text.split('\n');
  const tables = lines.flatMap((line, index) => (line.trimEnd() === head ? [index] : []));
  const [start] = tables;
  if (start === undefined || tables.length > 1)
    throw new UnusableError(
      `${readme} has ${tables.length === 0 ? 'no table' : 'several tables'} of its tools`,
      `it must have one line ${head}`,
    );
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  lines.splice(start, length === -1 ? lines.length : length, ...table.trimEnd().split('\n'));
  const file = await realpath(readme);
  await writeWhole(file, lines.join('\n'), { mode: (await stat(file)).mode & 0o777 });
  return readme;
}

/** Errors of the module itself count as bad input. */
async function checkedModule(
  host: Host,
  module: string,
  options: ModuleCheckOptions = {},
): Promise<ModuleCheck> {
  try {
    return await checkModule(module, host.folder, options);
  } catch (error) {
    // Without a path, a name is a package, whatever file exists here.
    const isFile =
      /^[^./]/.test(module) && (await stat(join(host.folder, module)).catch(() => null))?.isFile();
    const hint = isFile === true ? `did you mean ./${module}?` : null;
    throw unloadable(`${module} cannot be checked`, error, hint);
  }
}

/** Writes nothing if one of its files exists. */
export async function initToolset(
  host: Host,
  folder: string,
  { name, json }: { readonly name: string; readonly json: boolean | undefined },
): Promise<void> {
  const problem = problemWithName(name);
  if (problem !== null) throw new UnusableError(problem, 'for example: ambit init --toolset crm');
  const files = Object.entries(starterToolset(name, version));
  await makeFolder(resolve(host.folder, folder));
  const takenError = (file: string) =>
    new UnusableError(
      `${join(folder, file)} already exists; it is not replaced`,
      `name another folder: ambit init --toolset ${name} ${name}-toolset`,
    );
  const taken = files.find(([file]) => existsSync(resolve(host.folder, folder, file)));
  if (taken !== undefined) throw takenError(taken[0]);
  for (const [file, text] of files)
    if (!(await writeNew(resolve(host.folder, folder, file), text))) throw takenError(file);
  const written = files.map(([file]) => join(folder, file));
  const next = (await nextSteps(host, name, folder)).map(
    (step, index) => `${index === 0 ? 'next: ' : '      '}${step}\n`,
  );
  const said = `${written.map((file) => `wrote ${printable(file)}\n`).join('')}${next.join('')}`;
  await print(host, json ? { files: written.map((file) => resolve(host.folder, file)) } : said);
}

/** How to install the package. A program that was installed from files offers a workspace. */
async function nextSteps(host: Host, name: string, folder: string): Promise<readonly string[]> {
  const { project, tarballs } = await projectOfFiles();
  const place = project === null ? '' : relative(project, resolve(host.folder, folder));
  if (project === null || place === '' || place.startsWith('..'))
    return [`cd ${shellWord(folder)}`, 'npm install', 'npm test'];
  const prefix = project === resolve(host.folder) ? '' : ` --prefix ${shellWord(project)}`;
  return [
    ...(tarballs === null ? [] : [`npm${prefix} install ${shellWord(tarballs)}/*.tgz`]),
    `npm${prefix} pkg set ${shellWord(`workspaces[]=${place}`)}`,
    `npm${prefix} install`,
    `npm${prefix} test --workspace ${shellWord(`${name}-toolset`)}`,
  ];
}

/**
 * The folder of the npm project that installed this program from tarballs, or null; and the folder of the tarballs, if
 * it has only that of the program: a toolset needs the others.
 */
async function projectOfFiles() {
  const [folder = ''] = fileURLToPath(import.meta.url).split(`${sep}node_modules${sep}`);
  const lock = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8').catch(() => '{}');
  const { packages = {} } = JSON.parse(lock) as { packages?: Record<string, { resolved?: string }> };
  const isFile = (name: string) => packages[`node_modules/${name}`]?.resolved?.startsWith('file:') === true;
  if (!isFile('@ambit/cli')) return { project: null, tarballs: null };
  const program = packages['node_modules/@ambit/cli']?.resolved?.slice('file:'.length) ?? '';
  return { project: folder, tarballs: isFile('@ambit/core') ? null : resolve(folder, dirname(program)) };
}
