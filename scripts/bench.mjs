import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run, runQuietly } from './process.mjs';
import { packageFolders, root } from './workspace.cjs';

/** Builds and runs every `bench/*.bench.ts` of the repository and its packages, or those whose path contains one of the given words. */
export async function bench(words, say) {
  let ran = 0;
  for (const folder of packageFolders()) {
    const cwd = join(root, folder);
    const inner = folder === 'bench' ? '.' : 'bench';
    if (!existsSync(join(cwd, inner))) continue;
    const names = readdirSync(join(cwd, inner)).filter((name) => name.endsWith('.bench.ts'));
    const chosen = names.filter(
      (name) =>
        words.length === 0 ||
        words.some((word) => `${folder}/${inner}/${name}`.replace('/./', '/').includes(word)),
    );
    if (chosen.length === 0) continue;
    const entries = chosen.map((name) => `${inner}/${name}`);
    await runQuietly(
      'tsup',
      [...entries, '--config', join(root, 'tsup.config.js'), '--out-dir', 'dist-bench'],
      {
        cwd,
      },
    );
    for (const name of chosen) {
      say(`${folder}/${inner}/${name}`.replace('/./', '/'));
      const code = await run('node', [`dist-bench/${name.replace(/\.ts$/, '.js')}`], { cwd });
      if (code !== 0) throw new Error(`${name} ended with exit code ${code}`);
      ran += 1;
    }
  }
  if (ran === 0) throw new Error('no bench matches');
}
