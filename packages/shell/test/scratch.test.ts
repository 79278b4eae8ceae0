import { mkdirSync, writeFileSync, mkdtempSync } from 'node:fs';
import { test } from 'vitest';
import { shellAt } from '../src/index.js';
import { readFileSync } from 'node:fs';
const base = mkdtempSync('/tmp/data-a/proj-');
mkdirSync(`${base}/src`, { recursive: true });
for (const f of ['a.txt', 'b.txt', 'src/a.js', 'src/b.js', 'a.json', 'package.json']) writeFileSync(`${base}/${f}`, 'x\n');
const [tool] = shellAt(base, { home: '/home/me', guarded: [] }).tools;
const context = { chain: ['main'] as const, signal: new AbortController().signal };
test('x', { timeout: 600000 }, async () => {
  const lines = readFileSync('/tmp/data-a/lines.txt', 'utf8').split('\0').filter((x) => x !== '');
  const out: string[] = [];
  for (const line of lines) {
    const caps = (await tool!.describe({ command: line }, context)).capabilities;
    const op = caps.filter((c) => c.name === 'proc.exec.opaque').map((c) => `${c['program'] ?? ''}: ${c['why']}`);
    out.push(JSON.stringify({ line: line.slice(0, 200), op, caps: caps.filter((c) => !c.name.startsWith('proc.exec')).map((c) => `${c.name} ${JSON.stringify(c['path'] ?? '')}`) }));
  }
  writeFileSync('/tmp/data-a/out.jsonl', out.join('\n'));
});
