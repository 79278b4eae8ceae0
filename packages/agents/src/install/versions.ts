import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { orNull, shortened } from '@ambit/core';
import type { Environment } from '@ambit/runtime';
import type { ClientName } from '../clients/client-call.js';

/** The program of each client. Its hooks were tested with the first version and with one of the last series, which counts whole. */
const programs: Readonly<Record<ClientName, Tested>> = {
  'claude-code': { program: 'claude', first: '2.1.329', last: '2.1' },
  codex: { program: 'codex', first: '0.169.0', last: '0.171' },
  gemini: { program: 'gemini', first: '0.61.0', last: '0.61' },
  copilot: { program: 'copilot', first: '1.0.102', last: '1.0' },
  opencode: { program: 'opencode', first: '1.18.33', last: '1.18' },
};

interface Tested {
  readonly program: string;
  readonly first: string;
  readonly last: string;
}

/** The client's program on this machine. */
export interface ProbedClient {
  /** What the program is called. */
  readonly name: string;
  /** Absolute path; null if it is not on the search path. */
  readonly program: string | null;
  /** Null if the program does not print its version. */
  readonly version: string | null;
  /** The first line that it prints in place of its version. */
  readonly said: string | null;
  /** The tested versions, for people: `2.1.329 to 2.1.x`. */
  readonly tested: string;
  readonly isTested: boolean;
}

/** Finds the client's program on the search path, and asks it for its version. */
export async function probeClient(client: ClientName, environment: Environment): Promise<ProbedClient> {
  const { program: name, first, last } = programs[client];
  const program = onPath(name, environment.PATH ?? '');
  const { version, said } =
    program === null ? { version: null, said: null } : await versionOf(program, environment);
  const isTested =
    version !== null && order(first, version) <= 0 && order(version, last, last.split('.').length) <= 0;
  return { name, program, version, said, tested: `${first} to ${last}.x`, isTested };
}

/** The first Claude Code that calls a hook for a command in the text of a skill, and accepts settings with that event. */
export const firstWithSkillHook = '2.1.332';

export function hasSkillHook(version: string | null): boolean {
  return version === null || order(firstWithSkillHook, version) <= 0;
}

/** Negative if the first version is earlier, by its first `parts` numbers. */
function order(one: string, other: string, parts = 3): number {
  const [ones, others] = [one, other].map((each) => each.split('.').slice(0, parts).map(Number));
  return (ones ?? []).map((each, at) => each - (others?.[at] ?? 0)).find((each) => each !== 0) ?? 0;
}

function onPath(name: string, path: string): string | null {
  const folders = path.split(':').filter((each) => each.startsWith('/'));
  const files = folders.map((folder) => join(folder, name));
  return files.find((file) => orNull(() => accessSync(file, constants.X_OK)) !== null) ?? null;
}

function versionOf(
  program: string,
  environment: Environment,
): Promise<Pick<ProbedClient, 'version' | 'said'>> {
  return new Promise((resolve) => {
    const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
    execFile(program, ['--version'], { env, timeout: 60_000, encoding: 'utf8' }, (error, stdout, stderr) => {
      const version = error === null ? (/\b\d+\.\d+\.\d+\b/.exec(stdout)?.[0] ?? null) : null;
      const first = stripVTControlCharacters(`${stderr}\n${stdout}`).trim().split('\n', 1)[0] ?? '';
      resolve({ version, said: version === null && first !== '' ? shortened(first, 200) : null });
    });
  });
}
