import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bench } from './bench.mjs';
import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { deep } from './deep.mjs';
import { explore } from './explore.mjs';
import { house } from './house.mjs';
import { run, runQuietly } from './process.mjs';
import { pack } from './release/pack.mjs';
import { writeEvidence, writeVersions } from './release/release.mjs';
import { soak } from './soak.mjs';
import { test } from './test.mjs';
import { words } from './words.mjs';
import { root } from './workspace.cjs';

const say = (line) => process.stderr.write(`ambit: ${line}\n`);
const [task, ...args] = process.argv.slice(2);

const tasks = {
  start: async () => {
    await build(say);
    const program = join(root, 'packages/examples/dist/pitchdeck.js');
    // In this process, so that the example owns the terminal: prompts, signals and exit code are its own.
    process.argv.splice(1, process.argv.length, program, ...args);
    await import(pathToFileURL(program).href);
  },
  test: () => test(args, say),
  'test:deep': async () => {
    const parts = {
      explore,
      compare: (...given) => deep('compare', ...given),
      outputs: (...given) => deep('outputs', ...given),
    };
    const names = args.length === 0 ? Object.keys(parts) : args.filter((name) => Object.hasOwn(parts, name));
    const lines = args.filter((name) => !Object.hasOwn(parts, name));
    if (lines.length > 0 && !names.some((name) => name !== 'explore'))
      throw new Error(`no part ${lines[0]}: ${Object.keys(parts).join(', ')}`);
    await build(say);
    const codes = [];
    for (const name of names) {
      await parts[name](say, lines);
      codes.push(process.exitCode ?? 0);
    }
    process.exitCode = Math.max(...codes);
  },
  build: async () => {
    await build(say);
    await runQuietly('tsc', ['-b', 'tsconfig.build.json']);
  },
  // Tarballs as a registry would get them, in `tarballs` or in the folder that is named.
  pack: async () => {
    await tasks.build();
    const tarballs = pack(resolve(args[0] ?? join(root, 'tarballs')));
    process.stdout.write(`${tarballs.join('\n')}\n`);
    return tarballs;
  },
  // Versions, changelogs, tarballs, SBOM and digests. It publishes nothing.
  release: async () => {
    bootstrap(say);
    say(`version ${writeVersions()}`);
    const tarballs = await tasks.pack();
    writeEvidence(dirname(tarballs[0]), tarballs);
  },
  typecheck: () => only('tsc', ['--noEmit', '--pretty', '-p', 'tsconfig.json']),
  lint: async () => {
    await only('biome', ['check', ...args]);
    await only('oxlint', ['--type-aware']);
    words();
  },
  format: () => only('biome', ['check', '--write', ...args]),
  house: () => house(args),
  bench: async () => {
    await build(say);
    await bench(args, say);
  },
  soak: async () => {
    await build(say);
    await soak(args, say);
  },
};

async function only(command, commandArgs) {
  bootstrap(say);
  const code = await run(command, commandArgs);
  if (code !== 0) process.exitCode = code;
}

try {
  if (!Object.hasOwn(tasks, task))
    throw new Error(`no task ${task}: one of ${Object.keys(tasks).join(', ')}`);
  await tasks[task]();
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
