import { spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import {
  askResident,
  clientNames,
  failedHook,
  type HookOptions,
  isClientName,
  mostInput,
  type Written,
} from '@ambit/agents';
import { type Exit, exits } from '../../failure.js';
import { type Host, write } from '../../host.js';

export interface AnswerOptions {
  /** Loads what judges a call in this process. It is large, and a call that a resident judge answers does without. */
  readonly judge: () => Promise<typeof import('./judge-here.js')>;
  readonly policy: readonly string[];
  readonly after?: boolean;
  readonly home?: string;
  readonly state?: string;
  readonly path?: string;
  readonly resident?: boolean;
  readonly approvals?: string;
  readonly timeout: number;
}

/**
 * Answers one hook call. Nothing comes from the environment: a client passes on what a repository's settings put there. Whatever
 * is wrong refuses the call with exit code 2, which every client takes for a refusal.
 */
export async function answer(host: Host, client: string, options: AnswerOptions): Promise<Exit> {
  const began = Date.now();
  const written = await Promise.race([
    answered(host, client, { ...options, began }),
    tooLate(options.timeout),
  ]);
  if (written.stderr !== '') await write(host.stderr, written.stderr);
  if (written.stdout !== '') await write(host.stdout, written.stdout);
  return written.exit;
}

async function answered(
  host: Host,
  client: string,
  {
    policy,
    after = false,
    home,
    state,
    path,
    timeout,
    began,
    resident = false,
    approvals = 'client',
    judge,
  }: AnswerOptions & { readonly began: number },
): Promise<Written> {
  if (!isClientName(client))
    return failedHook(`ambit: \`${client}\` is not a client; the clients are ${clientNames.join(', ')}`);
  if (approvals !== 'client' && approvals !== 'ambit' && approvals !== 'defer')
    return failedHook('ambit: `--approvals` is client, ambit or defer; the call is refused');
  if (approvals !== 'client' && client !== 'claude-code')
    return failedHook(`ambit: \`--approvals ${approvals}\` is only for claude-code; the call is refused`);
  const searchPath = path?.split(':');
  const given = [...policy, ...(searchPath ?? []), ...[home, state].filter((each) => each !== undefined)];
  const relative = given.find((each) => !isAbsolute(each));
  if (relative !== undefined)
    return failedHook(`ambit: \`${relative}\` is not an absolute path; the call is refused`);
  const text = await inputOf(host);
  if (text === null) return failedHook('ambit: the input is too long or is not UTF-8; the call is refused');
  const options: HookOptions = {
    client,
    stage: after ? 'after' : 'before',
    policies: policy,
    environment: { HOME: home ?? userInfo().homedir, ...(state === undefined ? {} : { AMBIT_HOME: state }) },
    ...(searchPath === undefined ? {} : { searchPath }),
    program: host.build,
    confines: true,
    approvals,
    deadline: began + timeout * 1000,
  };
  const answered = resident ? await askResident(text, options) : null;
  if (answered !== null) return answered;
  const { answerHook } = await judge();
  const written = await answerHook(text, options);
  if (resident && host.build !== undefined) startResident(options.environment);
  return written;
}

/** For the next call. It gets nothing of this process: no environment, no folder, no streams. */
function startResident({ HOME = '/', AMBIT_HOME }: HookOptions['environment']): void {
  const state = AMBIT_HOME === undefined ? [] : ['--state', AMBIT_HOME];
  const [, launch = ''] = process.argv;
  const child = spawn(process.execPath, [launch, 'hook', '--resident', '--home', HOME, ...state], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: 'ignore',
  });
  child.on('error', () => undefined).unref();
}

/** Stays, and answers the hooks of this user's agents until none came for ten minutes. */
export async function stayResident(host: Host, { home, state, judge }: AnswerOptions): Promise<Exit> {
  if (host.build === undefined || ![home, state].every((each) => each === undefined || isAbsolute(each)))
    return exits.unusable;
  const environment = {
    HOME: home ?? userInfo().homedir,
    ...(state === undefined ? {} : { AMBIT_HOME: state }),
  };
  const { runResident } = await judge();
  await runResident({ environment, program: host.build, idle: 10 * 60_000 });
  return exits.done;
}

/** Null where it is too long, or no UTF-8. */
async function inputOf(host: Host): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of host.stdin) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    size += bytes.length;
    if (size > mostInput) return null;
    chunks.push(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return null;
  }
}

async function tooLate(seconds: number): Promise<Written> {
  await new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000).unref();
  });
  return failedHook(`ambit: judging took longer than ${seconds} seconds; the call is refused`);
}
