import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { hasTmux, Tmux } from '../../../cli/test/tmux.js';
import { withHook } from '../../src/install/settings.js';
import { claudeVersion, programs, type RealPlace, startModel } from './real-client.js';

export const hasTerminal = hasTmux && programs.has('claude-code');

interface ClaudeOptions {
  /** `@@PROJ@@` is the project. */
  readonly calls: readonly object[];
  /** Files of the project. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where in the project it is started. */
  readonly folder?: string;
  /** More words of the hook's command. */
  readonly more?: readonly string[];
}

/** A home with the hook, a project that its person trusts, and what starts Claude Code there with a scripted model. */
export async function claudeIn(
  place: RealPlace,
  { calls, files = {}, folder = '.', more = [] }: ClaudeOptions,
) {
  const project = join(place.base, 'claude_run/proj');
  const started = join(project, folder);
  mkdirSync(started, { recursive: true });
  for (const [name, text] of Object.entries({ '.git/HEAD': 'ref: refs/heads/main\n', ...files }))
    place.write(join('claude_run/proj', name), text);
  const home = place.base;
  const version = claudeVersion();
  const hook = { client: 'claude-code', scope: 'user', timeout: 30, random: 'x', version } as const;
  const command = [...place.command('claude-code'), ...more] as const;
  place.write('.claude/settings.json', withHook(null, { ...hook, home, project, command }));
  const known = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['none'], rejected: [] },
    projects: { [started]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  place.write('.claude.json', JSON.stringify(known));
  const placed = JSON.parse(JSON.stringify(calls).replaceAll('@@PROJ@@', project)) as object[];
  const model = await startModel([...placed.map((call) => ({ tools: [call] })), 'ALL SAID']);
  onTestFinished(() => model.close());
  const environment = {
    HOME: home,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const program = programs.get('claude-code') ?? '';
  const words = ['/usr/bin/env', '-i', ...variables, program, '--model', 'claude-sonnet-5-5'] as const;
  return { words, started };
}

/** A terminal in which a command runs until the test is over. */
export function terminalWith(place: RealPlace, words: readonly string[], folder: string): Tmux {
  const pid = join(place.base, 'pid');
  const start = ['/bin/sh', '-c', 'echo $$ > "$0"; exec "$@"', pid, ...words];
  const terminal = new Tmux(start, folder, { columns: 120, rows: 45 });
  onTestFinished(async () => {
    terminal.end();
    // It writes to its home until it is over.
    while (isRunning(Number(readFileSync(pid, 'utf8')))) await wait(50);
  });
  return terminal;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
