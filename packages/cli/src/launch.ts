#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

/**
 * The entry of the program. Other programs start `decide` for single calls, so it is one bundle beside this,
 * with V8's compiled code from the build. Everything else is the whole program.
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

/** As Node wraps a file; `scripts/cache-code.mjs` does the same, so its cache fits. */
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
