import type { TableCommand } from './command.js';
import { count, minutes, positive, seconds } from './options.js';
import type { RunCommandOptions } from './run/run-plan.js';

const root = ['--root <DIR>', 'directory that relative paths in arguments start from', '.'] as const;

export function addCallCommands(program: TableCommand): void {
  program
    .command('decide')
    .takesPolicies()
    .takesOpen()
    .takesToolsets()
    .description('judge calls: JSON lines in, one JSON line out for each, at once')
    .option(...root)
    .option('--exit-code', 'exit with 3 if the strictest decision is a question, 4 if it is a block')
    .json('print JSON lines (always on)')
    .does(async () => (await import('./calls/decide.js')).decide);
  program
    .command('capabilities')
    .description('print what the built-in toolsets report about calls: JSON lines in, JSON lines out')
    .option(...root)
    .json('print JSON lines (always on)')
    .does(async () => (await import('./calls/decide.js')).capabilities);
  program
    .command('explain')
    .takesPolicies()
    .acceptsUnverified()
    .takesToolsets()
    .description('explain one decision: the rule that made it, and what would change it')
    .argument('[CALL...]', 'the call, as JSON like a line for `decide`; - for stdin; or a command line')
    .option('--shell <COMMAND>', 'a command line, as `shell.run` would run it')
    .option('--full', 'print the whole reasoning')
    .option('--log <FILE>', 'take the call from this log, or from the log of this run')
    .option('--seq <N>', 'number of the log entry with its decision', count)
    .option(...root)
    .json()
    .does(async () => (await import('./calls/explain.js')).explain);
  takeRun(program.command('run'), 'run').description(
    'run a worker: judge each tool call, ask people where needed, and record it',
  );
  takeRun(program.command('chat'), 'chat').description(
    'talk with a worker in one run: a line of stdin is a turn, and its end ends the run',
  );
}

function takeRun(command: TableCommand, name: 'run' | 'chat'): TableCommand {
  return command
    .takesPolicies()
    .takesOpen()
    .argument('[WORKER]', 'a .worker file, or the name of one in this folder')
    .argument('[INPUT]', 'the input of the worker; - for stdin')
    .option(
      '--model <MODEL>',
      'anthropic:NAME, openai:NAME, openai-chat:NAME or script:FILE, for workers that name no model',
    )
    .option('--approve-all', 'answer yes to every question, as far as the policies accept that')
    .option('--strict', 'refuse calls that need approval, instead of asking')
    .option('--wait', 'without a terminal, let questions wait for `ambit approvals`')
    .option('--park', 'end the run when all work waits for answers; continue it with --resume')
    .option('--resume <RUN>', 'continue a run that was interrupted, parked or failed')
    .list('--attach <FILE>', 'file to attach (repeatable)')
    .list('--context <K=V>', 'text that conditions read as context.K (repeatable)')
    .list('--folder <NAME=DIR>', 'folder for the root NAME of the workers (repeatable)')
    .list('--observe <NEW>', 'policy whose decisions are only recorded (repeatable)')
    .option('--log <FILE>', 'where to record (default: the state folder)')
    .option('--log-max-bytes <N>', 'rotate the log before a file grows larger', positive)
    .option('--log-max-entries <N>', 'rotate the log before a file has more lines', positive)
    .option('--log-max-age <MINUTES>', 'rotate the log when a file is this old', minutes)
    .choice('--log-commit <HOW>', 'group: batched fsync; sync: one fsync per entry', ['group', 'sync'])
    .list('--log-mask <TOOL=PATH>', 'argument that is always masked (repeatable)')
    .option('--timeout <S>', 'seconds that a person has to answer', seconds)
    .option('--max-calls <N>', 'stop the run after this many calls', count)
    .option('--max-tokens <N>', 'stop it after this many tokens, in and out', count)
    .option('--max-minutes <N>', 'stop it after this time', minutes)
    .option('--quiet', 'show only questions and the result')
    .json('print events as JSON lines, the result last; with --quiet only the result')
    .does(async () => {
      const { [name]: perform } = await import('./run/run.js');
      return (host, worker: string | undefined, input: string | undefined, options: RunCommandOptions) =>
        perform(host, { worker, input }, options);
    });
}
