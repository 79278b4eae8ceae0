#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

/**
 * The entry of the program. Other programs start `decide` and `hook` for single calls: these have bundles of their own,
 * which load faster. A hook that a resident judge answers needs this file alone.
 */
const [, , ...argv] = process.argv;
const [command = ''] = argv;
try {
  if (!startedQuickly()) bundle<typeof import('./main.js')>('main.cjs').start(argv);
} catch {
  // 2 if a bundle is missing: most agents run a tool whose hook ends with another code.
  process.stderr.write('ambit: the installed program is damaged\nhint: install it again\n');
  process.exit(2);
}

function startedQuickly(): boolean {
  if (command !== 'decide' && command !== 'hook') return false;
  if (command === 'hook') {
    // Evaluated only here: it loads parts of Node that nothing else needs.
    const { start } = require('./ask-program.js') as typeof import('./ask-program.js');
    if (start(argv, () => quick().loadJudge())) return true;
  }
  if (command === 'decide') {
    const { start } = bundle<typeof import('./decide-program.js')>('decide.cjs');
    if (start(argv, (...given) => quick().wholeAnswers(...given))) return true;
  }
  return quick().start(argv);
}

function quick(): typeof import('./quick-program.js') {
  return bundle('quick.cjs');
}

/** A bundle beside this file, which the build made a function, with its V8 code cache. */
function bundle<Exports>(name: string): Exports {
  const path = join(__dirname, name);
  const code = readFileSync(path, 'latin1');
  const script = new Script(code, { filename: path, ...cacheFor(path, code) });
  const module = { exports: {} as Exports };
  const run = script.runInThisContext() as (...scope: readonly unknown[]) => void;
  // Modules of toolsets, and packages that few calls need, are imported as from this file.
  run(module.exports, require, module, path, __dirname, (key: string) => import(key));
  return module.exports;
}

/** V8 rejects a cache of another Node version. Of the code it compares the length: both end with a digest, too. */
function cacheFor(path: string, code: string): { readonly cachedData?: Buffer } {
  try {
    const kept = readFileSync(`${path}.cache`);
    return kept.toString('latin1', kept.length - 64) === code.slice(-64)
      ? { cachedData: kept.subarray(0, -64) }
      : {};
  } catch {
    return {};
  }
}
