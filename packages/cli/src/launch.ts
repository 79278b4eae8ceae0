#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

/**
 * Where the program begins. `decide` is started for single calls by other programs, so it lies beside this in one piece, with
 * what V8 made of it when it was built; everything else, and whatever is not plainly a call of `decide`, is the whole program.
 */
if (process.argv[2] !== 'decide' || !startDecide()) void import('./main.js');

/** False where the whole program has to read the arguments. */
function startDecide(): boolean {
  const path = join(__dirname, 'decide.cjs');
  const script = new Script(wrapped(readFileSync(path, 'latin1')), { filename: path, ...cacheFor(path) });
  const module = { exports: {} as { start?: (argv: readonly string[]) => boolean } };
  const run = script.runInThisContext() as (...scope: readonly unknown[]) => void;
  run(module.exports, require, module, path, __dirname);
  return module.exports.start?.(process.argv.slice(2)) === true;
}

/** As Node wraps a file; `scripts/cache-code.mjs` does the same, so that what it keeps fits. */
function wrapped(code: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${code}\n})`;
}

/** Of another version of Node it is refused by V8, and the file is compiled as any other is. */
function cacheFor(path: string): { readonly cachedData?: Buffer } {
  try {
    return { cachedData: readFileSync(`${path}.cache`) };
  } catch {
    return {};
  }
}
