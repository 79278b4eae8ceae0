import type { NonEmpty } from '@ambit/runtime';
import { Command, CommanderError, Option } from 'commander';
import { addLogCommands } from './commands/log-commands.js';
import { accepting } from './commands/log-evidence-commands.js';
import { collected, count, minutes, percent, positive, seconds } from './commands/option-values.js';
import { addStoreCommands } from './commands/store-commands.js';
import { addToolsetCommands } from './commands/toolset-commands.js';
import { addTrustCommand } from './commands/trust-command.js';
import { type Exit, exits } from './failure.js';
import { examples, helpLooks } from './help.js';
import { type Host, write } from './host.js';
import { reportFailure } from './report-failure.js';
import { version } from './version.js';

/** Runs the program with these arguments (without `node` and the script); never rejects. */
export async function runProgram(argv: readonly string[], host: Host): Promise<Exit> {
  const said = { out: '', err: '' };
  const result: { exit: Exit } = { exit: exits.done };
  const program = createProgram(host, (exit) => {
    result.exit = exit;
  });
  configure(program, said);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return result.exit;
  } catch (error) {
    await write(host.stdout, said.out);
    if (error instanceof CommanderError && error.exitCode === 0) return exits.done;
    await reportFailure(error, said.err, { argv, host, program });
    return exits.unusable;
  }
}

/** Every command: its name, arguments and options. What it does is loaded when it is called. */
function createProgram(host: Host, done: (exit: Exit) => void): Command {
  const program = new Command('ambit')
    .description('Decides which tool calls of AI agents run, which ask, and which never happen.')
    .version(version)
    .helpCommand(true)
    .addHelpText('after', examples);

  program
    .command('init')
    .description(
      'write a starter policy for the repository in DIR, with its suite and schema; or a starter toolset',
    )
    .argument('[DIR]', 'where to', '.')
    .addOption(
      new Option('--preset <NAME>', 'which policy; asked on a terminal, otherwise coding')
        .choices(['coding', 'ci', 'research', 'locked'])
        .conflicts('toolset'),
    )
    .option('--toolset <NAME>', 'write a package with a toolset of this name')
    .option('--json', json)
    .action(async (folder: string, { toolset: name, ...options }) =>
      done(
        name === undefined
          ? await (await import('./commands/policy/init.js')).init(host, folder, options)
          : await (await import('./commands/toolset/init-toolset.js')).initToolset(host, {
              name,
              folder,
              ...options,
            }),
      ),
    );

  program
    .command('check')
    .description('load policy and worker files, run their examples, and say what is wrong with them')
    .argument('<FILE...>', 'policies, or .worker files')
    .option(
      '--toolset <MODULE>',
      'load this module, and know what its toolset reports (again for another)',
      collected,
      [],
    )
    .option(
      '--folder <NAME=DIR>',
      'a folder that `run` is given for a root of the workers (again for another)',
      collected,
      [],
    )
    .option('--json', json)
    .action(async (files: string[], options) =>
      done(await (await import('./commands/policy/check.js')).check(host, files, options)),
    );

  program
    .command('diff')
    .description('every class of calls that NEW decides otherwise than OLD, with a call that shows it')
    .argument('<OLD>', 'a policy, judging with all that it extends')
    .argument('<NEW>', 'the policy that takes its place')
    .option('--old <FILE>', 'a policy that judges beside OLD (again for another)', collected, [])
    .option('--new <FILE>', 'a policy that judges beside NEW (again for another)', collected, [])
    .option('--with <FILE>', 'a policy that judges beside both (again for another)', collected, [])
    .option('--root <DIR>', 'what ./ in policies stands for', '.')
    .addOption(
      new Option(
        '--fail-on <CHANGE>',
        'exit with 1 where a change goes this way, or is not known to go another',
      ).choices(['looser', 'stricter', 'any']),
    )
    .option('--json', json)
    .action(async (old: string, now: string, options) =>
      done(await (await import('./commands/policy/diff.js')).diff(host, { old, now }, options)),
    );

  program
    .command('prove')
    .description('whether the rules for a worker allow nothing that those for its caller do not')
    .argument('<CHILD>', 'the worker that is called')
    .argument('<PARENT>', 'the worker that calls it')
    .argument('<FILE...>', 'policies, judging together with all that they extend')
    .option('--attenuates', 'what is to be proved')
    .option('--root <DIR>', 'what ./ in policies stands for', '.')
    .option('--json', json)
    .action(async (child: string, parent: string, files: [string, ...string[]], options) =>
      done(await (await import('./commands/policy/prove.js')).prove(host, { child, parent, files }, options)),
    );

  program
    .command('test')
    .description('run suites of cases: calls, and what the policies are expected to say about them')
    .argument('[PATH...]', 'suites, or folders to look for *.test.yaml in; this folder otherwise')
    .option('--root <DIR>', 'the root of all calls, whatever the suites say')
    .option('--coverage', 'which rules the cases reach, and which are decisive')
    .addOption(
      new Option('--min-coverage <N>', 'fail where fewer than N percent of the rules are matched').argParser(
        percent,
      ),
    )
    .option('--mutate', 'change the policies, and say which changes the cases do not notice')
    .addOption(
      new Option('--max-survivors <N>', 'with --mutate, fail only where more than N go unnoticed').argParser(
        count,
      ),
    )
    .option('--json', json)
    .action(async (paths: string[], options) =>
      done(await (await import('./commands/policy/test.js')).test(host, paths, options)),
    );

  judging(program.command('show'))
    .description('one table: what runs, what asks, what never')
    .option('--worker <NAME>', 'as it is for this worker')
    .option('--json', json)
    .action(async (options) => done(await (await import('./commands/policy/show.js')).show(host, options)));

  open(judging(program.command('decide')))
    .description('judge calls: JSON lines in, one JSON line out for each, at once')
    .option('--root <DIR>', 'what relative paths in arguments are relative to', '.')
    .option('--json', 'JSON lines, as always')
    .action(async (options) =>
      done(await (await import('./commands/calls/decide.js')).decide(host, options)),
    );

  program
    .command('capabilities')
    .description('what the built-in toolsets report about calls: JSON lines in, JSON lines out')
    .option('--root <DIR>', 'what relative paths in arguments are relative to', '.')
    .option('--json', 'JSON lines, as always')
    .action(async (options) =>
      done(await (await import('./commands/calls/capabilities.js')).capabilities(host, options)),
    );

  accepting(judging(program.command('explain')))
    .description('the whole reasoning for one call')
    .argument('[CALL]', 'the call, as JSON like a line for `decide`; - for stdin')
    .option('--log <FILE>', 'take the call from this log, or from that of this run')
    .addOption(new Option('--seq <N>', 'the entry of the log that holds its decision').argParser(count))
    .option('--root <DIR>', 'what relative paths in arguments are relative to', '.')
    .option('--json', json)
    .action(async (call: string | undefined, options) =>
      done(await (await import('./commands/calls/explain.js')).explain(host, call, options)),
    );

  open(judging(program.command('run')))
    .description(
      'run a worker: every call of a tool is judged, asked about where a person must, and recorded',
    )
    .argument('[WORKER]', 'a .worker file, or the name of one in this folder')
    .argument('[INPUT]', 'what it is given to do; - for what comes on stdin')
    .option('--model <MODEL>', 'anthropic:NAME or script:FILE, for workers that state none')
    .option('--approve-all', 'answer every question with yes, as far as the policies let this count')
    .option('--strict', 'ask nobody: what needs approval is refused')
    .option('--wait', 'where there is no terminal, let questions wait for `ambit approvals`')
    .option('--park', 'ask nobody: end where a question waits, to be resumed when it is answered')
    .option('--resume <RUN>', 'go on with a run that was interrupted, parked or failed, as it was begun')
    .option('--attach <FILE>', 'a file to hand over (again for another)', collected, [])
    .option(
      '--context <K=V>',
      'what conditions read as context.K, as text (again for another)',
      collected,
      [],
    )
    .option(
      '--folder <NAME=DIR>',
      'the folder that workers mean by the root NAME (again for another)',
      collected,
      [],
    )
    .option(
      '--observe <NEW>',
      'a policy that judges beside the others and is only recorded (again for another)',
      collected,
      [],
    )
    .option('--log <FILE>', 'where to record; in the state folder otherwise')
    .addOption(
      new Option('--log-max-bytes <N>', 'go on in another file before one is larger').argParser(positive),
    )
    .addOption(new Option('--log-max-entries <N>', '… before it has more lines').argParser(positive))
    .addOption(new Option('--log-max-age <MINUTES>', '… when it was begun so long ago').argParser(minutes))
    .addOption(
      new Option('--log-commit <HOW>', 'what waits shares a sync, or each has its own').choices([
        'group',
        'sync',
      ]),
    )
    .option(
      '--log-mask <TOOL=PATH>',
      'an argument that is secret whatever it looks like (again for another)',
      collected,
      [],
    )
    .addOption(new Option('--timeout <S>', 'seconds that a person has to answer').argParser(seconds))
    .addOption(new Option('--max-calls <N>', 'stop the run when it makes more calls').argParser(count))
    .addOption(
      new Option('--max-tokens <N>', 'stop it when its models take more, in and out').argParser(count),
    )
    .addOption(new Option('--max-minutes <N>', 'stop it when it lasts longer').argParser(minutes))
    .option('--quiet', 'show nothing but questions and the end')
    .option('--json', 'JSON lines of events on stdout, the last one the result; with --quiet that one alone')
    .action(async (worker: string | undefined, input: string | undefined, options) =>
      done(await (await import('./commands/run/run.js')).run(host, { worker, input }, options)),
    );

  addTrustCommand(program, host, done);
  addStoreCommands(program, host, done);
  addLogCommands(program, host, done);

  accepting(judging(program.command('replay')))
    .description('what the decisions of logs would be under other policies')
    .argument('<LOG...>', 'logs, ids of runs, or folders of logs; a line is judged as it was made')
    .option('--root <DIR>', 'what ./ in policies stands for', '.')
    .addOption(
      new Option(
        '--fail-on <CHANGE>',
        'exit with 1 where a decision goes this way, or is not known to go another',
      ).choices(['looser', 'stricter', 'any']),
    )
    .option('--no-index', 'read all of the log, and keep no index of it')
    .option('--json', json)
    .action(async (files: NonEmpty<string>, options) =>
      done(await (await import('./commands/history/replay.js')).replay(host, files, options)),
    );

  program
    .command('schema')
    .description('the JSON Schema of a kind of file, or of a line of a log')
    .argument('<KIND>', 'policy, suite, worker, configuration or log')
    .option('--json', json)
    .action(async (kind: string) =>
      done(await (await import('./commands/policy/schema.js')).schema(host, kind)),
    );

  addToolsetCommands(program, host, done);
  return program;
}

const json = 'one JSON document on stdout, everything for people on stderr';

function judging(command: Command): Command {
  return command.option(
    '--policy <FILE>',
    'a policy (again for another); AMBIT_POLICY otherwise',
    collected,
    [],
  );
}

function open(command: Command): Command {
  return command.option('--open', 'let policies judge that all say `default: pre_approved`');
}

/** Commander neither ends the process nor writes by itself, in any of the commands. */
function configure(command: Command, said: { out: string; err: string }): void {
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
  for (const child of command.commands) configure(child, said);
}
