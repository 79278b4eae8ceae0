import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The rows of one of the public case files beside the repository; null, with a message, if the file is
 * missing.
 */
export function readCases<Row>(name: string): readonly Row[] | null {
  const path = fileURLToPath(new URL(`../../../../shared/cases/${name}`, import.meta.url));
  if (!existsSync(path)) {
    console.warn(`${name} is not there, so its rows are not run: put it into ../shared/cases`);
    return null;
  }
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}
