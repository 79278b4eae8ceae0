import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ambit, folderOf, jsonLines } from '../../host.js';

const files = {
  'policy.yaml': `version: 1
default: needs_approval
extends: [more.yaml]
capabilities:
  fs.list: pre_approved
  fs.write:
    - { id: no-env, decision: blocked, match: { path: ./out/.env } }
`,
  'more.yaml': 'version: 1\ndefault: { decision: pre_approved }\ncapabilities: { fs.delete: blocked }\n',
  'w.worker': `name: w
sandbox:
  paths:
    out: { root: ./out, mode: rw, write_approval: true }
toolsets:
  filesystem: {}
---
Write what you are asked to write.
`,
  'script.yaml': `w:
  - call: [{ tool: list_files, args: { path: out } }]
  - call: [{ tool: write_file, args: { path: out/a.md, content: "hello\\n" } }]
  - call: [{ tool: write_file, args: { path: out/.env, content: "x" } }]
  - call: [{ tool: delete_file, args: { path: out/b.md } }]
  - say: done
`,
  'out/b.md': 'b',
};

interface Place {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

function place(): Place {
  return { folder: folderOf(files), environment: { AMBIT_HOME: join(folderOf(), 'state') } };
}

async function run(at: Place, ...more: readonly string[]) {
  const argv = ['run', '--policy', 'policy.yaml', '--model', 'script:script.yaml', '--approve-all'];
  return ambit([...argv, '--quiet', '--log', 'run.jsonl', ...more, 'w'], at);
}

async function signedRun(): Promise<Place & { readonly keyFile: string }> {
  const at = place();
  const { out } = await ambit(['log', 'key', '--json'], at);
  const { key, file } = JSON.parse(out) as { readonly key: string; readonly file: string };
  writeFileSync(join(at.folder, 'key.pub'), `${key}\n`);
  expect((await run(at)).exit).toBe(0);
  return { ...at, keyFile: file };
}

const verify = (at: Place, ...more: readonly string[]) => ambit(['log', 'verify', 'run.jsonl', ...more], at);
const text = (at: Place, name: string) => readFileSync(join(at.folder, name), 'utf8');

describe('log key', () => {
  it('creates one key, and shows its public half again', async () => {
    const at = place();
    const made = await ambit(['log', 'key'], at);
    const again = await ambit(['log', 'key', '--json'], at);
    const { key, file } = JSON.parse(again.out) as { readonly key: string; readonly file: string };
    expect([made.exit, made.out, again.exit]).toEqual([0, `${key}\n`, 0]);
    expect(made.err).toContain('Created the key ');
    expect(readFileSync(file, 'utf8')).toMatch(/^PRIVATE\+KEY\+/);
    expect(made.out + made.err + again.out).not.toContain('PRIVATE');
  });
});

describe('a run', () => {
  it('signs its log with the key of its folder, and reports a missing key', async () => {
    const at = await signedRun();
    const { exit, out } = await verify(at, '--key', 'key.pub', '--json');
    expect([exit, JSON.parse(out)]).toMatchObject([0, { ok: true, ended: true, signed: { trust: 'given' } }]);
    const { entries, signed } = JSON.parse(out) as { entries: number; signed: { entries: number } };
    expect(signed.entries).toBe(entries);
    // Without `--key`, this folder's own key is what its log is held to.
    expect(JSON.parse((await verify(at, '--json')).out)).toMatchObject({ signed: { trust: 'given' } });
    const elsewhere = { ...at, environment: { AMBIT_HOME: join(folderOf(), 'state') } };
    const unknown = await verify(elsewhere);
    expect(unknown.out).toContain('signed by a key that the log itself names, ambit/');
    expect(unknown.err).toBe(
      'hint: `--key FILE` checks a log by a key that you know; `ambit log key`, where the log was written, prints that key\n',
    );

    const plain = place();
    expect((await run(plain)).exit).toBe(0);
    expect((await verify(plain)).out).toContain('not signed; run `ambit log key` to sign future logs');
    copyFileSync(join(at.folder, 'key.pub'), join(plain.folder, 'key.pub'));
    expect(await verify(plain, '--key', 'key.pub')).toMatchObject({
      exit: 1,
      out: expect.stringContaining(
        'run.jsonl:1: UNSIGNED the log is not signed; it may be older than the key',
      ),
    });
  });

  it.each<[string, (file: string) => void, string]>([
    ['was cut short', (file) => writeFileSync(file, 'PRIVATE+KEY+x'), 'is not a signing key'],
    ['is empty', (file) => writeFileSync(file, ''), 'is not a signing key'],
    ['others may read', (file) => chmodSync(file, 0o644), 'can be read or written by others'],
    [
      'is a folder',
      (file) => {
        renameSync(file, `${file}.old`);
        renameSync(folderOf(), file);
      },
      'is not a regular file',
    ],
  ])('does not start if the key %s', async (_, damage, words) => {
    const at = await signedRun();
    damage(at.keyFile);
    expect(await run(at, '--log', 'other.jsonl')).toMatchObject({
      exit: 2,
      err: expect.stringContaining(words),
    });
  });

  it('refuses to continue a log that another key signed, or a signed log without its key', async () => {
    const at = await signedRun();
    const before = text(at, 'run.jsonl');
    rmSync(at.keyFile);
    expect(await run(at)).toMatchObject({ exit: 2, err: expect.stringContaining('without its key') });
    await ambit(['log', 'key'], at);
    expect(await run(at)).toMatchObject({ exit: 2, err: expect.stringContaining('HEAD_KEY') });
    expect(text(at, 'run.jsonl')).toBe(before);
    // In its own folder, a log that another key signed is not taken for one of this key.
    expect(await verify(at)).toMatchObject({ exit: 1, out: expect.stringContaining('HEAD_KEY') });
    expect(await verify(at, '--key', 'key.pub')).toMatchObject({ exit: 0 });
  });
});

describe('log verify', () => {
  it('detects a shortened log by an anchor alone', async () => {
    const at = await signedRun();
    const { out } = await ambit(['log', 'prove', 'run.jsonl', '--head'], at);
    writeFileSync(join(at.folder, 'anchor'), out);
    expect((await verify(at, '--anchor', 'anchor')).out).toContain('1 anchor holds');
    writeFileSync(
      join(at.folder, 'run.jsonl'),
      text(at, 'run.jsonl').split('\n').slice(0, 3).join('\n').concat('\n'),
    );
    writeFileSync(
      join(at.folder, 'run.jsonl.heads'),
      text(at, 'run.jsonl.heads').split('\n').slice(0, 6).join('\n').concat('\n'),
    );
    expect(await verify(at, '--key', 'key.pub')).toMatchObject({ exit: 0 });
    expect(await verify(at, '--anchor', 'anchor')).toMatchObject({
      exit: 1,
      out: expect.stringMatching(
        /anchor:1: ANCHOR_LONGER the log is shorter than it was: expected \d+ entries, found 3\n$/,
      ),
    });
  });

  it('says that a log is cut before its first whole line', async () => {
    const at = await signedRun();
    const first = text(at, 'run.jsonl').slice(0, 100);
    writeFileSync(join(at.folder, 'cut.jsonl'), first);
    expect(await ambit(['log', 'verify', 'cut.jsonl'], at)).toMatchObject({
      exit: 1,
      out: expect.stringMatching(/^cut\.jsonl:1: UNSIGNED the log is cut before its first whole line, /),
    });
    const plain = place();
    writeFileSync(join(plain.folder, 'cut.jsonl'), first);
    expect((await ambit(['log', 'verify', 'cut.jsonl'], plain)).out).toMatch(
      /^cut\.jsonl: verified, 0 entries; line 1 is torn \(100 bytes\), so the log is cut before its first whole line; /,
    );
  });

  it('says how to verify a log of an older key, and that the new key does not continue it', async () => {
    const at = await signedRun();
    const { out: older } = await ambit(['log', 'key'], at);
    writeFileSync(join(at.folder, 'older.pub'), older);
    renameSync(at.keyFile, join(at.folder, 'older.key'));
    expect((await ambit(['log', 'key'], at)).out).not.toBe(older);
    expect(await verify(at)).toMatchObject({
      exit: 1,
      out: expect.stringMatching(/^run\.jsonl\.heads:\d+: HEAD_KEY another key signed/),
      err: 'hint: for a log of an older key, give its public half: --key FILE\n',
    });
    expect(await verify(at, '--key', 'older.pub')).toMatchObject({ exit: 0, err: '' });
  });

  it('names a file that is not a key or not an anchor', async () => {
    const at = await signedRun();
    expect(await verify(at, '--key', 'policy.yaml')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('holds no public key'),
    });
    expect(await verify(at, '--key', at.keyFile)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('is the secret key'),
    });
    const { out: key } = await ambit(['log', 'key'], at);
    writeFileSync(join(at.folder, 'both.pub'), `${key}${key}`);
    expect(await verify(at, '--key', 'both.pub')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('holds several public keys\nhint: give each key in a file of its own'),
    });
    expect(await verify(at, '--anchor', 'nowhere')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('no such file'),
    });
    expect(await verify(at, '--anchor', 'policy.yaml')).toMatchObject({
      exit: 1,
      out: expect.stringContaining('ANCHOR_MALFORMED'),
    });
  });

  it('judges every call again under the policies of the log', async () => {
    const at = await signedRun();
    const { exit, out } = await verify(at, '--redecide');
    expect([exit, out]).toEqual([
      0,
      expect.stringContaining('decided again under its own policies: 4 as they were decided\n'),
    ]);
    // Whatever the files say now.
    writeFileSync(join(at.folder, 'policy.yaml'), 'version: 1\ndefault: blocked\n');
    expect((await verify(at, '--redecide')).out).toBe(out);
  });
});

describe('log prove', () => {
  it('proves an entry to a reader who has only its line', async () => {
    const at = await signedRun();
    const { exit, out, err } = await ambit(['log', 'prove', 'run.jsonl', '--seq', '4'], at);
    expect([exit, err]).toEqual([0, '']);
    writeFileSync(join(at.folder, 'proof'), out);
    const line = text(at, 'run.jsonl').split('\n')[4] ?? '';
    writeFileSync(join(at.folder, 'line'), `${line}\n`);
    const check = (...more: readonly string[]) =>
      ambit(['log', 'prove', 'line', '--check', 'proof', ...more], at);
    expect(await check('--key', 'key.pub')).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/^entry 4 is in the tree over \d+ entries of .*, signed by ambit\//),
    });
    expect((await check()).out).toContain('whose signature was not checked');
    writeFileSync(join(at.folder, 'line'), line.replace('"w"', '"v"'));
    expect(await check()).toMatchObject({
      exit: 1,
      out: expect.stringMatching(/^entry 4 is not in the tree over/),
    });
    writeFileSync(join(at.folder, 'line'), text(at, 'run.jsonl').split('\n')[3] ?? '');
    expect(await check()).toMatchObject({ exit: 1, out: 'there is no entry 4 to check\n' });
    expect(await ambit(['log', 'prove', 'run.jsonl', '--seq', '99'], at)).toEqual({
      exit: 2,
      out: '',
      err: expect.stringMatching(
        /^ambit: run\.jsonl: there is no entry 99: its entries are 0 to \d+\nhint: ambit log tail run\.jsonl\n$/,
      ),
    });
  });

  it('proves that a log continues an older head', async () => {
    const at = await signedRun();
    const { out: old } = await ambit(['log', 'prove', 'run.jsonl', '--head'], at);
    writeFileSync(join(at.folder, 'old'), old);
    expect((await run(at)).exit).toBe(0);
    const proof = await ambit(['log', 'prove', 'run.jsonl', '--consistency', 'old'], at);
    expect([proof.exit, proof.err]).toEqual([0, '']);
    writeFileSync(join(at.folder, 'proof'), proof.out);
    const check = () => ambit(['log', 'prove', 'old', '--check', 'proof', '--key', 'key.pub'], at);
    expect(await check()).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/^the tree over \d+ entries continues that over \d+, signed by/),
    });
    writeFileSync(join(at.folder, 'old'), old.replace(/\n([A-Za-z0-9+/]{43}=)\n/, `\n${'A'.repeat(43)}=\n`));
    expect(await check()).toMatchObject({ exit: 1, out: expect.stringContaining('does not continue') });
    expect(await ambit(['log', 'prove', 'run.jsonl', '--consistency', 'old'], at)).toMatchObject({ exit: 1 });
  });

  it('names a file that is not a proof', async () => {
    const at = await signedRun();
    const ran = await ambit(['log', 'prove', 'run.jsonl', '--check', 'policy.yaml'], at);
    expect(ran).toEqual({ exit: 1, out: 'policy.yaml is not a proof\n', err: '' });
  });

  it('reports that its subject is missing', async () => {
    const at = await signedRun();
    expect(await ambit(['log', 'prove', 'run.jsonl'], at)).toMatchObject({ exit: 2 });
    expect(
      jsonLines((await ambit(['log', 'prove', 'run.jsonl', '--seq', '0', '--json'], at)).out),
    ).toMatchObject([{ ok: true, signed: true }]);
  });
});
