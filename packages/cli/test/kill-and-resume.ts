import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyLog } from '@ambit/audit';
import { type Answer, openStateFolder, openStore, type Store, type StoredQuestion } from '@ambit/runtime';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Lines that end up in the ledger: each once. `no` is refused for good, though the model asks for it twice. */
const lines = ['one', 'two', 'free 1', 'three', 'four', 'five', 'free 2', 'kept 1', 'kept 2', 'kept 3'];
const add = (...list: readonly string[]) => ({ call: list.map((line) => ({ tool: 'add', args: { line } })) });

const files: Readonly<Record<string, string | object>> = {
  'policy.yaml': {
    version: 1,
    default: 'needs_approval',
    capabilities: {
      'ledger.add': [
        { decision: 'needs_approval', match: { line: 'kept*' } },
        { decision: 'needs_approval', except: { line: ['kept*', 'free*'] } },
        { decision: 'pre_approved', match: { line: 'free*' } },
      ],
      'code.load': 'pre_approved',
      'worker.call': 'pre_approved',
    },
    grants: { remember: 'run', reach: 'capability' },
  },
  'main.worker': `${JSON.stringify({ toolsets: { './ledger.mjs': {}, helper: {} } })}\n---\nWork.\n`,
  'helper.worker': `${JSON.stringify({ toolsets: { './ledger.mjs': {} } })}\n---\nHelp.\n`,
  'script.yaml': {
    main: [
      add('one', 'two', 'no'),
      { call: [{ tool: 'helper', args: { input: 'go' } }, ...add('three').call] },
      add('no', 'free 1'),
      { say: 'all is done' },
    ],
    helper: [add('four', 'free 2'), add('kept 1'), add('kept 2', 'kept 3'), add('five'), { say: 'helped' }],
  },
  // Slow enough to be killed in the middle: before it has done anything, and after.
  'ledger.mjs': `
import { appendFileSync } from 'node:fs';
const wait = (most) => new Promise((done) => setTimeout(done, Math.random() * most));
export default {
  name: 'ledger',
  capabilities: [],
  tools: [
    {
      name: 'add',
      description: 'Adds a line.',
      input: { json: { type: 'object' }, parse: (value) => ({ ok: true, value }) },
      describe: ({ line }) => ({ capabilities: [{ name: 'ledger.add', line }] }),
      execute: async ({ line }) => {
        await wait(15);
        appendFileSync(new URL('./ledger.txt', import.meta.url), line + '\\n');
        await wait(15);
        return 'added';
      },
    },
  ],
};
`,
};

/** What went wrong, or nothing; and how often it was killed while it was under way. */
export interface Killed {
  readonly wrong: readonly string[];
  readonly kills: number;
  readonly answers: number;
  /** How many calls had begun when it was killed, so that nobody knew what came of them. */
  readonly unknown: number;
}

/** One run that is killed at moments that follow from the seed, resumed each time, and brought to its end. */
export async function killAndResume(seed: number): Promise<Killed> {
  // Every fourth asks nobody.
  const place = makePlace(seed % 4 === 0 ? '--approve-all' : '--wait');
  const random = createRandom(seed);
  const person = await Person.at(place, random);
  let kills = 0;
  try {
    let run: string | null = null;
    for (const left of [...Array(1 + Math.floor(random() * 4)).keys()].reverse()) {
      const started = start(place, run);
      // The last one comes to its end, unless it was killed before there was a run to go on with.
      const [isKilled, { exit, err }] = await Promise.all([
        left > 0 && killedSomewhere(started.child, person.store, random),
        ended(started, person),
      ]);
      run = await latestRun(person.store);
      if (isKilled) kills += 1;
      else if (exit === 0) break;
      else return { wrong: [`it ended with ${exit}: ${err}`], kills, ...person.counts };
      // Killed when all was done but to go.
      if (run !== null && (await isFinished(person.store, run))) break;
    }
    const last =
      run === null || !(await isFinished(person.store, run)) ? await toTheEnd(place, person) : null;
    return {
      wrong: [...(last === null ? [] : [last]), ...(await wrongIn(place, person))],
      kills,
      ...person.counts,
    };
  } finally {
    await person.store.close();
    rmSync(place.folder, { recursive: true, force: true });
  }
}

interface Place {
  /** Who answers. */
  readonly flag: '--wait' | '--approve-all';
  readonly folder: string;
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

function makePlace(flag: Place['flag']): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-killed-')));
  const root = join(folder, 'work');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const environment = { PATH: process.env.PATH, HOME: folder, AMBIT_HOME: join(folder, 'state') };
  return { flag, folder, root, environment };
}

interface Started {
  readonly child: ChildProcess;
  /** Its exit code; null where it was killed. */
  readonly over: Promise<number | null>;
  /** What it has said on stderr. */
  readonly said: () => string;
}

function start({ flag, root, environment }: Place, run: string | null): Started {
  const argv =
    run === null
      ? ['main', 'work', '--policy', 'policy.yaml', '--model', 'script:script.yaml', flag]
      : ['--resume', run, ...(flag === '--wait' ? [flag] : [])];
  const child = spawn(process.execPath, [program, 'run', ...argv, '--quiet'], {
    cwd: root,
    detached: true,
    env: { ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const over = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, over, said: () => err };
}

async function toTheEnd(place: Place, person: Person): Promise<string | null> {
  const { exit, err } = await ended(start(place, await latestRun(person.store)), person);
  return exit === 0 ? null : `it ended with ${exit}: ${err}`;
}

/** Kills it after a while, or after so many steps and a moment; false where it was faster. */
async function killedSomewhere(child: ChildProcess, store: Store, random: () => number): Promise<boolean> {
  const [byTime, time, more, moment] = [
    random() < 0.3,
    random() * 1500,
    Math.floor(random() * 40),
    random() * 12,
  ];
  const before = await stepsIn(store);
  const begun = performance.now();
  for (;;) {
    if (child.exitCode !== null) return false;
    const isDue = byTime ? performance.now() - begun > time : (await stepsIn(store)) >= before + more;
    if (isDue) break;
    await pause(2);
  }
  await pause(byTime ? 0 : moment);
  if (child.exitCode !== null || child.pid === undefined) return false;
  process.kill(-child.pid, 'SIGKILL');
  return true;
}

async function stepsIn(store: Store): Promise<number> {
  const run = await latestRun(store);
  return run === null ? 0 : (await store.steps(run)).length;
}

/** The newest run that can be gone on with: one that was killed before it knew what it was asked cannot. */
async function latestRun(store: Store): Promise<string | null> {
  const [newest] = await store.runs();
  if (newest === undefined) return null;
  return (await store.steps(newest.id)).some(({ step }) => step === 'entry') ? newest.id : null;
}

async function isFinished(store: Store, run: string): Promise<boolean> {
  return (await store.run(run))?.status === 'finished';
}

async function ended(
  { over, said }: Started,
  person: Person,
): Promise<{ readonly exit: number | null; readonly err: string }> {
  let exit: number | null | undefined;
  const done = over.then((code) => {
    exit = code;
  });
  while (exit === undefined) await Promise.race([done, pause(5).then(() => person.look())]);
  return { exit, err: said() };
}

/** Answers what waits, at times that nobody knows, and remembers what was answered. */
class Person {
  /** Calls by what was asked about them. */
  readonly answered = new Set<string>();
  readonly wrong: string[] = [];

  constructor(
    readonly store: Store,
    readonly place: Place,
    readonly random: () => number,
  ) {}

  static async at(place: Place, random: () => number): Promise<Person> {
    return new Person(await openStore(await openStateFolder(place.environment, place.root)), place, random);
  }

  get counts() {
    const unknown = [...this.answered].filter((about) => about.includes(' ')).length;
    return { answers: this.answered.size - unknown, unknown };
  }

  async look(): Promise<void> {
    for (const question of await this.store.questions())
      if (question.state === 'waiting' && this.random() < 0.5) await this.#answer(question);
  }

  async #answer({ question, digest }: StoredQuestion): Promise<void> {
    const line = question.args.line as string;
    const isUnknown = question.again?.includes('is not known') === true;
    const about = `${question.call}${isUnknown ? ` ${question.id}` : ''}`;
    if (this.answered.has(about))
      this.wrong.push(`${line} was asked about again: ${JSON.stringify(question)}`);
    // What was kept answers the ones that come after it.
    if (/^kept [23]$/.test(line) && !isUnknown)
      this.wrong.push(`${line} is answered by what was kept, and asked about`);
    if (line.startsWith('free') && !isUnknown) this.wrong.push(`${line} needs no answer, and is asked about`);
    const taken = await this.store.answer(question.id, {
      digest,
      answer: this.#say(line, isUnknown),
      at: Date.now(),
    });
    if (taken === 'taken') this.answered.add(about);
  }

  /** Whoever is asked whether to do again what may be done looks whether it is. */
  #say(line: string, isUnknown: boolean): Answer {
    const isDone = isUnknown && ledgerOf(this.place).includes(line);
    if (line === 'no' || isDone) return { answer: 'refuse', person: 'ada' };
    if (line === 'kept 1' && !isUnknown)
      return { answer: 'approve', person: 'ada', keep: { remember: 'run', reach: 'capability' } };
    return { answer: 'approve', person: 'ada' };
  }
}

function ledgerOf({ root }: Place): readonly string[] {
  const file = join(root, 'ledger.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

async function wrongIn(place: Place, { store, wrong }: Person): Promise<readonly string[]> {
  const found = [...wrong];
  const [run] = await store.runs();
  if (run?.status !== 'finished') found.push(`the run is ${run?.status}`);
  const ledger = ledgerOf(place);
  const wanted = place.flag === '--wait' ? lines : [...lines, 'no', 'no'];
  const missing = without(wanted, ledger);
  // What had begun is not done again where nobody can be asked whether it is done.
  const mayBeMissing = place.flag === '--wait' ? 0 : unknownIn(run?.log);
  if (without(ledger, wanted).length > 0 || missing.length > mayBeMissing)
    found.push(`the ledger holds ${ledger.join(', ')}; ${mayBeMissing} may be missing`);
  const waiting = (await store.questions()).filter(
    ({ state, run: of }) => state === 'waiting' && of === run?.id,
  );
  if (waiting.length > 0) found.push(`${waiting.length} questions wait after the end`);
  if (run === undefined) return found;
  const verification = await verifyLog(run.log);
  if (!verification.ok) found.push(`the log does not verify: ${JSON.stringify(verification)}`);
  return found;
}

/** The texts of a list that are left when each of the others has taken one away. */
function without(list: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...list];
  for (const other of others) if (left.includes(other)) left.splice(left.indexOf(other), 1);
  return left;
}

/** How many calls of a log were refused because nobody knew what had come of them. */
function unknownIn(log: string | undefined): number {
  if (log === undefined) return 0;
  return readFileSync(log, 'utf8').split('"code":"unknown_outcome"').length - 1;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A small generator of its own, so that a seed gives the same moments again, as far as time can be had again. */
function createRandom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}
