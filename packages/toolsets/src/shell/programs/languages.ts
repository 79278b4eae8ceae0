import type { Effect } from '../effect.js';
import type { Word } from '../word.js';
import { readCommand } from './language/command.js';
import { inFolder } from './words.js';

/** What a text makes its reader do, relative to a folder. */
export type Language = (text: Word, folder: Word | null) => readonly Effect[];

/** Languages that are read here, by the name that `code:` has in the table. */
const languages: Readonly<Record<string, Language>> = { command: readCommand };

/** What text in a language does; an effect for the walker where the language is not read here. */
export function code(language: string, text: Word | null, folder: Word | null): readonly Effect[] {
  const read = Object.hasOwn(languages, language) ? languages[language] : undefined;
  if (read !== undefined && text !== null) return read(text, folder);
  return [{ kind: 'code', language: language === 'command' ? 'sh' : language, text, ...inFolder(folder) }];
}
