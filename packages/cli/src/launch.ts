#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

/**
 * The entry of the program. Other programs start `decide` and `hook` for single calls, so these are one bundle beside this, with
 * V8's compiled code from the build. Everything else is the whole program.
 */
const [, , command = ''] = process.argv;
// A hook that asks a resident judge needs a small part of the code.
const kind = command === 'hook' && process.argv.includes('--resident') ? 'resident' : command;
if ((command !== 'decide' && command !== 'hook') || !startQuickly()) void import('./main.js');

/** False where the whole program has to read the arguments. */
function startQuickly(): boolean {
  const path = join(__dirname, 'quick.cjs');
  const script = new Script(wrapped(readFileSync(path, 'latin1')), {
    filename: path,
    ...cacheFor(`${path}.${kind}.cache`),
  });
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
    return { cachedData: readFileSync(path) };
  } catch {
    return {};
  }
}
