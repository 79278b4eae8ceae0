import { access, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from '@ambit/audit';
import { printable, problemWithName, starterToolset } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { version } from '../../version.js';
import { jsonText } from '../../view/json-text.js';
import { shellWord } from '../../view/shell-word.js';

/** Writes a starter package of a toolset into a folder; nothing where one of its files is there. */
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
  if (isThere) throw new UnusableError(`${file} is there already, and stays as it is`, 'name another folder');
}
