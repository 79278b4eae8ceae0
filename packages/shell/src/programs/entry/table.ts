// Programs that import the sources of this package find the types of YAML files through this reference.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./yaml.d.ts" />
import admin from '../../../programs/admin.yaml';
import archives from '../../../programs/archives.yaml';
import binaries from '../../../programs/binaries.yaml';
import comparing from '../../../programs/comparing.yaml';
import compilers from '../../../programs/compilers.yaml';
import compressors from '../../../programs/compressors.yaml';
import copying from '../../../programs/copying.yaml';
import databases from '../../../programs/databases.yaml';
import files from '../../../programs/files.yaml';
import filters from '../../../programs/filters.yaml';
import git from '../../../programs/git.yaml';
import gitChanges from '../../../programs/git-changes.yaml';
import gitExchange from '../../../programs/git-exchange.yaml';
import gitOptions from '../../../programs/git-options.yaml';
import interfaces from '../../../programs/interfaces.yaml';
import interpreters from '../../../programs/interpreters.yaml';
import languagePackages from '../../../programs/language-packages.yaml';
import listing from '../../../programs/listing.yaml';
import media from '../../../programs/media.yaml';
import network from '../../../programs/network.yaml';
import packages from '../../../programs/packages.yaml';
import pagers from '../../../programs/pagers.yaml';
import processes from '../../../programs/processes.yaml';
import reading from '../../../programs/reading.yaml';
import remote from '../../../programs/remote.yaml';
import runners from '../../../programs/runners.yaml';
import saying from '../../../programs/saying.yaml';
import searching from '../../../programs/searching.yaml';
import secrets from '../../../programs/secrets.yaml';
import services from '../../../programs/services.yaml';
import shells from '../../../programs/shells.yaml';
import system from '../../../programs/system.yaml';
import systemPackages from '../../../programs/system-packages.yaml';
import text from '../../../programs/text.yaml';
import users from '../../../programs/users.yaml';
import wrappers from '../../../programs/wrappers.yaml';
import type { ProgramTable } from './spec.js';

/** The files of `packages/shell/programs`, by their names. */
export const families: Readonly<Record<string, Family>> = {
  admin,
  archives,
  binaries,
  comparing,
  compilers,
  compressors,
  copying,
  databases,
  files,
  filters,
  git,
  interpreters,
  'language-packages': languagePackages,
  listing,
  media,
  network,
  packages,
  pagers,
  processes,
  reading,
  remote,
  saying,
  searching,
  secrets,
  shells,
  system,
  'system-packages': systemPackages,
  text,
  'git-changes': gitChanges,
  'git-options': gitOptions,
  runners,
  services,
  users,
  'git-exchange': gitExchange,
  interfaces,
  wrappers,
};

interface Family {
  readonly family: string;
  readonly programs: Readonly<Record<string, unknown>>;
}

/** The table of programs. A test checks the form of every entry; loading checks nothing. */
export const programs = Object.assign(
  {},
  ...Object.values(families).map((family) => family.programs),
) as ProgramTable;
