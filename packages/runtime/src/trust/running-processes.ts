import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { processAt, readRegularSync, writeWhole } from '@ambit/audit';
import { orNull } from '@ambit/core';
import { longest } from './own-files.js';
import { type Environment, stateFolder } from './state-folder.js';

/** The returned function removes the note. */
export async function noteRunning(environment: Environment, run: string): Promise<() => Promise<void>> {
  const note = await writeNote(environment, `${process.pid}-${run}`, processAt(process.pid)?.start ?? '');
  return () => rm(note, { force: true });
}

async function writeNote(environment: Environment, name: string, start: string): Promise<string> {
  const folder = runningFolder(environment);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeWhole(join(folder, name), start);
  return join(folder, name);
}

/** The end of a note's name if the run hides its parents. No run's id has it. */
const hidden = '~';

interface ClientProcess {
  readonly client: string;
  readonly run: string;
  readonly startedBy: number;
  /** Whether the run may be a sub-agent's of another one. */
  readonly hidesParents?: boolean | undefined;
}

/** Notes the agent that started a hook, and removes notes of agents that ended. The number of its process; null if unknown. */
export async function noteClient(
  environment: Environment,
  { client, run, startedBy, hidesParents = false }: ClientProcess,
): Promise<number | null> {
  const found = agentAbove(startedBy);
  if (found === null) return null;
  const folder = runningFolder(environment);
  const name = `${found.pid}-${run}${hidesParents ? hidden : ''}`;
  if (textNow(join(folder, name)) === found.start) return found.pid;
  await writeNote(environment, name, found.start);
  await removeEnded(folder, client);
  return found.pid;
}

/** The other runs of this client that its processes noted, if this one or the other may be a sub-agent's. */
export async function runsBeside(
  environment: Environment,
  { client, run, hidesParents = false }: Omit<ClientProcess, 'startedBy'>,
): Promise<readonly string[]> {
  const names = await readdir(runningFolder(environment)).catch((): string[] => []);
  const noted = names.map((name) => {
    const [pid, isHidden] = [name.split('-', 1)[0], name.endsWith(hidden)];
    return { pid, of: name.slice(name.indexOf('-') + 1, isHidden ? -hidden.length : undefined), isHidden };
  });
  const pids = new Set(noted.filter(({ of }) => of === run).map(({ pid }) => pid));
  return noted.flatMap(({ pid, of, isHidden }) =>
    of !== run && of.startsWith(`${client}-`) && pids.has(pid) && (hidesParents || isHidden) ? [of] : [],
  );
}

/** Only notes of this client: its sessions write theirs again at each call, and runs do not. */
async function removeEnded(folder: string, client: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid, run = ''] = /^(\d+)-(.*)$/s.exec(name) ?? [];
    if (!run.startsWith(`${client}-`)) continue;
    const begun = textNow(join(folder, name));
    // An empty one is being written.
    if (begun !== '' && processAt(Number(pid))?.start !== begun)
      await rm(join(folder, name), { force: true });
  }
}

/** How the agent that runs a hook was started. */
export interface AgentStart {
  /** Its program and its arguments. */
  readonly words: readonly string[];
  readonly variables: Environment;
}

/** Null if unknown. The arguments are missing for a process that changed its title. */
export function startOfAgent(startedBy: number): AgentStart | null {
  const found = agentAbove(startedBy);
  if (found === null) return null;
  const [words, set] = ['cmdline', 'environ'].map((name) =>
    textNow(`/proc/${found.pid}/${name}`, 'utf8').split('\0').slice(0, -1),
  ) as [string[], string[]];
  const hasNewTitle = words.length > 1 && words.slice(1).every((each) => each === '');
  // A byte outside UTF-8 stands for another one.
  const isUnclear = [...words, ...set].some((each) => each.includes('\uFFFD'));
  if (words.length === 0 || set.length === 0 || hasNewTitle || isUnclear) return null;
  const named = set.map((each) => [each.split('=', 1)[0] ?? '', each.slice(each.indexOf('=') + 1)] as const);
  return { words, variables: Object.fromEntries(named) };
}

/** The nearest ancestor without shells that only start a hook; below a terminal's shell, what a person started there. */
function agentAbove(pid: number): { readonly pid: number; readonly start: string } | null {
  let below = process.ppid === pid ? process.pid : 0;
  for (let at = pid, round = 0; at > 1 && round < 8; round += 1) {
    const found = processAt(at);
    if (found === null) return null;
    if (!/^(?:(?:ba|da|z|k|fi)?sh|env|timeout)$/.test(found.name)) return { pid: at, start: found.start };
    // What started this shell may hold all terminals of the person, who answers in another one.
    if (found.session === at && found.terminal !== 0) {
      const start = processAt(below)?.start;
      return start === undefined ? null : { pid: below, start };
    }
    [below, at] = [at, found.parent];
  }
  return null;
}

/** Whether a run or an agent started this process. A daemon that left its parents is not found. */
export async function isBelowRun(environment: Environment, of = process.pid): Promise<boolean> {
  const noted = await notedProcesses(environment);
  const seen = new Set<number>();
  for (let pid = processAt(of)?.parent ?? 0; pid > 1 && !seen.has(pid); ) {
    seen.add(pid);
    const found = processAt(pid);
    if (found === null) return false;
    if (noted.has(`${pid} ${found.start}`)) return true;
    pid = found.parent;
  }
  return false;
}

function runningFolder(environment: Environment): string {
  return join(stateFolder(environment), 'running');
}

/** Each as its number and its start time. A killed process leaves its note; numbers are reused. */
async function notedProcesses(environment: Environment): Promise<ReadonlySet<string>> {
  const folder = runningFolder(environment);
  const names = await readdir(folder).catch((): string[] => []);
  return new Set(names.map((name) => `${name.split('-', 1)[0]} ${textNow(join(folder, name))}`));
}

/** Synchronous: these files are small, and a thread takes longer. Empty for anything but a regular file. */
function textNow(path: string, encoding: BufferEncoding = 'latin1'): string {
  return orNull(() => readRegularSync(path, { most: longest }).toString(encoding)) ?? '';
}
