import { type Command, Option } from 'commander';
import type { Exit } from '../failure.js';
import type { Host } from '../host.js';
import {
  acceptUnverified,
  collected,
  count,
  json,
  minutes,
  positive,
  seconds,
  takeOpen,
  takePolicies,
  takeToolsets,
} from './options.js';

const root = ['--root <DIR>', 'directory that relative paths in arguments start from', '.'] as const;

export function addCallCommands(program: Command, host: Host, done: (exit: Exit) => void): void {
  takeToolsets(takeOpen(takePolicies(program.command('decide'))))
    .description('judge calls: JSON lines in, one JSON line out for each, at once')
    .option(...root)
    .option('--json', 'print JSON lines (always on)')
    .action(async (options) => done(await (await import('./calls/decide.js')).decide(host, options)));

  program
    .command('capabilities')
    .description('print what the built-in toolsets report about calls: JSON lines in, JSON lines out')
    .option(...root)
    .option('--json', 'print JSON lines (always on)')
    .action(async (options) => done(await (await import('./calls/decide.js')).capabilities(host, options)));

  takeToolsets(acceptUnverified(takePolicies(program.command('explain'))))
    .description('print why one call is decided so: the decision, its rule, and what would change it')
    .argument('[CALL...]', 'the call, as JSON like a line for `decide`; - for stdin; or a command line')
    .option('--shell <COMMAND>', 'a command line, as `shell.run` would run it')
    .option('--full', 'print the whole reasoning')
    .option('--log <FILE>', 'take the call from this log, or from the log of this run')
    .addOption(new Option('--seq <N>', 'number of the log entry with its decision').argParser(count))
    .option(...root)
    .option('--json', json)
    .action(async (words: string[], options) =>
      done(await (await import('./calls/explain.js')).explain(host, words, options)),
    );

  addRun(program, host, done);
}

function addRun(program: Command, host: Host, done: (exit: Exit) => void): void {
  const performed = () => import('./run/run.js');
  takeRun(program.command('run'))
    .description('run a worker: judge each tool call, ask people where needed, and record it')
    .action(async (worker: string | undefined, input: string | undefined, options) =>
      done(await (await performed()).run(host, { worker, input }, options)),
    );
  takeRun(program.command('chat'))
    .description('talk with a worker in one run: a line of stdin is a turn, and its end ends the run')
    .action(async (worker: string | undefined, input: string | undefined, options) =>
      done(await (await performed()).chat(host, { worker, input }, options)),
    );
}

function takeRun(command: Command) {
  return takeOpen(takePolicies(command))
    .argument('[WORKER]', 'a .worker file, or the name of one in this folder')
    .argument('[INPUT]', 'the input of the worker; - for stdin')
    .option(
      '--model <MODEL>',
      'anthropic:NAME, openai:NAME, openai-chat:NAME or script:FILE, for workers that name no model',
    )
    .option('--approve-all', 'answer every question with yes, as far as the policies accept that')
    .option('--strict', 'refuse what needs approval, without a question')
    .option('--wait', 'without a terminal, let questions wait for `ambit approvals`')
    .option('--park', 'stop at the first question; resume when it is answered')
    .option('--resume <RUN>', 'continue a run that was interrupted, parked or failed')
    .option('--attach <FILE>', 'file to attach (repeatable)', collected, [])
    .option('--context <K=V>', 'text that conditions read as context.K (repeatable)', collected, [])
    .option('--folder <NAME=DIR>', 'folder for the root NAME of the workers (repeatable)', collected, [])
    .option('--observe <NEW>', 'policy that judges and is only recorded (repeatable)', collected, [])
    .option('--log <FILE>', 'where to record (default: the state folder)')
    .addOption(
      new Option('--log-max-bytes <N>', 'rotate the log before a file grows larger').argParser(positive),
    )
    .addOption(
      new Option('--log-max-entries <N>', 'rotate the log before a file has more lines').argParser(positive),
    )
    .addOption(
      new Option('--log-max-age <MINUTES>', 'rotate the log when a file is this old').argParser(minutes),
    )
    .addOption(
      new Option('--log-commit <HOW>', 'group: batched fsync; sync: one fsync per entry').choices([
        'group',
        'sync',
      ]),
    )
    .option('--log-mask <TOOL=PATH>', 'argument that is always masked (repeatable)', collected, [])
    .addOption(new Option('--timeout <S>', 'seconds that a person has to answer').argParser(seconds))
    .addOption(new Option('--max-calls <N>', 'stop the run after this many calls').argParser(count))
    .addOption(new Option('--max-tokens <N>', 'stop it after this many tokens, in and out').argParser(count))
    .addOption(new Option('--max-minutes <N>', 'stop it after this time').argParser(minutes))
    .option('--quiet', 'show only questions and the result')
    .option('--json', 'print events as JSON lines, the result last; with --quiet only the result');
}
