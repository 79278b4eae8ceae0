import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from '@ambit/audit';
import { starterPolicy } from '@ambit/policy';
import { printable } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { shellWord } from '../shell-word.js';

export async function init(
  host: Host,
  folder: string,
  { json = false }: { readonly json?: boolean },
): Promise<Exit> {
  const name = join(folder, 'policy.yaml');
  const file = resolve(host.folder, name);
  await makeFolder(resolve(host.folder, folder));
  try {
    await writeFile(file, starterPolicy(), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UnusableError(
      `${name} is there already, and stays as it is`,
      `${host.program} check ${shellWord(name)}`,
    );
  }
  const [shown, word] = [printable(name), printable(shellWord(name))];
  const text = `wrote ${shown}\nnext: ${host.program} check ${word}\n      ${host.program} show --policy ${word}\n      ${host.program} run --policy ${word} WORKER\n`;
  await write(host.stdout, json ? `${jsonText({ file })}\n` : text);
  return exits.done;
}
