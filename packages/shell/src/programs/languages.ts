import { textOf, unknown, type Word } from '../word.js';
import type { Around, Effects } from './effects.js';
import * as archives from './language/archives.js';
import { readAwk, readAwkOperand } from './language/awk.js';
import { readCommand, readCommandWithMore, readPacker } from './language/command.js';
import * as curl from './language/curl.js';
import * as filters from './language/filters.js';
import * as git from './language/git.js';
import * as names from './language/names.js';
import { readSed } from './language/sed.js';
import * as hosts from './language/small.js';
import * as small from './language/small.js';
import { readSqlite, readSqliteFile } from './language/small.js';
import * as uploads from './language/uploads.js';
import { inFolder } from './words.js';

/** The effects of a text in a language, or the reason why they are unknown. */
export type Language = (text: Word, around: Around) => Effects;

/** Languages that are read here, by their names after `code:` in the table. */
export const languages: Readonly<Record<string, Language>> = {
  '7z-archive': archives.readArchive('.7z'),
  '7z-member': archives.readMember,
  '7z-name': archives.readArchiveChanged('.7z'),
  'at-file': curl.readAtFile,
  'at-operand': names.readAtOperand,
  awk: readAwk,
  'awk-operand': readAwkOperand,
  command: readCommand,
  'command-with-more': readCommandWithMore,
  'connect-to': curl.readConnectTo,
  'before-colon': uploads.readBeforeColon,
  cookie: curl.readCookie,
  'curl-format': curl.readFormat,
  'curl-output': uploads.readOutputName,
  'curl-upload': uploads.readUploaded,
  'curl-url': uploads.readUrl,
  'curl-target': uploads.readTarget,
  'git-format': git.readFormat,
  'name-at-file': uploads.readNameAtFile,
  off: git.readOff,
  'plain-operand': names.readPlainOperand,
  date: small.readDate,
  dns: hosts.readDns,
  form: curl.readForm,
  forward: hosts.readForward,
  'git-remote': git.readGitRemote,
  helper: git.readHelper,
  jq: filters.readJq,
  'man-page': names.readManualPage,
  mode: small.readMode,
  package: hosts.readPackage,
  packed: names.readPacked,
  packer: readPacker,
  pid: small.readPid,
  'pipe-or-file': names.readPipeOrFile,
  ps: small.readPs,
  resolve: curl.readResolve,
  sed: readSed,
  socket: names.readSocket,
  'socket-or-file': names.readSocketOrFile,
  sqlite: readSqlite,
  'sqlite-file': readSqliteFile,
  switch: git.readSwitch,
  sysctl: small.readSysctl,
  'tar-action': small.readTarAction,
  template: names.readTemplate,
  unpacked: names.readUnpacked,
  'yq-first': filters.readYqFirst,
  'yq-more': filters.readYqMore,
  'zip-archive': archives.readArchive('.zip'),
  'zip-log': archives.readZipLog,
  'zip-name': archives.readArchiveChanged('.zip'),
};

/** The longest supported text, in characters. */
const longest = 10_000;

/** The effects of a text in a language: code for its interpreter, if the language is not supported. */
export function code(language: string, written: Word | null, around: Around): Effects {
  const read = Object.hasOwn(languages, language) ? languages[language] : undefined;
  const known = written ?? unknown('?');
  if (read === undefined)
    return [{ kind: 'code', language, text: textOf(known), ...inFolder(around.folder) }];
  if ((textOf(known)?.length ?? 0) > longest) return 'the text is too long';
  return read(known, around);
}
