import { parseArgs } from 'node:util';
import type { AnswerOptions } from './commands/hook/answer.js';

/** A call of the program that other programs make for each of their own calls. */
export type QuickCall =
  | {
      readonly command: 'decide';
      readonly options: {
        readonly policy: readonly string[];
        readonly root: string;
        readonly open: boolean;
      };
    }
  | {
      readonly command: 'hook';
      /** Null for the resident judge itself. */
      readonly client: string | null;
      readonly options: Omit<AnswerOptions, 'judge'>;
    };

/** Null for any other arguments, which the whole program reads and explains. */
export function quickCall([command, ...args]: readonly string[]): QuickCall | null {
  try {
    if (command === 'decide') return decideCall(args);
    return command === 'hook' ? hookCall(args) : null;
  } catch {
    return null;
  }
}

function decideCall(args: readonly string[]): QuickCall {
  const { values } = parseArgs({
    args: [...args],
    options: {
      policy: { type: 'string', multiple: true },
      root: { type: 'string' },
      open: { type: 'boolean' },
      json: { type: 'boolean' },
    },
  });
  const { policy = [], root = '.', open = false } = values;
  return { command: 'decide', options: { policy, root, open } };
}

function hookCall(args: readonly string[]): QuickCall | null {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      policy: { type: 'string', multiple: true },
      after: { type: 'boolean' },
      home: { type: 'string' },
      state: { type: 'string' },
      path: { type: 'string' },
      resident: { type: 'boolean' },
      approvals: { type: 'string' },
      timeout: { type: 'string' },
    },
  });
  const { policy = [], timeout = '24', ...options } = values;
  const [client = null, ...others] = positionals;
  // The clients by name: every other word is a command or a mistake.
  const isClient =
    client === null
      ? options.resident === true
      : /^(?:claude-code|codex|gemini|copilot|opencode)$/.test(client);
  const isTime = /^[1-9]\d{0,3}(?:\.\d{1,3})?$/.test(timeout);
  if (!isClient || others.length > 0 || !isTime) return null;
  return { command: 'hook', client, options: { ...options, policy, timeout: Number(timeout) } };
}
