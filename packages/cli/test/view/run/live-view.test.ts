import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundled, hasTmux, Tmux } from '../../tmux.js';

describe.skipIf(!hasTmux)('LiveView', () => {
  let script = { file: '', remove: () => {} };
  let terminal: Tmux | null = null;
  beforeAll(async () => {
    script = await bundled('./view/run/view-script.ts');
  }, 300_000);
  afterAll(() => script.remove());
  afterEach(() => terminal?.end());

  const start = async (size: { readonly columns: number; readonly rows: number }) => {
    const tmux = new Tmux([process.execPath, script.file], undefined, size);
    terminal = tmux;
    await tmux.shows('READY');
    return tmux;
  };
  const times = (text: string, part: string) => text.split(part).length - 1;

  it('draws in place, and does not touch the question below', async () => {
    const tmux = await start({ columns: 60, rows: 30 });
    tmux.type('n');
    await tmux.shows('1 call (1 running)');
    tmux.type('n');
    const before = await tmux.shows('3 calls (1 asking, 1 running)');
    expect(times(before, 'READY')).toBe(1);
    expect(times(before, 'main · ')).toBe(1);
    tmux.type('n');
    const asked = await tmux.shows('answer it?\n>');
    tmux.type('n');
    // The tree goes on above it.
    const meanwhile = await tmux.shows('3 calls (1 asking, 1 failed)');
    expect(meanwhile.slice(meanwhile.indexOf('QUESTION'))).toBe(asked.slice(asked.indexOf('QUESTION')));
    expect(times(meanwhile, 'main · ')).toBe(1);
    tmux.type('n');
    expect(await tmux.shows('3 calls (1 asking, 1 failed)', 2)).toMatch(/answer it\?\n> o\nmain · /);
  });

  it.each([
    ['is higher than the screen', 'h'],
    ['is answered on a line, or in an editor', 'e'],
  ])('does not touch a question that %s', async (_, key) => {
    const tmux = await start({ columns: 60, rows: 14 });
    tmux.type('n', 'n');
    await tmux.shows('3 calls (1 asking, 1 running)');
    tmux.type('n');
    await tmux.shows('answer it?\n>');
    tmux.type(key);
    await tmux.shows('MORE');
    const asked = tmux.screen;
    // The event comes, and then more of the question: by then the event would have been shown.
    tmux.type('n', 'w');
    expect(await tmux.shows('WAITED')).toBe(`${asked}WAITED`);
    tmux.type('n');
    await tmux.shows('1 failed');
  });

  it('prints console output of libraries and of the program above the tree', async () => {
    const tmux = await start({ columns: 60, rows: 20 });
    tmux.type('n', 'n');
    await tmux.shows('3 calls (1 asking, 1 running)');
    tmux.type('c', 's');
    const above = 'READY\nthe model\\u{1b}[2J is old\nand a new one is there\nthe run is parked\nmain · ';
    await tmux.shows('the run is parked');
    tmux.type('n', 'n', 'n');
    const after = (await tmux.shows('3 calls (1 asking, 1 failed)')).replace(/ +$/gm, '');
    expect(after.slice(0, above.length)).toBe(above);
    expect(times(after, 'is old')).toBe(1);
  });

  it('never exceeds the height of the screen, and repeats no line', async () => {
    const tmux = await start({ columns: 60, rows: 12 });
    for (const _ of Array(7)) tmux.type('n');
    await tmux.shows('60 running');
    expect(tmux.visible.split('\n').length).toBeLessThanOrEqual(12);
    for (const _ of Array(3)) tmux.type('n');
    const all = await tmux.shows('END');
    // At the end, all of it stays.
    expect(times(all.slice(all.lastIndexOf('main · ')), 'filesystem.write_file')).toBe(63);
    expect(all).toMatch(/\nfinished · 63 calls \(1 failed\) · 10 tokens in, 2 out\nEND/);
    expect(times(all, 'finished · ')).toBe(1);
  });

  const path = `out/${'long/'.repeat(12)}1.md`;
  it.each([
    ['narrower', { columns: 40, rows: 20 }, '├ ✓ filesystem.write_file out/long/lon…'],
    ['narrower still', { columns: 24, rows: 20 }, '├ ✓ filesystem.write_f…'],
    ['wider and higher', { columns: 100, rows: 30 }, `├ ✓ filesystem.write_file ${path}`],
    ['lower', { columns: 80, rows: 5 }, '… 2 lines more'],
  ])('is redrawn once when the terminal becomes %s', async (_, size, line) => {
    const tmux = await start({ columns: 80, rows: 20 });
    tmux.type('n', 'n');
    await tmux.shows('3 calls (1 asking, 1 running)');
    tmux.resize(size);
    await showsLine(tmux, line);
    const seen = tmux.visible.split('\n');
    expect(seen.filter((text) => text.startsWith('main · '))).toHaveLength(1);
    expect(seen.filter((text) => text.startsWith('3 calls'))).toHaveLength(1);
    expect(seen.length).toBeLessThanOrEqual(size.rows);
    // What it says next takes the place of what it said.
    tmux.type('n', 'n', 'n', 'n');
    await tmux.shows('1 failed');
  });
});

/** Waits until a line of the terminal is this one, and no other. */
async function showsLine(tmux: Tmux, line: string): Promise<void> {
  for (const limit = Date.now() + 110_000; Date.now() < limit; ) {
    if (tmux.visible.split('\n').includes(line)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`there is no line ${line}:\n${tmux.visible}`);
}
