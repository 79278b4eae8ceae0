import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { asked, keptAnswer, StoredPlace } from './stored.js';

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

  it('names the file whose change ended an answer', async () => {
    const path = join(place.root, 'a.sh');
    writeFileSync(path, 'true');
    const sha256 = hash('sha256', 'true');
    const shown = [{ name: 'proc.exec.opaque', files: [{ path, sha256 }] }] as const;
    await place.filled(async (store) => {
      await store.keep(keptAnswer('k1', { shown, reach: 'arguments' }));
      await store.keep(keptAnswer('k2', { shown: [{ name: 'code.load', path, sha256 }] }));
      await store.keep(keptAnswer('k3', { shown, reach: 'capability' }));
    });
    const heads = async () => (await place.ambit('approvals', 'kept')).out.match(/^k.*$/gm);
    expect(await heads()).toEqual(['k1  kept always', 'k2  kept always', 'k3  kept always']);
    writeFileSync(path, 'false');
    expect(await heads()).toEqual([
      `k1  over: ${path} changed`,
      `k2  over: ${path} changed`,
      'k3  kept always',
    ]);
  });

  it('counts the answers that are kept at the next repetition of their calls', async () => {
    await place.filled(async (store) => {
      const answer = {
        answer: 'approve',
        person: 'ada',
        keep: { remember: 'always', reach: 'folder' },
      } as const;
      for (const id of ['q1', 'q2', 'q3']) await store.ask(asked(id, { args: { path: id } }));
      for (const id of ['q1', 'q2']) await store.answer(id, { digest: 'd'.repeat(64), answer, at: 1 });
      const { chain, tool } = asked('q1').question;
      await store.keep(keptAnswer('k1', { chain, tool, args: { path: 'q1' } }));
    });
    expect((await place.ambit('approvals', 'kept')).err).toBe(
      'ambit approvals revoke ID\nanswers that are kept once their call is made again: 1\n',
    );
  });

  it('reports an empty list', async () => {
    expect(await place.ambit('approvals', 'kept')).toEqual({
      exit: 0,
      out: '',
      err: 'no kept answers here\n',
    });
  });

  it('says how an answer ends that is not kept yet', async () => {
    await place.filled(async (store) => {
      const keep = { remember: 'always', reach: 'folder' } as const;
      const answer = { answer: 'approve', person: 'ada', keep } as const;
      await store.ask(asked('q1'));
      await store.answer('q1', { digest: 'd'.repeat(64), answer, at: 1 });
    });
    const { exit, err } = await place.ambit('approvals', 'revoke', 'q1');
    expect([exit, err]).toEqual([
      2,
      'ambit: the answer to `q1` is not kept yet\nhint: to end it, delete its run: ambit runs forget r1\n',
    ]);
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
