import { makeSigningKey, openStateFolder, printable, signingKeyFile } from '@ambit/runtime';
import { type Exit, exits } from '../../failure.js';
import { type Host, write } from '../../host.js';
import { jsonText } from '../../view/json-text.js';

/** The key that signs the logs of this folder, made at the first call; prints the half that is for others. */
export async function logKey(host: Host, { json = false }: { readonly json?: boolean }): Promise<Exit> {
  const state = await openStateFolder(host.environment, host.folder);
  const { key, isNew } = await makeSigningKey(state);
  const { text, name, id } = key.verifier;
  const file = signingKeyFile(state);
  if (json) {
    await write(host.stdout, `${jsonText({ key: text, name, id, file, made: isNew })}\n`);
    return exits.done;
  }
  const told = isNew
    ? [
        `A key was made, ${file}`,
        'The logs of this folder are signed with it from now on. Others verify them with:',
      ]
    : [`The key of this folder is ${file}`, 'Others verify its logs with:'];
  await write(host.stderr, told.map((line) => `${printable(line)}\n`).join(''));
  await write(host.stdout, `${text}\n`);
  return exits.done;
}
