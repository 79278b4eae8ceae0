import { Argument, type Command, CommanderError } from 'commander';
import { addCallCommands } from './commands/call-commands.js';
import { type Running, TableCommand } from './commands/command.js';
import type { Shell } from './commands/completion.js';
import { addGatewayCommand } from './commands/gateway-command.js';
import { addDoctorCommand, addHookCommand, addRulesCommands } from './commands/hook-command.js';
import { addLogCommands } from './commands/log-commands.js';
import { addPolicyCommands } from './commands/policy-commands.js';
import { addStoreCommands } from './commands/store-commands.js';
import { type Exit, exits, sayFailure } from './failure.js';
import { exampleOf, examples, helpLooks, usageFailure } from './help.js';
import { type Host, type Printing, print, write } from './host.js';
import { version } from './version.js';

/** Never rejects. */
export async function runProgram(argv: readonly string[], host: Host): Promise<Exit> {
  const said = { out: '', err: '' };
  const result: { exit: Exit } = { exit: exits.done };
  const done = (exit: Exit) => {
    result.exit = exit;
  };
  const program = createProgram({ argv, host, done });
  configure(program, said);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return result.exit;
  } catch (error) {
    await write(host.stdout, said.out);
    if (!(error instanceof CommanderError)) return sayFailure(error, { argv, host });
    if (error.exitCode === 0) return exits.done;
    return sayFailure(usageFailure(error, said.err, { argv, program }), { argv, host });
  }
}

function createProgram(running: Running): TableCommand {
  const program = new TableCommand('ambit', running)
    .description('Decides which tool calls of AI agents run, which ask, and which never happen.')
    .version(version)
    .helpCommand(true)
    // Options after the name of a command belong to it: in `hook install CLIENT --policy`, not to `hook`.
    .enablePositionalOptions()
    .addHelpText('after', examples);
  addPolicyCommands(program);
  addCallCommands(program);
  addStoreCommands(program);
  addLogCommands(program);
  addHookCommand(program);
  addDoctorCommand(program);
  addRulesCommands(program);
  addGatewayCommand(program);
  program
    .command('completion')
    .description('print a script that completes commands and options: source it in the settings of the shell')
    .addArgument(new Argument('<SHELL>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .json()
    .does(async () => {
      const { completionScript } = await import('./commands/completion.js');
      return async (host, shell: Shell, { json }: Printing) => {
        const script = completionScript(program, shell);
        if (json === true) await print(host, { shell, script });
        else await write(host.stdout, script);
      };
    });
  return program;
}

/** Commander neither ends the process nor writes by itself. */
function configure(
  command: Command,
  said: { out: string; err: string },
  words: readonly string[] = [],
): void {
  command
    .exitOverride()
    .configureHelp(helpLooks)
    .configureOutput({
      writeOut: (text) => {
        said.out += text;
      },
      writeErr: (text) => {
        said.err += text;
      },
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  if (!isGroup) command.addHelpText('after', exampleOf(words.join(' ')));
  for (const child of command.commands) configure(child, said, [...words, child.name()]);
}
