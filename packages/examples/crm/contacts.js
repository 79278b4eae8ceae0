import { readFile, rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/** Where the contacts are kept: a file of the folder that the program works in. */
export const file = () => resolve('contacts.json');

/** @returns {Promise<{ name: string, email: string, notes: string[] }[]>} */
export async function readContacts() {
  try {
    return JSON.parse(await readFile(file(), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Puts the file in its place at once, so that nobody reads half of one. */
export async function writeContacts(contacts) {
  const draft = `${file()}.draft`;
  await writeFile(draft, `${JSON.stringify(contacts, null, 2)}\n`);
  await rename(draft, file());
}
