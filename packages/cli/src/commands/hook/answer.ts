import { isUtf8 } from 'node:buffer';
import { isAbsolute } from 'node:path';
import {
  askResident,
  type ClientName,
  failedHook,
  type HookOptions,
  mostInput,
  type Written,
} from '@ambit/agents';
import { stated } from '@ambit/core';
import { type Exit, exits } from '../../failure.js';
import { type Host, wholeOf, withoutMark, write } from '../../host.js';
import type { OptionsOf } from '../table/table.js';

export interface AnswerOptions extends Omit<OptionsOf<'hook'>, 'approvals'> {
  /** `client` by default. */
  readonly approvals?: string;
  /** Loads the judge into this process. It is large, and a call for the resident judge does without it. */
  readonly judge: () => Promise<typeof import('./judge-here.js')>;
}

/** The identity of this program, and the complete call. */
export type HookHost = Pick<Host, 'build'> & { readonly input: () => Promise<Buffer | null> };

/** Answers one hook call, and writes the answer. */
export async function answer(host: Host, client: ClientName, options: AnswerOptions): Promise<Exit> {
  const given = { build: host.build, input: () => wholeOf(host.stdin, mostInput) };
  const written = await answerOf(given, client, options);
  if (written.stderr !== '') await write(host.stderr, written.stderr);
  if (written.stdout !== '') await write(host.stdout, written.stdout);
  return written.exit;
}

/**
 * Answers one hook call. Ignores the environment, which a repository's settings can change. Every error refuses with
 * exit code 2.
 */
export async function answerOf(host: HookHost, client: ClientName, options: AnswerOptions): Promise<Written> {
  const began = Date.now();
  const { timeout } = options;
  let timer: NodeJS.Timeout | undefined;
  // It also keeps the process alive: agents run the tool if the hook ends without an answer.
  const tooLate = new Promise<Written>((resolve) => {
    const why = `ambit: judging took longer than ${timeout} seconds; the call is refused`;
    timer = setTimeout(() => resolve(failedHook(why)), timeout * 1000);
  });
  return Promise.race([answerInput(host, client, { ...options, began }), tooLate]).finally(() =>
    clearTimeout(timer),
  );
}

async function answerInput(
  host: HookHost,
  client: ClientName,
  given: AnswerOptions & { readonly began: number },
): Promise<Written> {
  const { policy, after = false, home, state, path, timeout, resident = false } = given;
  const { began, approvals = 'client', judge } = given;
  if (approvals !== 'client' && approvals !== 'ambit' && approvals !== 'defer')
    return failedHook('ambit: `--approvals` is client, ambit or defer; the call is refused');
  if (approvals !== 'client' && client !== 'claude-code')
    return failedHook(`ambit: \`--approvals ${approvals}\` is only for claude-code; the call is refused`);
  const searchPath = path?.split(':');
  const places = [...policy, ...(searchPath ?? []), ...[home, state].filter((each) => each !== undefined)];
  const relative = places.find((each) => !isAbsolute(each));
  if (relative !== undefined)
    return failedHook(`ambit: \`${relative}\` is not an absolute path; the call is refused`);
  let reading: Promise<string | null> | undefined;
  const text = () => {
    reading ??= textIn(host);
    return reading;
  };
  const options: HookOptions = {
    client,
    stage: after ? 'after' : 'before',
    policies: policy,
    environment: await environmentOf(home, state),
    ...stated({ searchPath }),
    program: host.build,
    confines: true,
    approvals,
    deadline: began + timeout * 1000,
  };
  const answered = resident ? await askResident(text, options) : null;
  if (answered !== null) return answered;
  const read = await text();
  if (read === null) return failedHook('ambit: the input is too long or is not UTF-8; the call is refused');
  const { answerHook, startResident } = await judge();
  const written = await answerHook(read, options);
  if (resident && host.build !== undefined) startResident(options.environment);
  return written;
}

/** Null if it is too long or is not UTF-8. */
async function textIn({ input }: HookHost): Promise<string | null> {
  const bytes = await input();
  return bytes === null || !isUtf8(bytes) ? null : withoutMark(bytes);
}

/** Serves hooks of this user's agents until it is idle for ten minutes. */
export async function stayResident(host: Host, { home, state, judge }: AnswerOptions): Promise<Exit> {
  if (host.build === undefined || ![home, state].every((each) => each === undefined || isAbsolute(each)))
    return exits.unusable;
  const environment = await environmentOf(home, state);
  const { runResident } = await judge();
  await runResident({ environment, program: host.build, idle: 10 * 60_000 });
  return exits.done;
}

/** The home folder from the system: the environment belongs to the client. */
async function environmentOf(
  home: string | undefined,
  state: string | undefined,
): Promise<HookOptions['environment']> {
  const HOME = home ?? (await import('node:os')).userInfo().homedir;
  return { HOME, ...stated({ AMBIT_HOME: state }) };
}
