import { parseArgs } from 'node:util';
import type { AnswerOptions } from './commands/hook/answer.js';

export type QuickCall =
  | {
      readonly command: 'decide';
      readonly options: { readonly policy: readonly string[]; readonly root: string; readonly open: boolean };
    }
  | {
      readonly command: 'hook';
      /** Null for the resident judge itself. */
      readonly client: string | null;
      readonly options: Omit<AnswerOptions, 'judge'>;
    };

/** Null for arguments that the whole program must read. */
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

const clients = /^(?:claude-code|codex|gemini|copilot|opencode)$/;

/** Ten times faster than `parseArgs`: a client starts this for each call. */
function hookCall(args: readonly string[]): QuickCall | null {
  const given = { policy: [] as string[], after: false, resident: false };
  const texts: { home?: string; state?: string; path?: string; approvals?: string; timeout?: string } = {};
  let client: string | null = null;
  for (let at = 0; at < args.length; at += 1) {
    const [, name = null, inline] = /^--([a-z]+)(?:=(.*))?$/s.exec(args[at] ?? '') ?? [];
    if (name === null) {
      // By name: every other word is a command, another kind of option or a mistake.
      if (client !== null || !clients.test(args[at] ?? '')) return null;
      client = args[at] ?? null;
    } else if (name === 'after' || name === 'resident') {
      if (inline !== undefined) return null;
      given[name] = true;
    } else {
      at += inline === undefined ? 1 : 0;
      const value = inline ?? args[at];
      if (value === undefined || (inline === undefined && value.startsWith('-'))) return null;
      if (name === 'policy') given.policy.push(value);
      else if (/^(?:home|state|path|approvals|timeout)$/.test(name))
        texts[name as keyof typeof texts] = value;
      else return null;
    }
  }
  const { timeout = '24', ...others } = texts;
  const isTime = /^[1-9]\d{0,3}(?:\.\d{1,3})?$/.test(timeout);
  if (!isTime || (client === null && !given.resident)) return null;
  return { command: 'hook', client, options: { ...given, ...others, timeout: Number(timeout) } };
}
