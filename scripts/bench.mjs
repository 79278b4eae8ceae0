import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run, runQuietly } from './process.mjs';
import { packageFolders, root } from './workspace.mjs';

/** Builds and runs every `bench/*.bench.ts`, or those whose path contains one of the given words. */
export async function bench(words, say) {
  let ran = 0;
  for (const folder of packageFolders()) {
    const cwd = join(root, folder);
    if (!existsSync(join(cwd, 'bench'))) continue;
    const names = readdirSync(join(cwd, 'bench')).filter((name) => name.endsWith('.bench.ts'));
    const chosen = names.filter(
      (name) => words.length === 0 || words.some((word) => `${folder}/${name}`.includes(word)),
    );
    if (chosen.length === 0) continue;
    const entries = chosen.map((name) => `bench/${name}`);
    await runQuietly('tsup', [...entries, '--config', '../../tsup.config.js', '--out-dir', 'dist-bench'], {
      cwd,
    });
    for (const name of chosen) {
      say(`${folder}/bench/${name}`);
      const code = await run('node', [`dist-bench/${name.replace(/\.ts$/, '.js')}`], { cwd });
      if (code !== 0) throw new Error(`${name} ended with exit code ${code}`);
      ran += 1;
    }
  }
  if (ran === 0) throw new Error('no bench matches');
}
