import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pack } from '../../scripts/release/pack.mjs';
import { isDeep } from '../depth.js';
import { root } from '../repository.js';
import { run } from './managers.js';

const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n');
const commands = lines.filter((line) => line.startsWith('RUN ')).map((line) => line.slice(4));

describe('the Dockerfile', () => {
  it('packs the checkout, and starts the program as an unprivileged user', () => {
    expect(commands[0]).toBe('npm run pack -- /tarballs');
    expect(lines).toContain('USER node');
    expect(lines).toContain('ENTRYPOINT ["ambit"]');
  });

  it.skipIf(!isDeep)(
    'installs a program that judges and runs workers',
    async () => {
      const place = mkdtempSync(join(tmpdir(), 'image-'));
      onTestFinished(() => rmSync(place, { recursive: true, force: true }));
      mkdirSync(join(place, 'work'));
      pack(join(place, 'tarballs'));
      const installing = (commands[1] ?? '').replace('--global', '--global --prefer-offline --prefix usr');
      const installed = await run(place, ['sh', '-c', installing.replace('/tarballs', './tarballs')]);
      expect(installed).toMatchObject({ exit: 0 });
      const work = join(place, 'work');
      const ambit = (...words: readonly string[]) => run(work, [join(place, 'usr/bin/ambit'), ...words]);
      expect(await ambit('init', '--preset', 'ci')).toMatchObject({ exit: 0 });
      expect(await ambit('test')).toMatchObject({ exit: 0 });
      writeFileSync(join(work, 'w.worker'), 'name: w\ntoolsets: {}\n---\nWork.\n');
      writeFileSync(join(work, 'script.yaml'), 'w:\n  - say: done\n');
      const words = ['--policy', 'policy.yaml', '--model', 'script:script.yaml', '--strict'];
      expect(await ambit('run', 'w.worker', ...words)).toMatchObject({ exit: 0, out: 'done\n' });
    },
    600_000,
  );
});
