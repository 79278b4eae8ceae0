import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Hand, snapshot, world } from './world.js';

const tools = [
  ['read_file', (path: string) => ({ path })],
  ['read_bytes', (path: string) => ({ path })],
  ['search_files', (path: string) => ({ path, pattern: 'x' })],
  ['list_files', (path: string) => ({ path, recursive: true })],
  ['write_file', (path: string) => ({ path, content: 'x' })],
  ['edit_file', (path: string) => ({ path, old_text: 'x', new_text: 'y' })],
  ['copy_file', (path: string) => ({ path, to: 'work/copied' })],
  ['copy_file', (path: string) => ({ path: 'work/a', to: path })],
  ['move_file', (path: string) => ({ path, to: 'work/moved' })],
  ['delete_file', (path: string) => ({ path })],
] as const;

function scene() {
  const { base, at } = world({ 'w/a': 'x', 'outside/secret': 'theirs' });
  return { base, at, hand: Hand.with({ roots: [{ name: 'work', folder: at('w'), mode: 'rw' }] }) };
}

/** Nothing is done, and nothing is said of what is there. */
async function expectRefused(path: string, { base, hand }: ReturnType<typeof scene>): Promise<void> {
  const before = snapshot(base);
  for (const [tool, args] of tools) {
    const call = hand.call(tool, args(path)).then((result) => JSON.stringify(result), String);
    expect(`${tool}: ${await call}`).toMatch(/cannot: |changed after|permission denied|cannot be read/);
    expect(await call).not.toContain('theirs');
  }
  expect(snapshot(base)).toEqual(before);
}

describe('a link in a root that leads out through /proc or /dev', () => {
  it.each([
    '/proc/self/root',
    '/proc/self/cwd',
    '/proc/1/root',
    '/proc/self/fd/0',
    '/proc/thread-self/root',
    '/dev/fd/0',
  ])('is refused by every tool: %s', async (target) => {
    const setting = scene();
    symlinkSync(target, setting.at('w/link'));
    await expectRefused('work/link', setting);
    await expectRefused(`work/link${setting.at('outside/secret')}`, setting);
  });
});

describe('an entry that is not a file', () => {
  it('is refused by every tool: a socket, a pipe', async () => {
    const setting = scene();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(setting.at('w/socket'), resolve));
    onTestFinished(() => void server.close());
    execFileSync('mkfifo', [setting.at('w/pipe')]);
    await expectRefused('work/pipe', setting);
    for (const [tool, args] of tools) {
      const said = await setting.hand.cannot(tool, args('work/socket'));
      expect(`${tool}: ${said}`).toMatch(/is neither a file nor a folder|is not a folder|exists already/);
    }
  });

  it('is refused by every tool: a device', async ({ skip }) => {
    const setting = scene();
    try {
      execFileSync('mknod', [setting.at('w/zero'), 'c', '1', '5'], { stdio: 'ignore' });
    } catch {
      skip('only root may make a device');
    }
    for (const [tool, args] of tools)
      expect(`${tool}: ${await setting.hand.cannot(tool, args('work/zero'))}`).toMatch(
        /is neither a file nor a folder|is not a folder|exists already/,
      );
  });
});

describe('a path beyond the system’s length limit', () => {
  it('is refused if it is named, and omitted if it is found', async () => {
    const { at, hand } = scene();
    const name = 'n'.repeat(200);
    // Each step is short; all of them are not.
    execFileSync('bash', [
      '-c',
      `cd ${at('w')}; for i in {1..30}; do mkdir ${name} && cd -P ${name}; done; echo x > end`,
    ]);
    onTestFinished(() => void execFileSync('rm', ['-rf', at('w')]));
    expect(await hand.cannot('read_file', { path: `work/${`${name}/`.repeat(30)}end` })).toBe(
      'the path is too long',
    );
    for (const [tool, args] of [
      ['list_files', { path: 'work', recursive: true }],
      ['search_files', { path: 'work', pattern: 'x' }],
    ] as const) {
      const result = JSON.stringify(await hand.call(tool, args));
      expect(result).toContain('work/a');
      expect(result).not.toContain('end');
    }
  });
});
