import { beforeEach, describe, expect, it } from 'vitest';
import { keptAnswer, StoredPlace } from './stored.js';

let place: StoredPlace;
beforeEach(() => {
  place = new StoredPlace();
});

describe('ambit approvals kept', () => {
  it('shows kept answers, their coverage, and expired ones', async () => {
    await place.filled(async (store) => {
      await store.keep(keptAnswer('k1'));
      await store.keep(keptAnswer('k2', { until: 1000, remember: 'run', reach: 'arguments' }));
      await store.keep(keptAnswer('k3'));
      await store.revoke('k3', 2000);
    });
    const { exit, out, err } = await place.ambit('approvals', 'kept');
    expect([exit, err]).toEqual([0, 'ambit approvals revoke ID\n']);
    expect(out.match(/^k.*$/gm)).toEqual([
      'k1  kept always',
      'k2  over until 1970-01-01T00:00:01.000Z',
      'k3  revoked 1970-01-01T00:00:02.000Z',
    ]);
    expect(out).toContain('  ada approved, 2026-11-21T10:00:00.000Z, in the run r1\n');
    expect(out).toContain('  filesystem.write_file by orchestrator › evaluator\n  with path: out/a.md\n');
    expect(out).toContain('/work/out');
    const json = JSON.parse((await place.ambit('approvals', 'kept', '--json')).out) as { kept: unknown[] };
    expect(json.kept[0]).toEqual({ id: 'k1', ...keptAnswer('k1') });
  });

  it('shows the tool and arguments of each answer, masked and wrapped to 80 columns', async () => {
    const content = ['one', 'two '.repeat(40), ...Array.from({ length: 9 }, () => 'more'), '\u001b[2J'].join(
      '\n',
    );
    await place.filled(async (store) => {
      await store.keep(
        keptAnswer('k1', { args: { path: 'out/a.md', content, lines: [1, 2], to: '\u001b[2J' } }),
      );
      const args = {
        argv: ['curl', '-H', 'Authorization: Bearer abcdefghijklmnopqrstuvwx'],
        password: 'hunter22',
      };
      const shown = [{ name: 'proc.exec', program: 'curl', argv: args.argv }] as const;
      await store.keep(keptAnswer('k2', { tool: 'shell.run', reach: 'arguments', args, shown }));
    });
    const { out } = await place.ambit('approvals', 'kept');
    expect(out).toContain(`  filesystem.write_file by orchestrator › evaluator
  with path: out/a.md
  with content: one
       two two two two two two two two two two two two two two two two two two
       two two two two two two two two two two two two two two two two two two
       two two two two${' '}
       more
       more
       … and 8 more
  with lines: [1,2]
  with to: \\u{1b}[2J
  covers: `);
    expect(out).toMatch(/ {2}with password: masked:hmac-sha256:[0-9a-f]{16}\n/);
    const json = await place.ambit('approvals', 'kept', '--json');
    for (const text of [out, json.out]) expect(text).not.toMatch(/hunter22|abcdefghijklmnop/);
    expect(out).not.toContain('\u001b');
    for (const line of out.split('\n')) expect([...line].length).toBeLessThanOrEqual(80);
  });

  it('reports an empty list', async () => {
    expect(await place.ambit('approvals', 'kept')).toEqual({
      exit: 0,
      out: '',
      err: 'no kept answers here\n',
    });
  });

  it('revokes one, once', async () => {
    await place.filled((store) => store.keep(keptAnswer('k1')));
    expect(await place.ambit('approvals', 'revoke', 'k')).toEqual({
      exit: 0,
      out: 'k1 is revoked; it no longer applies\n',
      err: '',
    });
    expect(await place.ambit('approvals', 'revoke', 'k1')).toEqual({
      exit: 1,
      out: '',
      err: 'k1 is already revoked\n',
    });
    expect((await place.ambit('approvals', 'revoke', 'k2')).exit).toBe(2);
    const kept = await place.read((store) => store.kept());
    expect(kept.map(({ revoked }) => typeof revoked)).toEqual(['number']);
  });
});
