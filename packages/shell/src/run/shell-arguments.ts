import { existsSync } from 'node:fs';
import { problemOfEnvironment } from './environment.js';
import { usualBash } from './launcher.js';

/** The arguments of `shell.run`. */
export interface ShellArguments {
  /** What bash runs, as it stands. */
  readonly command: string;
  /** The working folder, as paths are named in the toolset's roots; the first root where it is left out. */
  readonly cwd?: string | undefined;
  /** Variables besides those that every command sees. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
}

/** Why there is no bash to run anything, in words for the model. */
export function problemOfBash(bash: string = usualBash): string | null {
  return existsSync(bash) ? null : `there is no \`${bash}\` here, and nothing else runs commands`;
}

/** As many bytes as Linux takes for one argument of a program, the NUL at its end included. */
const mostCommandBytes = 131_072;

/** Why bash could not be given exactly these arguments, in words for the model; null where it could. Looks at nothing else. */
export function problemOfArguments({ command, env = {} }: ShellArguments): string | null {
  if (command.includes('\0')) return 'a command cannot contain a NUL character';
  // Handed to a program it would be another text than the one that was judged.
  if (/\p{Surrogate}/u.test(command)) return 'the command is not well-formed text';
  const bytes = Buffer.byteLength(command);
  if (bytes >= mostCommandBytes)
    return `the command is ${bytes} bytes long, and the system takes at most ${mostCommandBytes - 1}: write it to a file and run that`;
  return problemOfEnvironment(env);
}
