import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAt, runAt, type Workplace, worker, workplace } from '../session.js';

function checkout(): Workplace & { readonly beside: string } {
  const place = workplace({
    'policy.yaml': { version: 1, default: 'needs_approval' },
    'main.worker': worker(),
    'script.yaml': { main: [{ say: 'done' }] },
  });
  const beside = join(dirname(place.root), 'beside');
  mkdirSync(join(beside, 'log'), { recursive: true });
  return { ...place, beside };
}

const log = '.ambit/log/run.jsonl';

describe('a log below .ambit of the working folder', () => {
  it.each<readonly [string, (place: ReturnType<typeof checkout>) => void]>([
    ['.ambit', ({ beside, path }) => symlinkSync(beside, path('.ambit'))],
    [
      '.ambit/log',
      ({ beside, path }) => {
        mkdirSync(path('.ambit'));
        symlinkSync(join(beside, 'log'), path('.ambit/log'));
      },
    ],
    [
      log,
      ({ beside, path }) => {
        mkdirSync(path('.ambit/log'), { recursive: true });
        writeFileSync(join(beside, 'victim'), '');
        symlinkSync(join(beside, 'victim'), path(log));
      },
    ],
  ])('is refused if it is behind a link from a checkout: %s', async (way, bring) => {
    const place = checkout();
    bring(place);
    const before = readdirSync(place.beside, { recursive: true });
    expect(await openAt(place, { log: place.path(log) })).toMatchObject({
      ok: false,
      problems: [{ code: 'CANNOT_START', message: expect.stringContaining(`${way} is a link`) }],
    });
    expect(readdirSync(place.beside, { recursive: true })).toEqual(before);
  });

  it('is written if no link is on the way', async () => {
    const place = checkout();
    expect((await runAt(place, { log: place.path(log) })).status).toBe('finished');
  });
});
