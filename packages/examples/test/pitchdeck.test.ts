import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isDeep, some } from '../../../test/depth.js';
import { callsIn } from '../calls.js';
import { readLog } from '../read-log.js';
import { build, type Ended, examples, npmStart, runNode, scratchFolder } from './run-example.js';

const home = join(examples, 'pitchdeck');
let folder = '';
let remove = async () => {};

const shared: (() => Promise<void>)[] = [];

/** One run in this mode with a log, for several tests. */
function runOnce(mode: string) {
  let run: Promise<Ended & { readonly folder: string; readonly log: string }> | undefined;
  return () => {
    run ??= scratchFolder().then(async (scratch) => {
      shared.push(scratch.remove);
      const log = join(scratch.folder, 'decisions.jsonl');
      const ended = await npmStart([mode, '--log', 'decisions.jsonl'], scratch.folder);
      return { ...ended, folder: scratch.folder, log };
    });
    return run;
  };
}
const approved = runOnce('--approve-all');
const strict = runOnce('--strict');

beforeAll(build, 300_000);
beforeEach(async () => {
  ({ folder, remove } = await scratchFolder());
});
afterEach(() => remove());
afterAll(() => Promise.all(shared.map((each) => each())));

describe('npm start', () => {
  it('writes a report on every deck, and says that a script replaced the model', async () => {
    const { exit, err, folder, log } = await approved();
    expect({ exit, err: exit === 0 ? '' : err }).toEqual({ exit: 0, err: '' });
    expect(err).toContain('no model reads the decks');
    expect(err).toContain('3 of 3 reports are new in ./reports\n');
    expect((await readdir(join(folder, 'reports'))).sort()).toEqual(['aurora.md', 'basalt.md', 'cinder.md']);
    expect(await readFile(join(folder, 'reports/cinder.md'), 'utf8')).toContain('**2 of 10**');
    const decisions = (await readLog(log)).filter(({ event }) => event === 'decision');
    expect(decisions.map(({ tool, decision }) => `${tool} ${decision}`).sort()).toEqual([
      ...Array(1).fill('filesystem.list_files pre_approved'),
      ...Array(3).fill('filesystem.write_file needs_approval'),
      ...Array(3).fill('worker.evaluator needs_approval'),
    ]);
  });

  it('explains itself in 80 columns, and says that a script replaces the model', async () => {
    const help = await npmStart(['--help'], folder);
    expect(help.exit).toBe(0);
    const { err } = await approved();
    const words = /ANTHROPIC_API_KEY is not set(?:.|\n)*?your answers and the log\./.exec(err)?.[0] ?? '';
    expect(words).not.toBe('');
    expect(`${help.out}${help.err}\n${words}`.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('reports the sharing, the reading and the untrusted content of each deck', async () => {
    const { exit, log } = await strict();
    expect(exit).toBe(0);
    const [call] = (await readLog(log)).filter(
      ({ tool, args }) => tool === 'worker.evaluator' && String(args?.attachments) === 'input/aurora.pdf',
    );
    const path = join(home, 'decks/aurora.pdf');
    const { length: bytes } = await readFile(path);
    expect(call?.capabilities?.map(({ name, ...facts }) => ({ name, ...facts, sha256: undefined }))).toEqual([
      { name: 'worker.call', worker: 'evaluator', attachments: 1 },
      { name: 'data.share', path, bytes, worker: 'evaluator' },
      { name: 'fs.read', path, by: 'toolset:worker' },
      { name: 'content.untrusted', source: path },
    ]);
  });

  it('asks about each deck because of its root, and about each report because of the policy', async () => {
    const asked = (await readLog((await approved()).log)).flatMap(({ event, tool, judgements = [] }) =>
      event === 'decision'
        ? judgements
            .filter(({ decision }) => decision === 'needs_approval')
            .map(({ rules }) => `${tool}: ${rules.at(-1)?.id}`)
        : [],
    );
    expect(asked.sort()).toEqual([
      ...Array(3).fill('filesystem.write_file: a-person-files-reports'),
      ...Array(3).fill('worker.evaluator: sandbox.paths.input.read_approval/data.share'),
    ]);
  });

  it('hands over only attachments that both workers accept', async () => {
    const input = join(folder, 'decks');
    await mkdir(input);
    for (const name of ['one.pdf', 'two.pdf', 'three.draft.pdf'])
      await copyFile(join(home, 'decks/aurora.pdf'), join(input, name));
    await writeFile(join(input, 'large.pdf'), '%PDF-1.7\n'.padEnd(10_000_001));
    const call = (...names: readonly string[]) => {
      const attachments = names.map((name) => `input/${name}`);
      return { call: [{ tool: 'evaluator', args: { input: 'Evaluate', attachments } }] };
    };
    const turns = [call('one.pdf', 'two.pdf'), call('large.pdf'), call('three.draft.pdf'), call('one.pdf')];
    const script = { orchestrator: turns, evaluator: [{ say: '5 of 10' }] };
    await writeFile(join(folder, 'mine.yaml'), JSON.stringify(script));
    const args = [
      '--input',
      'decks',
      '--model',
      'script:mine.yaml',
      '--approve-all',
      '--log',
      'decisions.jsonl',
    ];
    expect((await npmStart(args, folder)).exit).toBe(1);
    const came = callsIn(await readLog(join(folder, 'decisions.jsonl')));
    expect(came.map((each) => `${each.came}: ${each.why ?? ''}`)).toEqual([
      expect.stringContaining('cannot: orchestrator takes at most 1 attachments at once, not 2'),
      expect.stringContaining('cannot: evaluator takes at most 10000000 bytes of attachments at once'),
      expect.stringContaining('cannot: evaluator takes no attachment like `input/three.draft.pdf`'),
      'completed: ',
    ]);
  });

  it('says in strict mode that no report was written, and why', async () => {
    const { exit, err, folder } = await strict();
    expect({ exit, err: exit === 0 ? '' : err }).toEqual({ exit: 0, err: '' });
    expect(err).toContain('0 of 3 reports are new in ./reports\n  no report on aurora.pdf: strict: ');
    expect(await readdir(join(folder, 'reports')).catch(() => [])).toEqual([]);
  });

  it.skipIf(!isDeep)('does not count reports of an earlier run', async () => {
    await npmStart(['--approve-all'], folder);
    const { err } = await npmStart(['--strict'], folder);
    expect(err).toContain('0 of 3 reports are new');
    expect((await readdir(join(folder, 'reports'))).length).toBe(3);
  });

  it.skipIf(!isDeep)('accepts any folder of PDFs, and says that no model reads them', async () => {
    const input = join(folder, 'some decks');
    await mkdir(input);
    const odd = 'a "quote", ümlaut & $(touch pwned).pdf';
    for (const name of ['one.pdf', odd]) await copyFile(join(home, 'decks/aurora.pdf'), join(input, name));
    await writeFile(join(input, 'notes.txt'), 'not a deck');
    const { exit, err } = await npmStart(['--input', 'some decks', '--approve-all'], folder);
    expect({ exit, err: exit === 0 ? '' : err }).toEqual({ exit: 0, err: '' });
    expect(err).toContain('no model reads these decks');
    expect((await readdir(join(folder, 'reports'))).sort()).toEqual([odd.replace('.pdf', '.md'), 'one.md']);
    expect(await readFile(join(folder, 'reports/one.md'), 'utf8')).toContain('No model has read this deck');
  });

  it.skipIf(!isDeep)('accepts names in capitals, and lists unread decks', async () => {
    const input = join(folder, 'decks');
    await mkdir(input);
    await copyFile(join(home, 'decks/aurora.pdf'), join(input, 'AURORA.PDF'));
    await writeFile(join(input, 'empty.pdf'), '');
    const { exit, err } = await npmStart(['--input', 'decks', '--approve-all'], folder);
    expect({ exit, err: exit === 0 ? '' : err }).toEqual({ exit: 0, err: '' });
    expect(err).toContain('2 of 2 reports are new in ./reports\n  empty.pdf was reported on unread: ');
    expect(err).not.toContain('AURORA.PDF was');
    expect((await readdir(join(folder, 'reports'))).sort()).toEqual(['AURORA.md', 'empty.md']);
    await copyFile(join(home, 'decks/aurora.pdf'), join(input, 'AURORA.pdf'));
    expect(await npmStart(['--input', 'decks', '--approve-all'], folder)).toMatchObject({
      exit: 2,
      err: `pitchdeck: two decks in ${input} would share the report AURORA.md\n`,
    });
  });

  it.skipIf(!isDeep)('accepts a custom script, and exits with 1 if the script omits a deck', async () => {
    await writeFile(join(folder, 'mine.yaml'), 'orchestrator:\n  - say: all done\n');
    const { exit, err } = await npmStart(['--model', 'script:mine.yaml', '--approve-all'], folder);
    expect(exit).toBe(1);
    expect(err).toMatch(/^script:mine.yaml is given 3 decks of /);
    expect(err).toContain('no report on aurora.pdf, and the log holds no refusal that says why\n');
  });

  it('exits with 2 and a hint without a terminal and a mode', async () => {
    const { exit, err } = await npmStart([], folder);
    expect(exit).toBe(2);
    expect(err).toMatch(/--approve-all/);
    expect(err).toMatch(/--strict/);
    expect(err).not.toContain('reports are new');
    expect(await readdir(join(folder, 'reports')).catch(() => [])).toEqual([]);
  });

  it.each(
    some<[string[], string]>([
      [['--approve-al'], 'pitchdeck: unknown flag --approve-al: did you mean --approve-all\n'],
      [['--stric'], 'pitchdeck: unknown flag --stric: did you mean --strict\n'],
      [['--input'], 'pitchdeck: --input needs a value\n'],
      [['--model='], 'pitchdeck: --model needs a value\n'],
      [['--strict=yes'], 'pitchdeck: --strict takes no value\n'],
      [['decks'], 'pitchdeck: `decks` is not a flag: a folder is given as --input DIR\n'],
      [
        ['--strict', '--approve-all'],
        'pitchdeck: --approve-all and --strict answer the same question: give one of them\n',
      ],
      [['--input', 'nowhere', '--strict'], 'pitchdeck: the folder FOLDER/nowhere cannot be read\n'],
      [['--input', '.', '--strict'], 'pitchdeck: there is no PDF in FOLDER\n'],
    ]),
  )('refuses %j with exit code 2, before anything runs', async (args, message) => {
    const { exit, err } = await npmStart(args, folder);
    expect({ exit, err: err.replaceAll(folder, 'FOLDER').slice(0, message.length) }).toEqual({
      exit: 2,
      err: message,
    });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the decks', () => {
  it('equal the output of the committed script, byte for byte', async () => {
    await runNode([join(home, 'make-decks.mjs'), folder], { cwd: folder });
    const names = (await readdir(join(home, 'decks'))).sort();
    expect((await readdir(folder)).sort()).toEqual(names);
    for (const name of names) {
      const shipped = await readFile(join(home, 'decks', name));
      expect(shipped.equals(await readFile(join(folder, name)))).toBe(true);
    }
    expect(names).toEqual(['aurora.pdf', 'basalt.pdf', 'cinder.pdf']);
  });

  it('have a cross-reference table with the right offset of every object', async () => {
    for (const name of await readdir(join(home, 'decks'))) {
      const file = await readFile(join(home, 'decks', name), 'latin1');
      const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
      expect(file.slice(table, table + 5)).toBe('xref\n');
      const places = [...file.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) =>
        Number(place),
      );
      expect(places.map((place, index) => file.startsWith(`${index + 1} 0 obj\n`, place))).not.toContain(
        false,
      );
      expect(places.length).toBeGreaterThan(10);
    }
  });
});
