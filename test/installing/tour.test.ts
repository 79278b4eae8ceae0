import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { blocksIn } from '../../docs/test/blocks.js';
import { hasTmux, Tmux } from '../../packages/cli/test/tmux.js';
import { pack } from '../../scripts/release/pack.mjs';
import { isDeep } from '../depth.js';
import { run } from './managers.js';

const limit = 600_000;
const running = "npx ambit run writer.worker 'Say hello' --policy ask.yaml --model script:script.yaml";

/** The journeys of an auditor and of a worker's developer, by the pages that the tarballs bring. */
describe.skipIf(!isDeep || !hasTmux)('with only the installed pages', () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'tour-')));
  beforeAll(async () => {
    const project = join(place, 'project');
    mkdirSync(project);
    const words = ['npm', 'install', '--prefer-offline', ...pack(join(place, 'tarballs'))] as const;
    expect(await run(project, [...words, '@anthropic-ai/sdk@1.11.0'])).toMatchObject({ exit: 0 });
  }, limit);
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  /** What a page has its reader type, as the program is called here. */
  const commandsOf = (page: string, kind = /^/) => {
    const path = join(place, 'project/node_modules/@ambit/cli/docs', page);
    return blocksIn({ path: page, text: readFileSync(path, 'utf8') })
      .filter(({ language, info }) => language === 'sh' && kind.test(info.join(' ')))
      .map(({ text, info }) => ({ info, text: text.replace(/(?<![\w./@-])ambit (?=[a-z])/g, 'npx ambit ') }));
  };
  const typed = (text: string, env = '') =>
    run(join(place, 'project'), ['bash', '-e', '-o', 'pipefail', '-c', `${env}\n${text}`]);

  it(
    'an auditor can write a policy, run, report, verify, replay and learn',
    async () => {
      const follow = async (page: string) => {
        for (const { text } of commandsOf(page))
          expect({ text, ...(await typed(text)) }).toMatchObject({ exit: 0 });
      };
      await follow('getting-started.md');
      // Before there is a key, by which a log without signatures does not verify.
      const after = ['replay', 'learn'].map((command) => `npx ambit ${command} run.jsonl --policy ask.yaml`);
      const told = await typed(after.join('\n'));
      expect(told).toMatchObject({ exit: 0 });
      await follow('decision-log.md');
      expect(told.out).toContain('1 call judged again: 1 the same');
    },
    limit,
  );

  it('CI without a terminal learns which options are missing', async () => {
    await typed(commandsOf('getting-started.md', /files/)[0]?.text ?? '');
    const { exit, err } = await typed(running, 'export CI=true');
    expect([exit, err]).toEqual([2, expect.stringContaining('or --park to resume later')]);
  });

  it.each([
    [80, 24, ''],
    [120, 40, 'export NO_COLOR=1'],
    [80, 24, 'export TERM=dumb'],
    [40, 40, ''],
  ])(
    'a developer can answer, park, answer elsewhere and resume: %d columns, %d rows, %s',
    async (columns, rows, environment) => {
      const folder = join(place, 'project');
      await typed(`rm -rf out .state\n${commandsOf('getting-started.md', /files/)[0]?.text}`);
      const tmux = new Tmux(['bash', '--norc'], folder, { columns, rows });
      onTestFinished(() => tmux.end());
      tmux.type(
        `export PS1='$ ' AMBIT_HOME=${folder}/.state npm_config_loglevel=silent; ${environment}`,
        'Enter',
      );
      tmux.type(`clear; ${running}`, 'Enter');
      await tmux.shows('stop the run');
      const seen = tmux.visible;
      for (const part of [
        'It would',
        'Needs approval because',
        'you wanted to see a question',
        'approve this call only',
      ])
        expect(seen).toContain(part);
      if (environment !== '') expect(tmux.coloured).not.toContain('\u001b[3');
      await tmux.typesUntil('z', 'the keys are y k n a e l s v');
      tmux.type('l');
      await tmux.shows('left open');
      tmux.type('C-c');
      // A narrow terminal breaks the line.
      await tmux.shows('ambit: parking the run');
      await tmux.shows('resume ');
      tmux.type(
        'clear; npx ambit approvals approve --run "$(npx ambit runs --json | cut -d\'"\' -f6)"',
        'Enter',
      );
      await tmux.shows('[y/N]');
      tmux.type('y', 'Enter');
      await tmux.shows('resumes it');
      tmux.type('clear; npx ambit run --resume "$(npx ambit runs --json | cut -d\'"\' -f6)"', 'Enter');
      await tmux.shows('The greeting is written.');
      expect(readFileSync(join(folder, 'out/hello.txt'), 'utf8')).toBe('Hello.\n');
    },
    limit,
  );
});
