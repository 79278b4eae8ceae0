import type { Roots } from '@ambit/toolsets';
import type { ProgramTable } from './programs/entry/spec.js';
import type { ExecuteOptions } from './run/execute-command.js';

type Running = Pick<ExecuteOptions, 'limits' | 'isolation' | 'writes'>;

export interface ShellOptions extends Running {
  readonly roots: Roots;
  /** The user's home folder, which `~` means. */
  readonly home: string;
  /** The search path. Folders that the run may write are skipped. */
  readonly searchPath?: readonly string[];
  /** Programs that add to the table or replace entries. */
  readonly programs?: ProgramTable;
  /** Why no command can run, whatever the policy, as a text for the model. */
  readonly unavailable?: string | undefined;
}
