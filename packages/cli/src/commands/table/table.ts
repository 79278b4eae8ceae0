import { callCommands } from './call-commands.js';
import { clientCommands } from './client-commands.js';
import { logCommands } from './log-commands.js';
import { policyCommands } from './policy-commands.js';
import { choice, json, type OptionsIn, type Table, type Work } from './spec.js';
import { storeCommands } from './store-commands.js';

/** Every command, in the order of the help. The parser, the help, the completion and the types of options are made of it. */
export const table = {
  ...policyCommands,
  ...callCommands,
  ...storeCommands,
  ...logCommands,
  ...clientCommands,
  completion: {
    about: 'print a script that completes commands and options: source it in the settings of the shell',
    takes: [['<SHELL>', choice('your shell', ['bash', 'zsh', 'fish'])]],
    options: json,
    example: 'ambit completion bash',
  },
} as const satisfies Table;

type Commands = typeof table;

/** The options of a command, as its code gets them. */
export type OptionsOf<Name extends keyof Commands> = OptionsIn<Commands[Name]>;

/** Loads what each command does: most calls need the code of one. */
export type Works = {
  readonly [Name in keyof Commands as Commands[Name] extends { readonly example: string }
    ? Name
    : never]: () => Promise<Work<Commands[Name]>>;
};
