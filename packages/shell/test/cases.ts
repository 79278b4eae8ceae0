import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = process.env.AMBIT_CASES ?? fileURLToPath(new URL('../../../../shared/cases', import.meta.url));

/** The rows of a file of public cases; an empty list if the folder is missing. */
export function casesOf<Kind>(name: string): readonly Kind[] {
  const file = `${folder}/${name}`;
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Kind);
}
