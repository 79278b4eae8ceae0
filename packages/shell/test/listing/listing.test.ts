import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDeep, tries } from '../../../../test/depth.js';
import { folderCache } from '../../src/files/folder-cache.js';
import { type Listed, type Listing, listingFrom } from '../../src/files/listing.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listing-'));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

/** The time that must pass after a change before its folder is cached. */
const later = () => Date.now() + 60_000;
const fresh = (): Listing => listingFrom(folderCache(later));
const pathsOf = ({ entries }: Listed) => entries.map(({ path }) => path.slice(folder.length));

function fill(): void {
  mkdirSync(join(folder, 'b/c'), { recursive: true });
  writeFileSync(join(folder, 'b/c/- odd\n'), '');
  writeFileSync(join(folder, 'a'), '');
  symlinkSync('..', join(folder, 'b/up'));
}

describe('listing', () => {
  it('lists folders before their content and never follows a link', () => {
    fill();
    expect(pathsOf(fresh().below(folder))).toEqual(['', '/a', '/b', '/b/c', '/b/c/- odd\n', '/b/up']);
    expect(fresh().below(folder).isOpen).toBe(false);
    expect(fresh().below(folder).entries.at(-1)).toMatchObject({ kind: 'link', depth: 2 });
  });

  it('stops at a depth and at folders that are skipped', () => {
    fill();
    expect(pathsOf(fresh().below(folder, { depth: 1 }))).toEqual(['', '/a', '/b']);
    const skip = ({ path }: { path: string }) => path.endsWith('/c');
    expect(pathsOf(fresh().below(folder, { skip }))).toEqual(['', '/a', '/b', '/b/c', '/b/up']);
  });

  it('lists a single file, a single link, and nothing for a missing path', () => {
    fill();
    expect(fresh().below(join(folder, 'b/up')).entries).toHaveLength(1);
    expect(fresh().below(join(folder, 'a')).entries).toHaveLength(1);
    expect(fresh().below(join(folder, 'z'))).toEqual({ entries: [], isOpen: false, why: null });
    expect(fresh().names(join(folder, 'a')).entries).toEqual([]);
  });

  it('still finds `/` after `/` was read', () => {
    const listing = fresh();
    const { entries } = listing.below('/', { depth: 1 });
    expect(listing.kind('/')).toBe('folder');
    expect(listing.below('/', { depth: 1 }).entries).toEqual(entries);
    expect(listing.names('/').entries).toEqual(entries.slice(1));
  });

  it('is open when a name is not UTF-8, and keeps a real replacement character', () => {
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/x`), Buffer.from([0xff])]), '');
    writeFileSync(join(folder, 'good\uFFFD'), '');
    const listed = fresh().below(folder);
    expect([listed.isOpen, listed.why]).toEqual([true, 'a name that is not UTF-8']);
    expect(fresh().names(folder).isOpen).toBe(true);
    rmSync(Buffer.concat([Buffer.from(`${folder}/x`), Buffer.from([0xff])]));
    expect(fresh().below(folder).isOpen).toBe(false);
    expect(pathsOf(fresh().below(folder))).toEqual(['', '/good\uFFFD']);
  });

  it('is open at a generated file system', () => {
    for (const place of ['/proc', '/proc/1', '/sys', '/dev'])
      expect([place, fresh().below(place).isOpen]).toEqual([place, true]);
  });

  it('is open at a folder that cannot be read', () => {
    mkdirSync(join(folder, 'closed/inner'), { recursive: true });
    chmodSync(join(folder, 'closed'), 0o000);
    chmodSync(folder, 0o755);
    // The root user can read every file.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      const listed = fresh().below(folder);
      expect([listed.isOpen, listed.why]).toEqual([true, 'a folder that cannot be read']);
      expect(pathsOf(listed)).toEqual(['', '/closed']);
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(join(folder, 'closed'), 0o700);
    }
  });

  it('ends at circular links, and reports sockets and pipes by kind', async () => {
    fill();
    symlinkSync('circle', join(folder, 'circle'));
    symlinkSync(folder, join(folder, 'b/c/top'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const server = createServer().listen(join(folder, 'socket'));
    await once(server, 'listening');
    try {
      const kinds = fresh()
        .below(folder)
        .entries.map(({ path, kind }) => `${path.slice(folder.length)} ${kind}`);
      expect(kinds).toContain('/circle link');
      expect(kinds).toContain('/b/c/top link');
      expect(kinds).toContain('/pipe other');
      expect(kinds).toContain('/socket other');
      expect(kinds).toHaveLength(10);
    } finally {
      server.close();
    }
  });

  it('is complete or open when a folder changes during the listing', async () => {
    for (let at = 0; at < 500; at += 1) writeFileSync(join(folder, `${at}`), '');
    // Each round replaces a file, so that there are always 500.
    // One process: what it started itself could outlive it and write while the folder is removed.
    const script = `
      const { renameSync } = require('node:fs');
      process.chdir(process.argv[1]);
      for (let at = 0; ; at = (at + 1) % 500) {
        renameSync(String(at), 'n' + at);
        renameSync('n' + at, String(at));
      }`;
    const child = spawn(process.execPath, ['-e', script, folder], { stdio: 'ignore' });
    try {
      await once(child, 'spawn');
      let changed = 0;
      for (let round = 0; round < tries(200) || (changed === 0 && round < 20_000); round += 1) {
        const { entries, isOpen, why } = fresh().below(folder);
        if (isOpen) changed += 1;
        // A name may be missing for a moment, but two names of one file never exist together.
        if (!isOpen) expect(entries.length).toBeLessThanOrEqual(501);
        expect([null, 'a folder changes while it is listed']).toContain(why);
        await new Promise(setImmediate);
      }
      expect(changed).toBeGreaterThan(0);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  it.skipIf(!isDeep)('is open if there are more entries than the limit', () => {
    // Entries that are listed again count again.
    for (let at = 0; at < 2_000; at += 1) writeFileSync(join(folder, `${at}`), '');
    const listing = fresh();
    const opened = Array.from({ length: 501 }, () => listing.below(folder).isOpen);
    expect([opened[0], opened[499], opened[500]]).toEqual([false, false, true]);
  });
});

describe('folder cache', () => {
  it('sees changes since an earlier call', () => {
    fill();
    const cache = folderCache(later);
    expect(listingFrom(cache).below(folder).entries).toHaveLength(6);
    writeFileSync(join(folder, 'b/new'), '');
    expect(listingFrom(cache).below(folder).entries).toHaveLength(7);
    rmSync(join(folder, 'b'), { recursive: true });
    expect(listingFrom(cache).below(folder).entries).toHaveLength(2);
  });

  it('caches no folder that changed less than two seconds before it was read', () => {
    fill();
    const { mtime, mtimeMs } = lstatSync(join(folder, 'b'));
    let now = mtimeMs + 1_000;
    const cache = folderCache(() => now);
    const first = cache.forOneCall().read(join(folder, 'b'));
    const second = cache.forOneCall().read(join(folder, 'b'));
    expect(second).not.toBe(first);
    now += 5_000;
    const third = cache.forOneCall().read(join(folder, 'b'));
    expect(cache.forOneCall().read(join(folder, 'b'))).toBe(third);
    // The modification time alone can be reset.
    writeFileSync(join(folder, 'b/x'), '');
    utimesSync(join(folder, 'b'), mtime, mtime);
    expect(cache.forOneCall().read(join(folder, 'b')).names).toContain('x');
  });

  it('empties the cache on request', () => {
    fill();
    const cache = folderCache(later);
    const first = cache.forOneCall().read(folder);
    cache.forget();
    expect(cache.forOneCall().read(folder)).not.toBe(first);
  });
});
