import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, shellWord } from '@ambit/core';
import type { Environment } from '@ambit/runtime';
import type { ClientName } from '../clients/client-call.js';
import { loggedSessions } from './logged-sessions.js';
import { startScriptedModel } from './scripted-model.js';

export interface CanaryPlace {
  readonly client: ClientName;
  /** The absolute path of the client's program. */
  readonly program: string;
  /** The folder in which the client is started. */
  readonly project: string;
  /** The state folder of the installed hook. */
  readonly state: string;
  /** The environment of the person who starts the client. */
  readonly environment: Environment;
  /** Time limit in milliseconds; the client is then ended. */
  readonly limit: number;
}

/** The result of one scripted turn of the real client. */
export interface Canary {
  /** Whether the client reached the scripted model and accepted its call. */
  readonly asked: 'not_at_all' | 'no_tool' | 'called';
  /** The decision about the marker command in the hook's log; null if the log lacks the call. */
  readonly recorded: string | null;
  /** Whether the marker command ran. */
  readonly ran: boolean;
  /** The text that the model received about its call; null if there is none. */
  readonly told: string | null;
  /** The end of the client's output, for people. */
  readonly said: string;
}

/**
 * Lets a scripted model call a marker command in the real client. The command would write into the state
 * folder, which the built-in policy blocks under every policy. No request reaches a real model.
 */
export async function runCanary(place: CanaryPlace): Promise<Canary> {
  const { client, state, project } = place;
  const name = `doctor-${randomBytes(8).toString('hex')}`;
  const marker = join(state, name);
  const command = `touch ${shellWord(marker)}`;
  const since = Date.now();
  const id = `ambit-${name}`;
  await noteTurn(state, id);
  const model = await startScriptedModel({ ...callOf(client, command), id });
  try {
    const said = await runClient(place, turnOf[client]({ url: model.url, project }));
    const { requests, called, results } = model.seen();
    const ran = existsSync(marker);
    await rm(marker, { force: true });
    return {
      asked: requests === 0 ? 'not_at_all' : called ? 'called' : 'no_tool',
      recorded: await recordedOf(state, { client, name, since }),
      ran,
      told: results[0] ?? null,
      said,
    };
  } finally {
    await model.close();
  }
}

/** The ids of calls in scripted turns so far. In transcripts, they are no gaps of the protection. */
export async function scriptedTurns(state: string): Promise<ReadonlySet<string>> {
  return new Set((await readFile(join(state, notes), 'utf8').catch(() => '')).split('\n'));
}

const notes = 'scripted-turns';

async function noteTurn(state: string, id: string): Promise<void> {
  await mkdir(state, { recursive: true, mode: 0o700 });
  await appendFile(join(state, notes), `${id}\n`, { mode: 0o600 });
}

/** The last decision about the call that contains this text, in the sessions that began since then. */
async function recordedOf(
  state: string,
  { client, name, since }: { readonly client: ClientName; readonly name: string; readonly since: number },
): Promise<string | null> {
  const sessions = await loggedSessions(state, ({ worker, begun }) => worker === client && begun >= since);
  const decisions = sessions.flatMap((session) => session.decisions);
  const found = decisions.findLast(({ args }) => JSON.stringify(args).includes(name));
  return found === undefined ? null : (found.decision ?? 'refused');
}

function callOf(
  client: ClientName,
  command: string,
): { readonly tools: readonly string[]; readonly args: JsonObject } {
  const args = { command, description: 'marker of ambit doctor' };
  switch (client) {
    case 'claude-code':
      return { tools: ['Bash'], args };
    case 'codex':
      return { tools: ['exec_command'], args: { cmd: command } };
    case 'gemini':
      return { tools: ['run_shell_command'], args };
    case 'copilot':
    case 'opencode':
      return { tools: ['bash'], args };
  }
}

const prompt = 'ambit doctor: a scripted turn';

interface Turn {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

type TurnOf = (place: { readonly url: string; readonly project: string }) => Turn;

/**
 * A headless turn in which only the hook can stop the call, because the client's own questions are switched
 * off.
 */
const turnOf: Readonly<Record<ClientName, TurnOf>> = {
  'claude-code': ({ url }) => ({
    args: [
      '-p',
      prompt,
      ...'--model claude-sonnet-4-5 --output-format stream-json --verbose --allowedTools Bash'.split(' '),
    ],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'ambit-doctor',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
  codex({ url, project }) {
    const provider = `{name="ambit doctor",base_url="${url}/v1",env_key="AMBIT_DOCTOR_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0,supports_websockets=false}`;
    const settings = [
      'model="gpt-5"',
      'model_provider="ambit_doctor"',
      `model_providers.ambit_doctor=${provider}`,
      'check_for_update_on_startup=false',
      'web_search="disabled"',
    ];
    const given = settings.flatMap((each) => ['-c', each]);
    return {
      args: ['exec', '--skip-git-repo-check', '-s', 'danger-full-access', '-C', project, ...given, prompt],
      env: { AMBIT_DOCTOR_KEY: 'ambit-doctor' },
    };
  },
  gemini: ({ url }) => ({
    args: ['-p', prompt, ...'-m gemini-2.5-pro --skip-trust --approval-mode yolo -o stream-json'.split(' ')],
    // The first two if the settings name a key, the others if they do not.
    env: {
      GEMINI_API_KEY: 'ambit-doctor',
      GOOGLE_GEMINI_BASE_URL: url,
      GOOGLE_GENAI_USE_VERTEXAI: 'true',
      GOOGLE_API_KEY: 'ambit-doctor',
      GOOGLE_VERTEX_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
  }),
  copilot: ({ url }) => ({
    args: [
      '-p',
      prompt,
      ...'--output-format json --disable-builtin-mcps'.split(' '),
      ...'--no-auto-update --allow-all-tools --allow-all-paths'.split(' '),
    ],
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'ambit-doctor',
      COPILOT_MODEL: 'gpt-4.1',
    },
  }),
  opencode({ url }) {
    const models = {
      scripted: { name: 'scripted', tool_call: true, limit: { context: 200_000, output: 8000 } },
    };
    const options = { baseURL: `${url}/v1`, apiKey: 'ambit-doctor' };
    const content = {
      model: 'ambit/scripted',
      autoupdate: false,
      share: 'disabled',
      permission: { bash: 'allow', external_directory: 'allow' },
      provider: { ambit: { npm: '@ai-sdk/anthropic', name: 'ambit', options, models } },
    };
    return {
      args: ['run', '--format', 'json', prompt],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify(content),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
      },
    };
  },
};

/** Runs the client to its end. If it takes too long, ends it with all processes that it started. */
async function runClient(
  { program, project, environment, limit }: CanaryPlace,
  { args, env }: Turn,
): Promise<string> {
  const kept = Object.entries(environment).filter(([name, value]) => value !== undefined && isPassed(name));
  const child = spawn(program, args, {
    cwd: project,
    env: { ...Object.fromEntries(kept), TERM: 'dumb', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  const take = (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-2000);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The client has ended by itself.
    }
  };
  const timer = setTimeout(end, limit);
  await new Promise<void>((resolve) => {
    child.once('error', (error) => {
      said = error.message;
      resolve();
    });
    child.once('close', () => resolve());
  });
  clearTimeout(timer);
  return said;
}

/** The environment of the person's own client, without keys of real providers. */
function isPassed(name: string): boolean {
  return (
    /^(?:HOME|PATH|USER|LOGNAME|SHELL|LANG|LC_\w+|TMPDIR|XDG_\w+)$/.test(name) ||
    (/^(?:CLAUDE_|CODEX_|GEMINI_CLI_|COPILOT_|OPENCODE_)/.test(name) && !/KEY|TOKEN|SECRET/.test(name))
  );
}
