import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientName } from '../clients/client-call.js';

/** The program of each client, and the prefixes of the versions whose hooks were tested. */
const programs: Readonly<Record<ClientName, { readonly program: string; readonly tested: string }>> = {
  'claude-code': { program: 'claude', tested: '2.1' },
  codex: { program: 'codex', tested: '0.169' },
  gemini: { program: 'gemini', tested: '0.61' },
  copilot: { program: 'copilot', tested: '1.0' },
  opencode: { program: 'opencode', tested: '1.18' },
};

/** The client's program on this machine. */
export interface ProbedClient {
  /** Absolute path; null if it is not on the search path. */
  readonly program: string | null;
  /** Null if the program does not print its version. */
  readonly version: string | null;
  /** The tested versions, for people: `2.1.x`. */
  readonly tested: string;
  readonly isTested: boolean;
}

/** Finds the client's program on the search path, and asks it for its version. */
export async function probeClient(
  client: ClientName,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ProbedClient> {
  const { program: name, tested } = programs[client];
  const program = await onPath(name, environment.PATH ?? '');
  const version = program === null ? null : await versionOf(program, environment);
  const isTested = version?.startsWith(`${tested}.`) === true;
  return { program, version, tested: `${tested}.x`, isTested };
}

async function onPath(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(':').filter((each) => each.startsWith('/'))) {
    const file = join(folder, name);
    const isProgram = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) return file;
  }
  return null;
}

function versionOf(
  program: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  return new Promise((resolve) => {
    const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
    execFile(program, ['--version'], { env, timeout: 60_000, encoding: 'utf8' }, (error, stdout) =>
      resolve(error === null ? (/\b\d+\.\d+\.\d+\b/.exec(stdout)?.[0] ?? null) : null),
    );
  });
}
