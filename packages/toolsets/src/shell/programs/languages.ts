import type { Effect } from '../effect.js';
import { textOf, type Word } from '../word.js';
import { readAwk, readAwkInclude, readAwkOperand } from './language/awk.js';
import { readCommaCommand, readCommand } from './language/command.js';
import * as files from './language/files.js';
import { readJq, readYqFirst, readYqMore } from './language/filters.js';
import * as git from './language/git.js';
import * as hosts from './language/hosts.js';
import * as modules from './language/modules.js';
import { readSed } from './language/sed.js';
import * as small from './language/small.js';
import { readSqlite } from './language/sqlite.js';
import * as told from './language/told.js';
import * as values from './language/values.js';
import { inFolder, unknown } from './words.js';

/** What a text makes its reader do, relative to a folder. */
export type Language = (text: Word, folder: Word | null) => readonly Effect[];

/** Languages that are read here, by the name that `code:` has in the table. */
export const languages: Readonly<Record<string, Language>> = {
  'apt-setting': modules.readAptSetting,
  'at-file': files.readAtFile,
  'at-operand': files.readAtOperand,
  awk: readAwk,
  bang: told.readBang,
  'awk-include': readAwkInclude,
  'awk-operand': readAwkOperand,
  'cargo-setting': modules.readCargoSetting,
  'cloud-operand': files.readCloudOperand,
  'comma-command': readCommaCommand,
  command: readCommand,
  'connect-to': hosts.readConnectTo,
  'bucket-from': files.readBucketFrom,
  'bucket-to': files.readBucketTo,
  cookie: files.readCookie,
  date: small.readDate,
  dc: told.readDc,
  dns: hosts.readDns,
  'ed-operand': files.readEdOperand,
  edited: hosts.readEdited,
  ffmpeg: files.readFfmpeg,
  finger: hosts.readFinger,
  form: files.readForm,
  formatter: modules.readModule,
  forward: hosts.readForward,
  'git-alias': git.readGitAlias,
  'git-path': git.readGitPath,
  'git-remote': git.readGitRemote,
  gdb: told.readGdb,
  helper: git.readHelper,
  'hg-setting': modules.readHgSetting,
  'http-item': hosts.readHttpItem,
  image: files.readImage,
  'image-out': files.readImageOut,
  'key-file': files.readKeyFile,
  'java-main': modules.readJavaMain,
  jq: readJq,
  less: told.readLess,
  'lua-module': modules.readModule,
  'lua-script': modules.readLuaScript,
  'lua-start': modules.readLuaStart,
  mode: small.readMode,
  mount: files.readMount,
  mounted: hosts.readMounted,
  'mount-option': files.readMountOption,
  mysql: told.readSql,
  name: small.readName,
  nginx: told.readNginx,
  'node-options': modules.readNodeOptions,
  'output-option': files.readOutputOption,
  package: modules.readPackage,
  'pandoc-format': modules.readPandocFormat,
  'perl-module': modules.readPerlModule,
  'php-setting': modules.readPhpSetting,
  pid: small.readPid,
  'pipe-or-file': files.readPipeOrFile,
  ps: small.readPs,
  psql: told.readSql,
  resolve: hosts.readResolve,
  'ruby-module': modules.readModule,
  'rustc-setting': modules.readRustcSetting,
  rpm: told.readRpm,
  sed: readSed,
  socat: hosts.readSocat,
  sqlite: readSqlite,
  'shell-start': values.readShellStart,
  'submodule-update': git.readSubmoduleUpdate,
  'svn-setting': modules.readSvnSetting,
  switch: git.readSwitch,
  sysctl: small.readSysctl,
  'tar-action': told.readTarAction,
  tftp: hosts.readTftp,
  unpacked: small.readUnpacked,
  'url-only': hosts.readUrlOnly,
  vim: told.readVim,
  'load-list': values.readLoadList,
  prompt: values.readPrompt,
  lessopen: values.readLessOpen,
  'less-options': values.readLessOptions,
  history: values.readHistory,
  trace: values.readTrace,
  'fzf-options': values.readFzfOptions,
  options: values.readOptions,
  'java-options': values.readJavaOptions,
  'python-warnings': values.readPythonWarnings,
  wget: modules.readWgetSetting,
  'yq-first': readYqFirst,
  'yq-more': readYqMore,
};

/** What a program's own language is for policies, where it is not known what its text does. */
const called: Readonly<Record<string, string>> = {
  command: 'sh',
  helper: 'sh',
  switch: 'sh',
  'git-alias': 'sh',
  less: 'sh',
  dc: 'sh',
  'tar-action': 'sh',
  'perl-module': 'perl',
  'ruby-module': 'ruby',
  'lua-module': 'lua',
  'node-options': 'js',
  psql: 'sql',
  mysql: 'sql',
};

/** The most characters of a text that is read here. */
const mostText = 10_000;

/** What text in a language does; an effect for the walker where the language is not read here. */
export function code(language: string, text: Word | null, folder: Word | null): readonly Effect[] {
  const read = Object.hasOwn(languages, language) ? languages[language] : undefined;
  const known = text ?? unknown('?');
  const isShort = (textOf(known)?.length ?? 0) < mostText;
  if (read !== undefined && isShort && (text !== null || !Object.hasOwn(called, language)))
    return read(known, folder);
  const name = Object.hasOwn(called, language) ? (called[language] ?? language) : language;
  return [{ kind: 'code', language: name, text, ...inFolder(folder) }];
}
