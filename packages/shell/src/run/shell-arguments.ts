import { existsSync } from 'node:fs';
import * as z from 'zod';
import { problemOfEnvironment } from './environment.js';
import { usualBash } from './launcher.js';

export type ShellArguments = z.output<typeof shellArguments>;

export const shellArguments = z.strictObject({
  command: z
    .string()
    .describe(
      'a command line for bash; it starts inside the working folder, so its paths leave out the name of the root',
    ),
  cwd: z
    .exactOptional(z.string())
    .describe('the working folder, a path in the roots (default: the first writable root)'),
  env: z.exactOptional(z.record(z.string(), z.string())).describe('variables that the command sees'),
  timeout: z.exactOptional(z.number().positive()).describe('seconds, after which the command is ended'),
});

/** Why bash is missing, as a text for the model. */
export function problemOfBash(): string | null {
  return existsSync(usualBash)
    ? null
    : `\`${usualBash}\` is missing here, and no other program runs commands`;
}

/** The longest argument of a program on Linux, in bytes, including its NUL. */
const mostCommandBytes = 131_072;

/** Why bash cannot get exactly these arguments, as a text for the model; null if it can. */
export function problemOfArguments({ command, env = {} }: ShellArguments): string | null {
  if (command.includes('\0')) return 'a command cannot contain a NUL character';
  // A program would receive another text than the judged one.
  if (/\p{Surrogate}/u.test(command)) return 'the command is not well-formed text';
  const bytes = Buffer.byteLength(command);
  if (bytes >= mostCommandBytes)
    return `the command is ${bytes} bytes long, and the system takes at most ${mostCommandBytes - 1}: write it to a file and run that`;
  return problemOfEnvironment(env);
}
