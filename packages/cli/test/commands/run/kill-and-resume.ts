import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import type { VerifierKey } from '@ambit/audit';
import { makeSigningKey, openStateFolder, type Store } from '@ambit/runtime';
import { KilledLogs } from '../../../../audit/test/log/write/killed-logs.js';
import { ledgerOf } from '../../../../runtime/test/killed/ledger.js';
import { Person } from './killed-person.js';
import { lines, makePlace, type Place, type Started, start } from './killed-place.js';

/** What went wrong, or nothing; and how often it was killed while it was under way. */
export interface Killed {
  readonly wrong: readonly string[];
  readonly kills: number;
  readonly answers: number;
  /** The number of calls that had started when it was killed, with unknown outcomes. */
  readonly unknown: number;
}

/**
 * One run that is killed at moments that follow from the seed, resumed each time, and brought to its end. Its log, signed every
 * other time, verifies after each.
 */
export async function killAndResume(seed: number): Promise<Killed> {
  // Every fourth asks nobody.
  const place = makePlace(seed % 4 === 0 ? '--approve-all' : '--wait');
  const random = createRandom(seed);
  const person = await Person.at(place, random);
  const logs = new KilledLogs(place.folder, (seed >> 1) % 2 === 1 ? await signerOf(place) : null);
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
      if (isKilled) {
        kills += 1;
        if (run !== null) logs.add((await person.store.run(run))?.log ?? '');
      } else if (exit === 0) break;
      else return { wrong: [`it ended with ${exit}: ${err}`], kills, ...person.counts };
      // Killed when all was done but to go.
      if (run !== null && (await isFinished(person.store, run))) break;
    }
    const last =
      run === null || !(await isFinished(person.store, run)) ? await toTheEnd(place, person) : null;
    return {
      wrong: [...(last === null ? [] : [last]), ...(await wrongIn(place, person, logs))],
      kills,
      ...person.counts,
    };
  } finally {
    await person.store.close();
    rmSync(place.folder, { recursive: true, force: true });
  }
}

async function toTheEnd(place: Place, person: Person): Promise<string | null> {
  const { exit, err } = await ended(start(place, await latestRun(person.store)), person);
  return exit === 0 ? null : `it ended with ${exit}: ${err}`;
}

/** Kills it after a while, or shortly after a number of steps; false if it finished before. */
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

/** The newest run that can be resumed: one that was killed before it knew its task cannot. */
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

async function wrongIn(place: Place, { store, wrong }: Person, logs: KilledLogs): Promise<readonly string[]> {
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
  logs.add(run.log);
  return [...found, ...(await logs.wrong())];
}

async function signerOf(place: Place): Promise<VerifierKey> {
  return (await makeSigningKey(await openStateFolder(place.environment, place.root))).key.verifier;
}

/** The texts of a list that are left when each of the others has taken one away. */
function without(list: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...list];
  for (const other of others) if (left.includes(other)) left.splice(left.indexOf(other), 1);
  return left;
}

/** The number of calls that were refused because of an unknown outcome. */
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
