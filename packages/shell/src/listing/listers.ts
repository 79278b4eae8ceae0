import type { Lister } from '../programs/reading.js';
import { checksums } from './checksums.js';
import { gitListers } from './git/git.js';
import { npmPack, npmPublish } from './npm/pack.js';
import {
  cpio,
  objects,
  packOrUnpack,
  tar,
  uncompressed,
  uncompressedIf,
  unzip,
} from './programs/archives.js';
import { cp, install, ln, mv, rm, rsync } from './programs/cp.js';
import { fd } from './programs/fd.js';
import { find } from './programs/find.js';
import { grep, grepWith } from './programs/grep.js';
import { dir, du, ls, tree } from './programs/ls.js';
import { mktemp } from './programs/mktemp.js';
import { nodeCheck } from './programs/node.js';
import { patch } from './programs/patch.js';
import { basename, dirname, which } from './programs/path-parts.js';
import { csplit, split } from './programs/pieces.js';
import { ack, ag, astGrep, rg, tokei } from './programs/rg.js';

/**
 * By the names that `lists` has in the table of programs. A lister says what operands are, and for which
 * files the command of an option is run; what other options do is said by the table.
 */
export const listers: Readonly<Record<string, Lister>> = {
  ...gitListers,
  find: ({ words }, context) => find(words, context),
  grep,
  egrep: grepWith('-E'),
  fgrep: grepWith('-F'),
  ls,
  dir,
  tree,
  du,
  rm,
  cp,
  install,
  ln,
  mv,
  rsync,
  mktemp,
  patch,
  checksums,
  tar,
  'tar-archive': packOrUnpack,
  cpio,
  unzip,
  uncompressed,
  'uncompressed-if': uncompressedIf,
  objects,
  split,
  csplit,
  basename,
  dirname,
  which,
  rg,
  fd,
  ag,
  ack,
  'ast-grep': astGrep,
  tokei,
  'node-check': nodeCheck,
  'npm-pack': npmPack,
  'npm-publish': npmPublish,
};
