import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from '@ambit/audit';
import { policySchema, schemaFile, starterPolicy } from '@ambit/policy';
import { printable } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../failure.js';
import { type Host, write } from '../host.js';
import { jsonText } from '../json-text.js';
import { shellWord } from '../shell-word.js';

/** Writes a starter policy, and beside it the schema that it names; neither over a file that is there. */
export async function init(
  host: Host,
  folder: string,
  { json = false }: { readonly json?: boolean },
): Promise<Exit> {
  const [name, schemaName] = [join(folder, 'policy.yaml'), join(folder, schemaFile)];
  const [file, schema] = [resolve(host.folder, name), resolve(host.folder, schemaName)];
  await makeFolder(resolve(host.folder, folder));
  if (!(await writeNew(file, starterPolicy())))
    throw new UnusableError(
      `${name} is there already, and stays as it is`,
      `${host.program} check ${shellWord(name)}`,
    );
  const isNew = await writeNew(schema, `${jsonText(policySchema(), 2)}\n`);
  const [shown, word] = [printable(name), printable(shellWord(name))];
  const beside = `${printable(schemaName)}${isNew ? ', for editors' : ' is there already, and stays as it is'}`;
  const text = `wrote ${shown}\n${isNew ? 'wrote ' : ''}${beside}\nnext: ${host.program} check ${word}\n      ${host.program} show --policy ${word}\n      ${host.program} run --policy ${word} WORKER\n`;
  await write(host.stdout, json ? `${jsonText({ file, schema })}\n` : text);
  return exits.done;
}

/** Whether the file was written: false where one of that name is there. */
async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}
