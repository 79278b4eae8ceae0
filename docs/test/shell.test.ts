import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDeep } from '../../test/depth.js';
import { type Block, blocksIn } from './blocks.js';
import { documents, root } from './documents.js';

const languages = ['sh', 'bash', 'shell', 'console'];

const tours = documents()
  .map((document) => ({
    path: document.path,
    blocks: blocksIn(document)
      .filter(({ language, info }) => languages.includes(language) && !info.includes('interactive'))
      .map((block) => ({ ...block, script: scriptOf(block) }))
      .filter(({ info, script }) => info.includes('files') || /(^|[\s/])ambit\s/m.test(script)),
  }))
  .filter(({ blocks }) => blocks.length > 0);

/** The pages of a newcomer always, all others in a deep run, also two that repeat the tests of the examples. */
const typedTours = tours.filter(
  ({ path }) =>
    isDeep || (/README|getting-started/.test(path) && !/(?:examples|working-day)\/README/.test(path)),
);

/** The files of the first tour, which others use too. */
const files = tours.flatMap(({ blocks }) => blocks).filter(({ info }) => info.includes('files'));

describe('commands in the documents', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'ambit-docs-'));
  const programs = join(scratch, 'programs');

  beforeAll(async () => {
    mkdirSync(programs);
    symlinkSync(join(root, 'bin/ambit'), join(programs, 'ambit'));
    // Builds when there is no build.
    await promisify(execFile)(join(root, 'bin/ambit'), ['--version'], { timeout: 300_000 });
  }, 300_000);

  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it('occur more than a few times', () => {
    expect(tours.flatMap(({ blocks }) => blocks).length).toBeGreaterThan(5);
  });

  // One folder a document, so that a tour may build on its own steps.
  it.each(typedTours)('work when typed: $path', async ({ path, blocks }) => {
    const cwd = join(scratch, path.replaceAll('/', '-'));
    mkdirSync(cwd);
    for (const name of ['bin', 'packages', 'docs']) symlinkSync(join(root, name), join(cwd, name));
    const env = {
      ...process.env,
      PATH: `${programs}${delimiter}${process.env.PATH ?? ''}`,
      AMBIT_HOME: join(cwd, '.state'),
      ANTHROPIC_API_KEY: '',
    };
    for (const block of [...files, ...blocks]) {
      const result = await typed(block.info.includes('terminal') ? atTerminal(block.script) : block.script, {
        cwd,
        env,
      });
      expect({
        at: block.at,
        exit: result.exit,
        said: result.exit === exitOf(block) ? '' : result.said,
      }).toEqual({
        at: block.at,
        exit: exitOf(block),
        said: '',
      });
    }
  });
});

/** What a reader would type: in `console` the lines after a `$`, otherwise all. `npm` is run by the tests of what it starts. */
function scriptOf({ language, text }: Block): string {
  const lines = text.replaceAll('\\\n', ' ').split('\n');
  const typedLines =
    language === 'console'
      ? lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2))
      : lines.map((line) => line.replace(/^\$ /, ''));
  return typedLines.filter((line) => !/^\s*(npm|npx|git|cd)\s/.test(line)).join('\n');
}

/** `exit=2` behind the language says that the last command ends so. */
function exitOf({ info }: Block): number {
  const word = info.find((each) => each.startsWith('exit='));
  return word === undefined ? 0 : Number(word.slice('exit='.length));
}

/** The same at a terminal of its own. */
function atTerminal(script: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return `script -qec ${quoted(`bash -e -o pipefail -c ${quoted(script)}`)} /dev/null`;
}

async function typed(script: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const running = promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', script], options);
  running.child.stdin?.end();
  return running.then(
    () => ({ exit: 0, said: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      exit: code,
      said: `${stdout}${stderr}`,
    }),
  );
}
