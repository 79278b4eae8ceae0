import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerHook, askResident, type HookOptions, runResident } from '../src/index.js';
import { HookPlace } from './place.js';

const program = 'this program';
const folderOf = ({ state }: HookPlace) => join(state, 'resident');
const socketOf = (place: HookPlace) => join(folderOf(place), 'judge.sock');

function optionsOf(place: HookPlace, other: Partial<HookOptions> = {}): HookOptions {
  const { environment, policy } = place;
  const deadline = Date.now() + 60_000;
  return {
    client: 'claude-code',
    stage: 'before',
    policies: [policy],
    environment,
    program,
    deadline,
    ...other,
  };
}

const ask = (place: HookPlace, call: object, other: Partial<HookOptions> = {}) =>
  askResident(async () => JSON.stringify(call), optionsOf(place, other));

/** A resident judge in a state folder, which the hook that starts it has made. */
function begin(place: HookPlace, idle: number): Promise<void> {
  mkdirSync(place.state, { recursive: true, mode: 0o700 });
  return runResident({ environment: place.environment, program, idle });
}

/** Starts a resident judge, which ends once its place is gone. */
async function residentAt(place: HookPlace): Promise<void> {
  const ended = begin(place, 600_000);
  // It ends once its socket is gone with the folder.
  onTestFinished(() => rm(place.base, { recursive: true, force: true, maxRetries: 20 }));
  void ended.catch(() => undefined);
  await placed(place);
}

async function placed(place: HookPlace): Promise<void> {
  while (inodeOf(place) === undefined) await new Promise((resolve) => setImmediate(resolve));
}

function inodeOf(place: HookPlace): number | undefined {
  return lstatSync(socketOf(place), { throwIfNoEntry: false })?.ino;
}

/** Another process that took the place of the resident judge. */
async function impostorAt(place: HookPlace, answer: (connection: Socket) => void): Promise<void> {
  const own = join(place.base, 'impostor');
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    connection.on('error', () => undefined);
    answer(connection);
  });
  await new Promise<void>((resolve) => server.listen(own, resolve));
  onTestFinished(() => void server.close());
  chmodSync(own, 0o600);
  renameSync(own, socketOf(place));
}

function asFile(place: HookPlace): void {
  renameSync(socketOf(place), join(place.base, 'x'));
  writeFileSync(socketOf(place), '', { mode: 0o600 });
}

function asLink(path: string): void {
  renameSync(path, `${path}.moved`);
  symlinkSync(`${path}.moved`, path);
}

const another = (path: string) => chownSync(path, 12_345, 12_345);

/** What belongs to another user. */
const anothers: readonly [string, (place: HookPlace) => void][] = [
  ['its socket belongs to another user', (place) => another(socketOf(place))],
  ['its folder belongs to another user', (place) => another(folderOf(place))],
  ['its key belongs to another user', (place) => another(join(folderOf(place), 'key'))],
];

const allow = {
  exit: 0,
  stdout: '{"hookSpecificOutput":{"permissionDecision":"allow"}}',
  stderr: '',
};

describe('the resident judge', () => {
  it('gives the same answers as the hook, by the current policy', async () => {
    const place = new HookPlace();
    await residentAt(place);
    for (const call of [place.bash('echo hi > out/a'), place.bash('echo hi > made.txt')]) {
      const here = await answerHook(JSON.stringify(call), optionsOf(place));
      expect(await ask(place, call)).toEqual(here);
    }
    writeFileSync(place.policy, 'version: 1\ndefault: blocked\n');
    expect((await ask(place, place.bash('echo hi > out/a')))?.stdout).toContain('"deny"');
  });

  it('chooses who makes a call of Gemini by the current policy', async () => {
    const place = new HookPlace('version: 1\ndefault: pre_approved\n');
    await residentAt(place);
    const tell = async (tool_name: string, tool_input: object) => {
      const about = { session_id: 's', cwd: place.project, hook_event_name: 'BeforeTool' };
      return (await ask(place, { ...about, tool_name, tool_input }, { client: 'gemini' }))?.stdout;
    };
    expect(await tell('invoke_agent', { agent_name: 'helper', prompt: 'p' })).toContain('"allow"');
    const list = () => tell('list_directory', { dir_path: '.' });
    expect(await list()).toContain('"allow"');
    const blocked =
      'workers: { gemini: { capabilities: { fs.list: { decision: blocked, inherit: false } } } }';
    writeFileSync(place.policy, `version: 1\ndefault: pre_approved\n${blocked}\n`);
    expect(await list()).toContain('"deny"');
  });

  it('answers no other program and no other state folder', async () => {
    const place = new HookPlace();
    await residentAt(place);
    const call = place.bash('echo hi > out/a');
    expect(await ask(place, call)).not.toBe(null);
    expect(await ask(place, call, { program: 'a newer program' })).toBe(null);
    expect(await ask(place, call, { program: undefined })).toBe(null);
    const other = new HookPlace();
    mkdirSync(folderOf(other), { recursive: true, mode: 0o700 });
    chmodSync(other.state, 0o700);
    writeFileSync(join(folderOf(other), 'key'), readFileSync(join(folderOf(place), 'key')), { mode: 0o600 });
    renameSync(socketOf(place), socketOf(other));
    expect(await ask(other, call)).toBe(null);
  });

  it.each<[string, (connection: Socket) => void]>([
    ['that permits everything', (connection) => connection.end(JSON.stringify({ key: '', written: allow }))],
    [
      'that guesses the key',
      (connection) => connection.end(JSON.stringify({ key: 'a'.repeat(64), written: allow })),
    ],
    ['that says nothing', (connection) => connection.end()],
    ['that is killed during its answer', (connection) => connection.once('data', () => connection.destroy())],
    ['that answers in part', (connection) => connection.end('{"key":"')],
    ['that writes without end', (connection) => connection.write('x'.repeat(2_000_000))],
  ])('is not trusted by a hook if another process %s has its socket', async (_, answer) => {
    const place = new HookPlace();
    await residentAt(place);
    await impostorAt(place, answer);
    expect(await ask(place, place.bash('echo hi > made.txt'))).toBe(null);
  });

  it.each(['{"key":null,"written":', '{"key":"","written":', '{"written":'])(
    'is not trusted without a readable key, whatever key its answer shows: %s',
    async (start) => {
      const place = new HookPlace();
      await residentAt(place);
      await impostorAt(place, (connection) => connection.end(`${start}${JSON.stringify(allow)}}\n`));
      rmSync(join(folderOf(place), 'key'));
      expect(await ask(place, place.bash('echo hi > made.txt'))).toBe(null);
    },
  );

  it('is abandoned if it does not answer within half of the time', async () => {
    const place = new HookPlace();
    await residentAt(place);
    await impostorAt(place, () => undefined);
    expect(await ask(place, place.bash('ls'), { deadline: Date.now() + 200 })).toBe(null);
  });

  it.each<[string, (place: HookPlace) => void]>([
    ['its socket is open to others', (place) => chmodSync(socketOf(place), 0o666)],
    ['its folder is open to others', (place) => chmodSync(folderOf(place), 0o770)],
    ['its key is open to others', (place) => chmodSync(join(folderOf(place), 'key'), 0o666)],
    ['its key differs', (place) => writeFileSync(join(folderOf(place), 'key'), 'x'.repeat(32))],
    ['its socket is a file', (place) => asFile(place)],
    ['its socket is a link', (place) => asLink(socketOf(place))],
    ['its folder is a link', (place) => asLink(folderOf(place))],
    ['its key is a link', (place) => asLink(join(folderOf(place), 'key'))],
    [
      'its key has another name, too',
      (place) => linkSync(join(folderOf(place), 'key'), join(place.base, 'key')),
    ],
    ...(process.getuid?.() === 0 ? anothers : []),
  ])('is not asked if %s', async (_, change) => {
    const place = new HookPlace();
    await residentAt(place);
    expect(await ask(place, place.bash('ls'))).not.toBe(null);
    change(place);
    expect(await ask(place, place.bash('ls'))).toBe(null);
  });

  it.runIf(process.getuid?.() === 0)('ignores a policy of another user', async () => {
    const place = new HookPlace();
    await residentAt(place);
    chownSync(place.policy, 12_345, 12_345);
    expect(await ask(place, place.bash('ls'))).toBe(null);
    expect(await ask(place, place.bash('ls'), { policies: [join(place.base, 'missing.yaml')] })).toBe(null);
  });

  it.each<[string, (key: string) => void]>([
    ['is too short', (key) => writeFileSync(key, 'x')],
    ['is open to others', (key) => chmodSync(key, 0o666)],
    ['is a link', asLink],
  ])('replaces a key that %s at its start', async (_, damage) => {
    const place = new HookPlace();
    await begin(place, 10);
    damage(join(folderOf(place), 'key'));
    await residentAt(place);
    expect(await ask(place, place.bash('ls'))).not.toBe(null);
  });

  it('is connected to before the input is read, and gets nothing of an unusable one', async () => {
    const place = new HookPlace();
    await residentAt(place);
    const sent: unknown[] = [];
    let [connected, closed] = [(): void => undefined, (): void => undefined];
    const connecting = new Promise<void>((resolve) => {
      connected = resolve;
    });
    const closing = new Promise<void>((resolve) => {
      closed = resolve;
    });
    await impostorAt(place, (connection) => {
      connected();
      connection.on('data', (bytes) => sent.push(bytes)).on('end', () => connection.end(closed));
    });
    const input = async () => {
      await connecting;
      return null;
    };
    expect(await askResident(input, optionsOf(place))).toBe(null);
    await closing;
    expect(sent).toEqual([]);
  });

  it('ends when a later one replaces it', async () => {
    const place = new HookPlace();
    const first = begin(place, 60_000);
    await placed(place);
    // Another one renames its socket over this one.
    const own = join(place.base, 'other');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(own, resolve));
    renameSync(own, socketOf(place));
    await first;
    expect(inodeOf(place)).not.toBe(undefined);
    server.close();
  });

  it('ends when it is idle, and leaves no socket', async () => {
    const place = new HookPlace();
    await begin(place, 10);
    expect(inodeOf(place)).toBe(undefined);
    expect(await ask(place, place.bash('ls'))).toBe(null);
  });

  it('does not recreate a state folder that was removed during its start', async () => {
    const place = new HookPlace();
    await runResident({ environment: place.environment, program, idle: 600_000 });
    expect(existsSync(place.state)).toBe(false);
  });

  it('does not start if its folder cannot be created', async () => {
    const place = new HookPlace();
    mkdirSync(place.state, { mode: 0o700 });
    writeFileSync(folderOf(place), 'in the way');
    await expect(begin(place, 10)).rejects.toThrow();
    expect(await ask(place, place.bash('ls'))).toBe(null);
  });
});
