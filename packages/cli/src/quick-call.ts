import { type ClientName, isClientName } from '@ambit/agents';
import type { AnswerOptions } from './commands/hook/answer.js';
import type { OptionsOf } from './commands/table/table.js';

export type QuickCall =
  | {
      readonly command: 'decide';
      readonly options: OptionsOf<'decide'>;
    }
  | {
      readonly command: 'hook';
      /** Null for the resident judge itself. */
      readonly client: ClientName | null;
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

function decideCall(args: readonly string[]): QuickCall | null {
  // Nothing may follow `--`.
  const { words, texts, flags } = optionsOf(args.at(-1) === '--' ? args.slice(0, -1) : args, decideOptions);
  if (words.length > 0) return null;
  const { policy = [], root = ['.'] } = texts;
  return {
    command: 'decide',
    options: { policy, root: root.at(-1) ?? '.', open: flags.has('open'), toolset: [] },
  };
}

const decideOptions = { texts: /^(?:policy|root)$/, flags: /^(?:open|json)$/ };
const hookOptions = {
  texts: /^(?:policy|home|state|path|approvals|timeout)$/,
  flags: /^(?:after|resident)$/,
};

function hookCall(args: readonly string[]): QuickCall | null {
  const { words, texts, flags } = optionsOf(args, hookOptions);
  const [client = null, ...more] = words;
  // By name: every other word is a command or a mistake.
  if (more.length > 0 || (client !== null && !isClientName(client))) return null;
  const { policy = [], timeout: [...times] = [], ...others } = texts;
  const timeout = times.at(-1) ?? '24';
  const isTime = /^[1-9]\d{0,3}(?:\.\d{1,3})?$/.test(timeout);
  const [after, resident] = [flags.has('after'), flags.has('resident')];
  if (!isTime || (client === null && !resident)) return null;
  const last = Object.fromEntries(Object.entries(others).map(([name, values]) => [name, values.at(-1)]));
  return {
    command: 'hook',
    client,
    options: { policy, after, resident, ...last, timeout: Number(timeout) },
  };
}

interface Given {
  readonly words: string[];
  readonly texts: Record<string, string[]>;
  readonly flags: Set<string>;
}

/** Ten times faster than `parseArgs`: other programs start this for each call. Throws for what only the whole program explains. */
function optionsOf(
  args: readonly string[],
  known: { readonly texts: RegExp; readonly flags: RegExp },
): Given {
  const given: Given = { words: [], texts: {}, flags: new Set() };
  for (let at = 0; at < args.length; at += 1) {
    const [, name = '', inline] = /^--([a-z]+)(?:=(.*))?$/s.exec(args[at] ?? '') ?? [];
    if (known.texts.test(name)) {
      at += inline === undefined ? 1 : 0;
      const value = inline ?? args[at];
      if (value === undefined || (inline === undefined && value.startsWith('-'))) throw unexplained;
      if (value.trim() === '') throw unexplained;
      given.texts[name] = [...(given.texts[name] ?? []), value];
    } else if (known.flags.test(name) && inline === undefined) given.flags.add(name);
    else if (name === '' && !args[at]?.startsWith('-')) given.words.push(args[at] ?? '');
    else throw unexplained;
  }
  return given;
}

const unexplained = new Error('the whole program reads this');
