import type { Roots } from '@ambit/toolsets';
import type { ProgramTable } from './programs/spec.js';
import type { ExecuteOptions } from './run/execute-command.js';

/** How commands are run, besides how they are described. */
type Running = Pick<ExecuteOptions, 'bash' | 'limits' | 'umask' | 'isolation' | 'writes'>;

export interface ShellOptions extends Running {
  readonly roots: Roots;
  /** The user's home, which `~` leads to. */
  readonly home: string;
  /** Where programs are found that are named without a folder. Folders in which the run may write are passed over. */
  readonly searchPath?: readonly string[];
  /** Programs besides those of the table, or instead of them. */
  readonly programs?: ProgramTable;
  /** Why no command can be run, whoever permits it; in words for the model. */
  readonly unavailable?: string | undefined;
}
