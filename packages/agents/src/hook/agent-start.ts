import { isAbsolute, join, resolve } from 'node:path';
import { type AgentStart, startOfAgent } from '@ambit/runtime';
import type { Given } from '../clients/settings-files.js';

/** Whether an agent prints and then ends: it asks no one, unless a program answers for its user. */
export type Printing = 'no' | 'for_nobody' | 'for_a_program' | 'unknown';

/** Options of Claude Code 2.1 that add no hooks, by their kinds of values. Any other option may add some. */
const options = new Map<string, 'nothing' | 'one' | 'perhaps' | 'several'>();
for (const [kind, names] of [
  [
    'nothing',
    '-c -p --allow-dangerously-skip-permissions --ax-screen-reader --bare --bg --background --brief --chrome --continue ' +
      '--dangerously-skip-permissions --disable-slash-commands --exclude-dynamic-system-prompt-sections --fork-session ' +
      '--forward-subagent-text --ide --include-hook-events --include-partial-messages --no-chrome ' +
      '--no-session-persistence --print --replay-user-messages --restricted --safe-mode --strict-mcp-config --verbose',
  ],
  [
    'one',
    '-n --agent --append-system-prompt --append-system-prompt-file --autocompact --debug-file --effort --fallback-model ' +
      '--input-format --json-schema --max-budget-usd --max-turns --model --name --output-format --permission-mode ' +
      '--permission-prompt-tool --permission-prompts --session-id --setting-sources --settings --system-prompt ' +
      '--system-prompt-file --system-prompt-snapshot',
  ],
  ['perhaps', '-d -r -w --debug --from-pr --prompt-suggestions --remote-control --resume --tmux --worktree'],
  [
    'several',
    '--add-dir --allowedTools --allowed-tools --betas --disallowedTools --disallowed-tools --mcp-config --tools',
  ],
] as const)
  for (const name of names.split(' ')) options.set(name, kind);

/** The options of a command line with their values. Null after an unknown option, which may take the next word. */
function optionsIn(words: readonly string[]): ReadonlyMap<string, readonly string[]> | null {
  const found = new Map<string, string[]>();
  const end = words.indexOf('--');
  const left = end < 0 ? [...words] : words.slice(0, end);
  const take = (most: number) => {
    const next = left.findIndex(isOption);
    return left.splice(0, Math.min(most, next < 0 ? left.length : next));
  };
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (!isOption(word)) continue;
    const [, name = word, inline] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const kind = options.get(name);
    if (kind === undefined || (kind === 'nothing' && inline !== undefined)) return null;
    const values = found.get(name) ?? [];
    found.set(name, values);
    if (inline !== undefined) values.push(inline);
    else if (kind === 'perhaps') values.push(...take(1));
    // The first value of an option that needs one may look like an option.
    else if (kind !== 'nothing')
      values.push(...left.splice(0, 1), ...take(kind === 'several' ? Infinity : 0));
  }
  return found;
}

function isOption(word: string): boolean {
  return word.length > 1 && word.startsWith('-');
}

/** The first words are the program, and its script if Node runs it. */
function argumentsOf({ words }: AgentStart): readonly string[] {
  return words.slice(1);
}

/** The command line of Claude Code, relative to the folder in which its session began. Null if unknown. */
export function givenTo(startedBy: number, places: GivenPlaces): Given | null {
  const start = startOfAgent(startedBy);
  return start === null ? null : givenIn(start, places);
}

interface GivenPlaces {
  readonly home: string;
  readonly project: string;
}

export function givenIn(start: AgentStart, { home, project }: GivenPlaces): Given {
  const { HOME = home, CLAUDE_CONFIG_DIR } = start.variables;
  const own = resolve(project, CLAUDE_CONFIG_DIR || join(HOME, '.claude'));
  const found = optionsIn(argumentsOf(start));
  if (found === null) return { folders: [], settings: [], own, mayHaveHooks: true };
  const [added, named] = ['--add-dir', '--settings'].map((name) => found.get(name) ?? []) as [
    string[],
    string[],
  ];
  const files = named.filter((each) => each.endsWith('.json'));
  // A path may be relative to the session's first folder, or to its new work tree.
  const isMoved = ['-w', '--worktree'].some((name) => found.has(name));
  const isUnsure = isMoved && [...added, ...files].some((each) => !isAbsolute(each));
  // The client decides whether `~` is the home folder or a folder's name.
  const both = (each: string) => [
    resolve(project, each),
    ...(/^~(?:\/|$)/.test(each) ? [join(HOME, each.slice(1))] : []),
  ];
  return {
    folders: added.flatMap(both),
    settings: files.flatMap(both),
    own,
    // Settings as text, or a file that is not read as settings.
    mayHaveHooks: files.length < named.length || isUnsure,
  };
}

/** Whether the agent prints: it then ends at `defer`, while its terminal would run the call unasked. */
export function printingOf(startedBy: number, client: string): Printing {
  const start = startOfAgent(startedBy);
  if (start === null) return 'unknown';
  const all = argumentsOf(start);
  const words = all.includes('--') ? all.slice(0, all.indexOf('--')) : all;
  const maybe = ['-p', '--print', '--prompt'].some((each) =>
    words.some((word) => word === each || word.startsWith(`${each}=`)),
  );
  const isAnswered = words.some((each) => /^--(?:permission-prompt-tool|input-format)/.test(each));
  if (client !== 'claude-code') return !maybe ? 'no' : isAnswered ? 'for_a_program' : 'for_nobody';
  const found = optionsIn(all);
  if (found === null) return 'unknown';
  if (!found.has('-p') && !found.has('--print')) return 'no';
  return isAnswered ? 'for_a_program' : 'for_nobody';
}
