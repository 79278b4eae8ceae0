import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stateFolder } from './state-folder.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Notes in the state folder that this process drives a run. The function given takes the note back. */
export async function noteRunning(environment: Environment, run: string): Promise<() => Promise<void>> {
  const folder = runningFolder(environment);
  const file = join(folder, `${process.pid}-${run}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(file, (await processAt(process.pid))?.begun ?? '', { mode: 0o600 });
  return () => rm(file, { force: true });
}

/**
 * Whether a process that drives a run is an ancestor of this one. The system names the ancestors, so the
 * environment hides none; a daemon that left its parents is not found.
 */
export async function isBelowRun(environment: Environment, of = process.pid): Promise<boolean> {
  const noted = await notedProcesses(environment);
  const seen = new Set<number>();
  for (let pid = (await processAt(of))?.parent ?? 0; pid > 1 && !seen.has(pid); ) {
    seen.add(pid);
    const found = await processAt(pid);
    if (found === null) return false;
    if (noted.get(pid)?.includes(found.begun) === true) return true;
    pid = found.parent;
  }
  return false;
}

function runningFolder(environment: Environment): string {
  return join(stateFolder(environment), 'running');
}

/** When those processes began, by their numbers. A killed process leaves its note, and its number may be given again. */
async function notedProcesses(environment: Environment): Promise<ReadonlyMap<number, readonly string[]>> {
  const folder = runningFolder(environment);
  const noted = new Map<number, readonly string[]>();
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1]);
    const begun = await readFile(join(folder, name), 'utf8').catch(() => '');
    if (begun !== '') noted.set(pid, [...(noted.get(pid) ?? []), begun]);
  }
  return noted;
}

/** The parent of a process, and when it began, in the system's own ticks; null where the system does not say. */
async function processAt(pid: number): Promise<{ readonly parent: number; readonly begun: string } | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name in parentheses may hold anything, parentheses too.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [parent, begun] = [fields?.[1], fields?.[19]];
  return parent === undefined || begun === undefined ? null : { parent: Number(parent), begun };
}
