import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type LogEntry, reportData, reportPage } from '@ambit/audit';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import type { ReportData } from '../../src/report/report-data.js';

const hostile =
  '</script><script>document.title = "owned"</script><img src=x onerror="document.title=\'owned\'">\u2028\u202e';

const pageOf = (data: ReportData) => [...reportPage(data)].join('');

/** The texts of the calls, in the order of the rows. */
const textsOf = ({ texts, rows }: ReportData) => {
  const all = texts.flatMap(
    (pack) => JSON.parse(gunzipSync(Buffer.from(pack, 'base64')).toString()) as string[][],
  );
  return rows.places.map((place) => all[place] ?? []);
};

/** A log's lines, as far as the page reads them. */
function linesOf(events: readonly Readonly<Record<string, unknown>>[]) {
  return events.map((event, seq) => ({
    line: seq + 1,
    entry: {
      v: 1,
      seq,
      time: `2026-11-2${seq % 2}T10:00:00.000Z`,
      run: 'r1',
      prev: '',
      hash: '',
      ...event,
    } as unknown as LogEntry,
  }));
}

function decision(call: string, said: string, rule: string, args: unknown = {}) {
  return {
    event: 'decision',
    call,
    chain: ['main', 'helper'],
    tool: 'crm.export',
    args,
    decision: said,
    capabilities: [{ name: 'crm.contact.export', format: 'csv' }],
    judgements: [
      {
        capability: 0,
        policy: 'p.yaml',
        decision: said,
        rules: [{ id: rule, at: 'p.yaml:1:1', decision: said }],
        undecided: [],
        default: false,
      },
    ],
    reason: null,
  };
}

const lines = linesOf([
  decision('c1', 'pre_approved', 'reads'),
  { event: 'outcome', call: 'c1', outcome: 'completed' },
  decision('c2', 'needs_approval', hostile, { query: hostile }),
  { event: 'approval', call: 'c2', how: 'person', who: { person: hostile }, approved: true },
  { event: 'outcome', call: 'c2', outcome: 'failed', error: hostile },
  decision('c3', 'blocked', 'no-export'),
  { event: 'outcome', call: 'c3', outcome: 'refused', code: 'blocked', reason: 'no' },
]);

describe('reportData', () => {
  it('returns periods, idle rules, and each call with its whole story', async () => {
    const data = await reportData(lines, {
      title: 't',
      rules: async () => known('reads', 'never', 'no-export'),
    });
    expect(data.periods).toHaveLength(25);
    expect(data.periods.filter(({ counts }) => Object.keys(counts).length > 0)).toEqual([
      { name: '2026-11-20 10', counts: { pre_approved: 1, needs_approval: 1 } },
      { name: '2026-11-21 10', counts: { blocked: 1 } },
    ]);
    expect(data.tools).toEqual([
      { name: 'crm.export', counts: { pre_approved: 1, needs_approval: 1, blocked: 1 } },
    ]);
    expect(data.idle).toEqual([{ id: 'never', at: 'p.yaml:2:3' }]);
    expect(textsOf(data).map(([, found]) => found?.split('\n').slice(0, 3))).toEqual([
      ['pre_approved', 'completed', ''],
      ['needs_approval', 'failed', expect.stringMatching(/^approved by person/)],
      ['blocked', 'blocked', ''],
    ]);
    expect(textsOf(data)[2]?.[0]).toContain('rule no-export at p.yaml:1:1 says blocked');
    expect(data.rows.times.slice(1).every((since) => since >= 0)).toBe(true);
  });
});

describe('periods', () => {
  const dayOf = (times: readonly string[]) =>
    times.map((time, index) => ({ ...decision(`c${index}`, 'blocked', 'no'), time }));
  it.each<[string, readonly string[], readonly [count: number, first: string, last: string]]>([
    [
      'seconds',
      ['2026-11-20T10:00:58.900Z', '2026-11-20T10:01:01.100Z'],
      [4, '2026-11-20 10:00:58', '2026-11-20 10:01:01'],
    ],
    [
      'minutes',
      ['2026-11-20T23:50:58.900Z', '2026-11-21T00:20:01.100Z'],
      [31, '2026-11-20 23:50', '2026-11-21 00:20'],
    ],
    ['days', ['2026-11-20T23:50:58.900Z', '2026-12-24T00:20:01.100Z'], [35, '2026-11-20', '2026-12-24']],
    [
      'days, those with a call',
      ['1970-01-01T00:00:00.000Z', '2026-12-24T00:20:01.100Z'],
      [2, '1970-01-01', '2026-12-24'],
    ],
    ['one', ['2026-11-20T23:50:58.900Z'], [1, '2026-11-20 23:50:58', '2026-11-20 23:50:58']],
  ])('are as long as the log requires: %s', async (_, times, expected) => {
    const { periods } = await reportData(linesOf(dayOf(times)), { title: 't', rules: async () => null });
    expect([periods.length, periods[0]?.name, periods.at(-1)?.name]).toEqual(expected);
  });

  it('are empty for a log without calls', async () => {
    expect(await reportData([], { title: 't', rules: async () => null })).toMatchObject({
      periods: [],
      texts: [],
    });
  });
});

const browsers = [process.env.CHROMIUM ?? '', '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executable = browsers.find((path) => path !== '' && existsSync(path));
if (executable === undefined)
  process.stderr.write(
    'report.test.ts: the page is not looked at: there is no Chromium here (set CHROMIUM to one)\n',
  );

/** Rules, each on a line of its own. */
function known(...ids: readonly string[]) {
  return ids.map((id, index) => ({ id, at: `p.yaml:${index + 1}:3` }));
}

describe.skipIf(executable === undefined)('the page, in a browser', () => {
  let browser: Browser;
  let page: Page;
  const said: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable ?? '', args: ['--no-sandbox'] });
    const folder = mkdtempSync(join(tmpdir(), 'report-'));
    const file = join(folder, 'report.html');
    writeFileSync(
      file,
      pageOf(
        await reportData(lines, { title: `log ${hostile}`, rules: async () => known(hostile, 'never') }),
      ),
    );
    page = await browser.newPage({ viewport: { width: 900, height: 700 } });
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    page.on('request', (request) => request.url().startsWith('file:') || said.push(request.url()));
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => said.push('a dialog')));
    await page.goto(`file://${file}`);
    await page.waitForSelector('details.call');
    rmSync(folder, { recursive: true });
  });
  afterAll(() => browser?.close());

  it('shows decisions, and never treats a text of the log as markup', async () => {
    expect(await page.title()).toContain('log </script><script>document.title');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('details.call').count()).toBe(3);
    expect(said).toEqual([]);
  });

  it('shows invisible and direction-changing characters as escapes', async () => {
    const shown = (await page.evaluate('document.title + document.body.innerText')) as string;
    expect(shown).not.toMatch(/[\u2028\u202e]/);
    expect(shown).toContain('\\u{2028}\\u{202e}');
  });

  it('says where a log without calls has nothing to show', async () => {
    const file = join(temporaryFolder('report-'), 'empty.html');
    writeFileSync(file, pageOf(await reportData([], { title: 'empty', rules: async () => [] })));
    const tab = await browser.newPage();
    await tab.goto(`file://${file}`);
    expect(await tab.locator('table, .chart').count()).toBe(0);
    expect(await tab.locator('p', { hasText: /^none$/ }).count()).toBe(8);
    await tab.close();
  });

  it('names every rule that never applied, and every period', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `rule-${index}`);
    const many = ids.map((id, index) => ({
      ...decision(id, 'blocked', 'no'),
      time: `2026-11-20T10:${index + 10}:00.000Z`,
    }));
    const file = join(temporaryFolder('report-'), 'idle.html');
    writeFileSync(
      file,
      pageOf(await reportData(linesOf(many), { title: 'idle', rules: async () => known(...ids) })),
    );
    const tab = await browser.newPage();
    await tab.goto(`file://${file}`);
    expect(await tab.locator('td', { hasText: /^rule-/ }).allTextContents()).toEqual(ids);
    expect(await tab.locator('td', { hasText: /^2026-11-20 10:/ }).count()).toBe(30);
    await tab.close();
  });

  it('shows the number of questions, and the savings of learnt rules', async () => {
    const rules = [{ words: hostile, saves: 3, newly_allows: [hostile, 'fs.write'] }];
    const answers = Array.from({ length: 5 }, (_, index) => [
      decision(`q${index}`, 'needs_approval', hostile),
      { event: 'approval', call: `q${index}`, how: 'person', who: { person: 'ann' }, approved: true },
    ]).flat();
    const file = join(temporaryFolder('report-'), 'load.html');
    const events = linesOf(answers).map(({ line, entry }) => ({
      line,
      entry: { ...entry, time: '2026-11-20T10:00:00.000Z' },
    }));
    const learnt = async () => ({ saves: 3, rules });
    writeFileSync(file, pageOf(await reportData(events, { title: 'load', rules: async () => null, learnt })));
    const tab = await browser.newPage();
    await tab.goto(`file://${file}`);
    const shown = await tab.locator('section', { hasText: 'Approval load' }).textContent();
    expect(shown).toContain(
      '5 questions in 1 hour with calls: 5 an hour, at most 5 in one (2026-11-20 10:00 UTC).',
    );
    expect(shown).toContain('Warning: 5 of 5 answers to </script>');
    expect(shown).toContain('would save 3 questions');
    expect(await tab.title()).toBe('load');
    await tab.close();
  });

  it.each([1280, 375])('breaks no word at a width of %i pixels, and describes each call', async (width) => {
    const tools = ['filesystem.write_file', 'mcp-knowledge-base.search_documents'];
    const days = tools.flatMap((tool, index) => [
      {
        ...decision(
          `c${index}`,
          index === 0 ? 'needs_approval' : 'blocked',
          'sandbox.paths.output.write_approval/fs.write',
          {
            path: 'output/reports/AccountSettings.md',
          },
        ),
        tool,
      },
      { event: 'approval', call: `c${index}`, how: 'person', who: { person: 'ann' }, approved: true },
      { event: 'outcome', call: `c${index}`, outcome: 'refused', code: 'unknown_outcome' },
    ]);
    const rules = async () => known('capabilities.message.send[0]', 'no-home-secrets');
    const data = await reportData(linesOf(days), { title: 'mwsldnty-361b5f0a9d26', rules });
    const file = join(temporaryFolder('report-'), 'narrow.html');
    writeFileSync(file, pageOf(data));
    const tab = await browser.newPage({ viewport: { width, height: 800 } });
    await tab.goto(`file://${file}`);
    await tab.locator('.did', { hasText: 'output/reports/AccountSettings.md' }).first().waitFor();
    expect(await tab.locator('tr', { hasText: 'no-home-secrets' }).textContent()).toContain('p.yaml:2:3');
    const found = await tab.evaluate<{ wide: number; broken: string[] }>(`(() => {
      const broken = [];
      const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.parentElement.checkVisibility && !node.parentElement.checkVisibility()) continue;
        for (const { 0: word, index } of node.textContent.matchAll(/[^\\s\\u002d]+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (new Set([...range.getClientRects()].map((rect) => Math.round(rect.top))).size > 1) broken.push(word);
        }
      }
      return { wide: document.documentElement.scrollWidth, broken };
    })()`);
    expect(found).toEqual({ wide: width, broken: [] });
    await tab.close();
  });

  it('finds a call by its explanation, and opens it', async () => {
    await page.fill('#search', 'NO-EXPORT blocked');
    await page
      .locator('[role=status]')
      .filter({ hasText: /^1 of 3 calls$/ })
      .waitFor();
    await page.click('details.call summary');
    await page
      .locator('details.call pre')
      .filter({ hasText: 'rule no-export at p.yaml:1:1 says blocked' })
      .waitFor();
    await page.fill('#search', 'nothing like it');
    await page
      .locator('[role=status]')
      .filter({ hasText: /^0 of 3 calls$/ })
      .waitFor();
    await page.fill('#search', '');
    await page
      .locator('[role=status]')
      .filter({ hasText: /^3 of 3 calls$/ })
      .waitFor();
  });

  it('can neither load nor send anything', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.setHeader('access-control-allow-origin', '*').end('');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const failed = await page.evaluate(`(async () => {
      const image = new Image();
      const broken = new Promise((resolve) => image.addEventListener('error', () => resolve('image')));
      image.src = 'http://127.0.0.1:${port}/';
      return [await broken, await fetch('http://127.0.0.1:${port}/').catch(() => 'fetch')];
    })()`);
    await new Promise((closed) => server.close(closed));
    expect({ failed, asked }).toEqual({ failed: ['image', 'fetch'], asked: 0 });
  });

  it('finds one of many calls, and shows only its own details', async () => {
    const many = linesOf(
      Array.from({ length: 2500 }, (_, index) => [
        decision(`call-${index}`, 'pre_approved', 'reads', { path: `/w/number-${index}.md` }),
        { event: 'outcome', call: `call-${index}`, outcome: 'completed' },
      ]).flat(),
    );
    const file = join(temporaryFolder('report-'), 'many.html');
    writeFileSync(file, pageOf(await reportData(many, { title: 'many', rules: async () => null })));
    const tab = await browser.newPage();
    await tab.goto(`file://${file}`);
    expect(await tab.locator('details.call').count()).toBe(200);
    await tab.click('button');
    expect(await tab.locator('details.call').count()).toBe(400);
    await tab.fill('#search', 'number-2345.md');
    await tab
      .locator('[role=status]')
      .filter({ hasText: /^1 of 2500 calls$/ })
      .waitFor();
    await tab.click('details.call summary');
    await tab.locator('details.call pre').filter({ hasText: '/w/number-2345.md' }).waitFor();
    await tab.close();
  });

  it('supports a dark theme and printing', async () => {
    const colours = async () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await colours();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colours()).not.toBe(light);
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    expect(await page.locator('#search').isVisible()).toBe(false);
    expect(await page.locator('h1').isVisible()).toBe(true);
  });
});

describe('the page', () => {
  it('refers to no other site, and holds its data as one inert script', async () => {
    const text = pageOf(await reportData(lines, { title: 't', rules: async () => null }));
    expect(text.match(/<script/g)).toHaveLength(2);
    expect(text.match(/<[^>]*(?:src|href)=/g)).toBeNull();
    expect(text).toContain("default-src 'none'");
    expect(readFileSync(new URL('../../src/report/report-script.ts', import.meta.url), 'utf8')).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function/,
    );
  });
});
