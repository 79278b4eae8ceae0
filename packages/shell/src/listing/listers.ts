import { hyphenated } from '@ambit/core';
import type { Lister } from '../programs/reading.js';
import { checksums } from './checksums.js';
import { gitListers } from './git/git.js';
import * as packing from './npm/pack.js';
import * as archives from './programs/archives.js';
import * as files from './programs/file-operations.js';
import * as folders from './programs/ls.js';
import { mktemp } from './programs/mktemp.js';
import { nodeCheck } from './programs/node.js';
import { patch } from './programs/patch.js';
import { basename, dirname, which } from './programs/path-parts.js';
import * as pieces from './programs/pieces.js';
import { fd } from './search/fd.js';
import { find } from './search/find.js';
import { grep, grepWith } from './search/grep.js';
import * as searching from './search/rg.js';

const named: Readonly<Record<string, Lister>> = {
  ...archives,
  ...files,
  ...folders,
  ...packing,
  ...pieces,
  ...searching,
  basename,
  checksums,
  dirname,
  egrep: grepWith('-E'),
  fd,
  fgrep: grepWith('-F'),
  find: ({ words }, context) => find(words, context),
  grep,
  mktemp,
  nodeCheck,
  patch,
  which,
};

/**
 * By the names that `lists` has in the table of programs. A lister says what operands are, and for which
 * files the command of an option is run; what other options do is said by the table.
 */
export const listers: Readonly<Record<string, Lister>> = {
  ...gitListers,
  ...Object.fromEntries(Object.entries(named).map(([key, lister]) => [hyphenated(key), lister])),
};
