import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { type LogEntry, type LogLine, reportData, reportPage } from '../src/index.js';

/** How long the page about 100 000 entries takes to open, in a real browser: until it has been drawn, and to search all of it. */
const entries = 100_000;
const rounds = 7;

const browsers = [process.env.CHROMIUM ?? '', '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = browsers.find((path) => path !== '' && existsSync(path));
if (executablePath === undefined) {
  process.stdout.write('There is no Chromium here (set CHROMIUM to one), so nothing was measured.\n');
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'ambit-bench-'));
const file = join(folder, 'report.html');
const started = performance.now();
const page = [
  ...reportPage(
    await reportData(linesOf(entries), {
      title: 'run.jsonl',
      rules: async () => [{ id: 'never', at: 'policy.yaml:1:1' }],
    }),
  ),
].join('');
const written = performance.now() - started;
writeFileSync(file, page);

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const opened: number[] = [];
const searched: number[] = [];
const again: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const start = performance.now();
  await tab.goto(`file://${file}`);
  await tab.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
  opened.push(performance.now() - start);
  const search = async (words: string) => {
    const begin = performance.now();
    await tab.fill('#search', words);
    await tab
      .locator('[role=status]')
      .filter({ hasText: /^\d+ of \d+ calls$/ })
      .and(tab.locator(`text=/^(?!${calls} of)/`))
      .waitFor();
    return performance.now() - begin;
  };
  const calls = await tab
    .locator('[role=status]')
    .textContent()
    .then((text) => text?.split(' ')[0] ?? '');
  searched.push(await search('file-77.md pre_approved'));
  again.push(await search('file-12.md completed'));
  await tab.close();
}
await browser.close();
rmSync(folder, { recursive: true });

const median = (list: readonly number[]) =>
  [...list].sort((one, other) => one - other)[list.length >> 1] ?? Number.NaN;
const shown = (list: readonly number[]) =>
  `${median(list).toFixed(0)} ms (${Math.min(...list).toFixed(0)} to ${Math.max(...list).toFixed(0)})`;
process.stdout.write(
  [
    `${entries} entries, ${(page.length / 1e6).toFixed(1)} MB of HTML, written in ${(written / 1000).toFixed(1)} s; medians of ${rounds} tabs`,
    '',
    '| | takes |',
    '| --- | --- |',
    `| open, until it is drawn | ${shown(opened)} |`,
    `| the first search, which unpacks all explanations | ${shown(searched)} |`,
    `| another search | ${shown(again)} |`,
    '',
  ].join('\n'),
);

function* linesOf(count: number): Generator<LogLine> {
  const tools = ['filesystem.read_file', 'filesystem.write_file', 'shell.run', 'http.fetch'];
  for (let seq = 0, call = 0; seq < count; call += 1) {
    const said = ['pre_approved', 'pre_approved', 'needs_approval', 'blocked'][call % 4] as string;
    const path = `/work/out/part-${call % 37}/file-${call % 101}.md`;
    const rule = {
      id: `capabilities.fs.write[${call % 5}]`,
      at: `policy.yaml:${(call % 5) + 7}:5`,
      decision: said,
    };
    const shared = { run: `run-${Math.floor(call / 25)}`, call: `call-${call}` };
    const events: Record<string, unknown>[] = [
      {
        event: 'decision',
        chain: call % 3 === 0 ? ['orchestrator', 'evaluator'] : ['orchestrator'],
        tool: tools[call % 4],
        args: {
          path,
          content: `what was written by call ${call}, and a little more to read`.repeat(1 + (call % 7)),
        },
        context: { env: 'ci' },
        history: ['fs.read', 'fs.list', 'net.connect'],
        grants: [],
        decision: said,
        capabilities: [{ name: 'fs.write', path, bytes: call % 4096 }],
        judgements: [
          {
            capability: 0,
            policy: 'policy.yaml',
            decision: said,
            default: false,
            rules: [rule],
            undecided: [],
            answer: null,
            answered_by: null,
          },
        ],
        reason: said === 'blocked' ? 'credentials are read through the vault' : null,
        instead: null,
      },
      ...(said === 'needs_approval'
        ? [
            {
              event: 'approval',
              how: 'person',
              who: { person: 'ada' },
              approved: call % 8 !== 2,
              keep: null,
              edited: false,
              note: null,
            },
          ]
        : []),
      said === 'blocked'
        ? {
            event: 'outcome',
            outcome: 'refused',
            code: 'blocked',
            reason: 'credentials are read through the vault',
          }
        : { event: 'outcome', outcome: 'completed' },
    ];
    for (const event of events) {
      const time = new Date(Date.parse('2026-10-01T08:00:00Z') + seq * 20_000).toISOString();
      const entry = { v: 1, seq, time, ...shared, prev: '', hash: '', ...event } as unknown as LogEntry;
      yield { line: seq + 1, entry };
      seq += 1;
    }
  }
}
