import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { ambit, folderOf, jsonLines } from '../../host.js';
import { hasTmux, Tmux } from '../../tmux.js';

const files = {
  'policy.yaml': 'version: 1\ndefault: needs_approval\ncapabilities: { fs.list: pre_approved }\n',
  'w.worker': `name: w
sandbox:
  paths:
    out: { root: ./out, mode: rw }
toolsets:
  filesystem: {}
---
Write what you are asked to write.
`,
  'script.yaml': `w:
  - call: [{ tool: write_file, args: { path: out/a.md, content: "hello\\n" } }]
  - say: "done \\e[2J"
`,
  'out/.keep': '',
};
const argv = ['run', '--policy', 'policy.yaml', '--model', 'script:script.yaml'];

/** The one log of a working folder in a state folder, where runs record by default. */
function logIn(folder: string, state: string) {
  const real = realpathSync(folder);
  const digest = createHash('sha256').update(real).digest('hex').slice(0, 16);
  const logs = join(state, 'log', `${basename(real)}-${digest}`);
  const [name = ''] = readdirSync(logs).filter((each) => each.endsWith('.jsonl'));
  return { file: join(logs, name), run: name.replace('.jsonl', '') };
}

describe('run', () => {
  it('executes unapproved calls with --approve-all, and reports that clearly', async () => {
    const folder = folderOf(files);
    const { exit, out, err } = await ambit([...argv, '--approve-all', 'w', 'go'], { folder });
    expect([exit, out]).toEqual([0, 'done \u001b[2J\n']);
    expect(readFileSync(join(folder, 'out/a.md'), 'utf8')).toBe('hello\n');
    expect(err).toMatch(/^ambit: --approve-all: every question is answered with yes, as far as the/);
    expect(err).toContain('1 mode:approve_all');
    expect(err).not.toContain('\u001b');
  });

  it('executes no call that needs approval with --strict, and still finishes', async () => {
    const folder = folderOf(files);
    const { exit, err } = await ambit([...argv, '--strict', '--quiet', 'w.worker'], { folder });
    expect(exit).toBe(0);
    expect(existsSync(join(folder, 'out/a.md'))).toBe(false);
    const { file } = logIn(folder, join(folder, '.local/state/ambit'));
    expect(err).toContain(
      `log       ${file}\nexplain   ambit log show CALL --log ${basename(file, '.jsonl')}\n`,
    );
    expect(await ambit(['log', 'verify', file], { folder })).toMatchObject({ exit: 0, err: '' });
  });

  it('writes its log in the state folder, where every command finds it by the run', async () => {
    const folder = folderOf(files);
    const environment = { AMBIT_HOME: folderOf() };
    const at = { folder, environment };
    const { err } = await ambit([...argv, '--strict', '--quiet', 'w.worker'], at);
    const { file, run } = logIn(folder, environment.AMBIT_HOME);
    expect(err).toContain(`log       ${file}\nexplain   ambit log show CALL --log ${run}\n`);
    expect(existsSync(join(folder, '.ambit'))).toBe(false);
    const commands = [
      ['log', 'verify', run],
      ['log', 'tail', run],
      ['log', 'show', '2', '--log', run],
      ['log', 'query', run],
      ['log', 'stats', run],
      ['log', 'export', run],
      ['report', run, '--out', '-'],
      ['replay', run, '--policy', 'policy.yaml'],
      ['learn', run],
      ['explain', '--policy', 'policy.yaml', '--log', run, '--seq', '2'],
    ];
    for (const command of commands) {
      const byFile = await ambit(
        command.map((word) => (word === run ? file : word)),
        at,
      );
      const byId = await ambit(command, at);
      expect([command, byId.exit, byId.err]).toEqual([command, 0, byFile.err.replaceAll(file, run)]);
      expect(byId.out.replaceAll(file, run)).toBe(
        byFile.out.replaceAll(file, run).replaceAll(basename(file), run),
      );
      // The beginning of an id is enough.
      const short = await ambit(
        command.map((word) => (word === run ? run.slice(0, -2) : word)),
        at,
      );
      expect([command, short.exit]).toEqual([command, 0]);
    }
    expect(await ambit(['log', 'verify', 'nosuchrun'], at)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('there is no log or run `nosuchrun` here'),
    });
  });

  it('finds the log of a run in a custom place, and in its former default place', async () => {
    const folder = folderOf(files);
    const at = { folder, environment: { AMBIT_HOME: folderOf() } };
    await ambit([...argv, '--strict', '--quiet', 'w.worker', '--log', 'logs/mine.jsonl'], at);
    const [entry = ''] = readFileSync(join(folder, 'logs/mine.jsonl'), 'utf8').split('\n');
    const { run } = JSON.parse(entry) as { run: string };
    expect(await ambit(['log', 'verify', run], at)).toMatchObject({ exit: 0, err: '' });
    mkdirSync(join(folder, '.ambit/log'), { recursive: true });
    renameSync(join(folder, 'logs/mine.jsonl'), join(folder, '.ambit/log/older.jsonl'));
    expect(await ambit(['log', 'verify', 'older'], at)).toMatchObject({ exit: 0, err: '' });
    expect(await ambit(['log', 'show', '2'], at)).toMatchObject({ exit: 0, err: '' });
  });

  it('reports input that does not match the worker, before anything is written', async () => {
    const asks = `name: w
input: { type: object, properties: { n: { type: number } }, required: [n], additionalProperties: false }
---
Count.
`;
    const folder = folderOf({ ...files, 'w.worker': asks });
    const { exit, out, err } = await ambit([...argv, '--strict', 'w', '{"n": "one"}'], { folder });
    expect([exit, out]).toEqual([2, '']);
    expect(err).toMatch(/^ambit: the input does not fit w: .*\nhint: see `input` in its file\n$/);
    expect(existsSync(join(folder, '.ambit'))).toBe(false);
  });

  const result = {
    v: 1,
    type: 'result',
    status: 'finished',
    output: 'done \u001b[2J',
    why: null,
    totals: { calls: 1, decisions: { needs_approval: 1 }, outcomes: { refused: 1 } },
  };

  it('prints all events as JSON lines with --json, ending with the result', async () => {
    const folder = folderOf(files);
    const { exit, out } = await ambit([...argv, '--strict', '--json', '--log', 'my.jsonl', 'w'], { folder });
    const lines = jsonLines(out) as readonly { v: number; type: string; event?: { event: string } }[];
    expect(exit).toBe(0);
    // In how many pieces a text comes is the endpoint's affair.
    const told = lines.filter(
      ({ type }, index) => type !== 'call_made' && (type !== 'model_text' || lines[index - 1]?.type !== type),
    );
    expect(
      told.map(({ v, type, event }) => `${v} ${type}${event === undefined ? '' : ` ${event.event}`}`),
    ).toEqual([
      '1 opened',
      '1 worker_started',
      '1 model_turn',
      '1 recorded decision',
      '1 recorded outcome',
      '1 model_text',
      '1 model_turn',
      '1 worker_finished',
      '1 result',
    ]);
    expect(lines.at(-1)).toMatchObject({ ...result, log: join(folder, 'my.jsonl') });
    expect(lines.at(-1)).toHaveProperty('run', (lines[0] as unknown as { run: string }).run);
    expect(out).not.toContain('\u001b');
  });

  it.each([
    ['--json', /^said \\u\{1b\}\[2J$/m],
    ['--quiet', /^run {7}\S+ finished\n/],
  ])('keeps console output of a toolset off stdout with %s', async (flag, err) => {
    const tools = `
const input = { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) };
const execute = () => { console.log('said \\u001b[2J'); return 'heard'; };
const speak = { name: 'speak', description: 'speaks', input, describe: () => ({ capabilities: [{ name: 'loud.speak' }] }), execute };
export default { name: 'loud', tools: [speak], capabilities: [{ name: 'loud.speak', facts: {}, words: 'speak' }] };
`;
    const ran = await ambit([...argv, '--approve-all', flag, 'w'], {
      files: {
        ...files,
        'loud.mjs': tools,
        'w.worker': 'toolsets: { ./loud.mjs: {} }\n---\nSpeak.\n',
        'script.yaml': 'w: [{ call: [{ tool: speak, args: {} }] }, { say: done }]\n',
      },
    });
    expect([ran.exit, ran.out.includes('said')]).toEqual([0, false]);
    expect(ran.err.replace(/^ambit: --approve-all(?:.|\n)*?refused\.\n/, '')).toMatch(err);
    expect(ran.err).toMatch(/^outcomes {2}2 completed$/m);
  });

  it('prints only the result as one JSON document with --json and --quiet', async () => {
    const folder = folderOf(files);
    const quiet = [...argv, '--strict', '--json', '--quiet', '--log', 'my.jsonl', 'w'];
    const { exit, out } = await ambit(quiet, { folder });
    expect([exit, JSON.parse(out)]).toMatchObject([0, { ...result, log: join(folder, 'my.jsonl') }]);
  });

  it('masks secrets of a call as the log does', async () => {
    const script = `w:
  - call: [{ tool: write_file, args: { path: out/a.md, content: "AKIAIOSFODNN7EXAMPLE password=hunter22" } }]
`;
    const folder = folderOf({ ...files, 'script.yaml': script });
    const { out, err } = await ambit([...argv, '--strict', '--json', 'w'], { folder });
    expect(out).toContain('masked:hmac-sha256:');
    expect(`${out}${err}`).not.toMatch(/AKIAIOSFODNN7EXAMPLE|hunter22|args_digest/);
  });

  it('reads `-` from stdin, and refuses non-text data', async () => {
    const script = { 'script.yaml': 'w:\n  - { for: über Zäune, say: heard }\n  - say: not heard\n' };
    const given = { folder: folderOf({ ...files, ...script }) };
    const piped = [...argv, '--strict', '--quiet', 'w', '-'];
    expect(await ambit(piped, { ...given, stdin: 'Wir reden\nüber Zäune.\n' })).toMatchObject({
      exit: 0,
      out: 'heard\n',
    });
    expect(await ambit(piped, { ...given, stdin: Buffer.from([0xff, 0xfe]) })).toMatchObject({
      exit: 2,
      out: '',
      err: 'ambit: the input on stdin is not UTF-8\n',
    });
    expect(await ambit(piped, { ...given, stdin: Buffer.alloc(8_000_001, 'a') })).toMatchObject({ exit: 2 });
  });

  it('exits with 1 and a message if the run exceeds its budget', async () => {
    const folder = folderOf(files);
    const over = await ambit([...argv, '--approve-all', '--max-calls', '0', 'w'], { folder });
    expect([over.exit, existsSync(join(folder, 'out/a.md'))]).toEqual([1, false]);
    expect(over.err).toMatch(/^run {7}\S+ stopped: over budget: the run may make 0 calls$/m);
    const within = ['--max-calls', '1', '--max-tokens', '1', '--max-minutes', '30.5'];
    expect((await ambit([...argv, '--approve-all', ...within, 'w'], { folder })).exit).toBe(0);
  });

  it.each([
    ['--max-calls', '-1'],
    ['--max-calls', 'many'],
    ['--max-tokens', '1.5'],
    ['--max-minutes', '0'],
    ['--max-minutes', '35001'],
    ['--max-minutes', 'NaN'],
  ])('rejects %s %s', async (flag, value) => {
    const { exit, out } = await ambit([...argv, '--strict', `${flag}=${value}`, 'w'], { files });
    expect([exit, out]).toEqual([2, '']);
  });

  it.each([
    ['orchestartor', 'did you mean orchestrator?'],
    ['./orchestartor.worker', 'did you mean orchestrator.worker?'],
    ['in/evaluater.worker', 'did you mean in/evaluator.worker?'],
    ['nobody', 'there is orchestrator.worker, w.worker'],
    ['out/nobody.worker', 'a worker is a file NAME.worker'],
  ])('suggests a worker for %s', async (name, hint) => {
    const workers = { ...files, 'orchestrator.worker': files['w.worker'], 'in/evaluator.worker': '---\n' };
    const { exit, err } = await ambit([...argv, '--strict', name], { files: workers });
    expect([exit, err.split('\n')[1]]).toEqual([2, `hint: ${hint}`]);
  });

  it('names a missing script as it was given', async () => {
    const model = ['run', '--policy', 'policy.yaml', '--strict', '--model', 'script:in/gone.yaml', 'w'];
    expect(await ambit(model, { files })).toEqual({
      exit: 2,
      out: '',
      err: 'in/gone.yaml:1:1 CANNOT_READ the script cannot be read: there is no such file\n\nambit: nothing was done: 1 mistake\n',
    });
  });

  it('exits with 1 if the run fails', async () => {
    const ended = { ...files, 'script.yaml': 'other:\n  - say: nothing\n' };
    expect((await ambit([...argv, '--strict', 'w'], { files: ended })).exit).toBe(1);
  });

  it.each([
    ['a policy that does not load', { 'policy.yaml': 'version: 1\ndefault: alow\n' }, []],
    ['a worker that does not load', { 'w.worker': 'name: w\ntolsets: {}\n---\n' }, []],
    ['open policies only', { 'policy.yaml': 'version: 1\ndefault: pre_approved\n' }, []],
    ['a missing attachment', {}, ['--attach', 'gone.pdf']],
    ['a context without `=`', {}, ['--context', 'ci']],
    ['a repeated context key', {}, ['--context', 'a=1', '--context', 'a=2']],
  ])('runs and writes nothing for %s', async (_, changed, more) => {
    const folder = folderOf({ ...files, ...changed });
    const { exit, out, err } = await ambit([...argv, '--strict', ...more, 'w'], { folder });
    expect([exit, out]).toEqual([2, '']);
    expect(err).toMatch(/^ambit: /m);
    expect(existsSync(join(folder, '.ambit'))).toBe(false);
  });

  it('passes the context to conditions as text', async () => {
    const policy = `version: 1
default: needs_approval
capabilities:
  fs.write: { decision: pre_approved, when: { "==": [{ var: context.env }, ci] } }
`;
    const folder = folderOf({ ...files, 'policy.yaml': policy });
    await ambit([...argv, '--strict', '--context', 'env=ci', 'w'], { folder });
    expect(existsSync(join(folder, 'out/a.md'))).toBe(true);
  });
});

describe.skipIf(!hasTmux)('run in a terminal', () => {
  let terminal: Tmux | null = null;
  afterEach(() => terminal?.end());
  const program = fileURLToPath(new URL('../../../../../bin/ambit', import.meta.url));

  const running = (folder: string) => {
    const then = `"$0" "$@"; echo "EXIT $? $(stty -a | grep -o -e '-*icanon')"`;
    terminal = new Tmux(['sh', '-c', then, program, ...argv, 'w', 'go'], folder);
    return terminal;
  };

  it('asks, executes approved calls, and shows model text escaped', async () => {
    const folder = folderOf(files);
    const tmux = running(folder);
    expect(await tmux.shows('v  show everything')).toContain('w wants to call filesystem.write_file');
    expect(existsSync(join(folder, 'out/a.md'))).toBe(false);
    tmux.type('o');
    const screen = await tmux.shows('EXIT');
    expect(screen).toMatch(/^EXIT 0 icanon/m);
    expect(screen).toContain('done \\u{1b}[2J');
    expect(readFileSync(join(folder, 'out/a.md'), 'utf8')).toBe('hello\n');
  });

  it('ends cleanly at ctrl-C, without executing the call', async () => {
    const folder = folderOf(files);
    const tmux = running(folder);
    await tmux.shows('v  show everything');
    tmux.type('C-c');
    expect(await tmux.shows('EXIT')).toMatch(/^EXIT 1 icanon/m);
    expect(existsSync(join(folder, 'out/a.md'))).toBe(false);
  });
});
