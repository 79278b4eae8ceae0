import { type Command, Option } from 'commander';
import type { Exit } from '../failure.js';
import type { Host } from '../host.js';
import { accepting, addEvidenceCommands, json } from './log-evidence-commands.js';
import { collected, count, decision, decisions, time, timeUntil } from './option-values.js';

/** What reads a decision log. */
export function addLogCommands(program: Command, host: Host, done: (exit: Exit) => void): void {
  const log = program.command('log').description('read a decision log');
  accepting(log.command('tail'))
    .description('the last entries, one line each')
    .argument('<FILE>', 'the log, or the id of its run')
    .option('-f, --follow', 'go on with what is appended')
    .addOption(new Option('-n, --lines <N>', 'how many of the last entries').argParser(count).default(20))
    .option('--json', 'JSON lines: the entries as they are')
    .action(async (file: string, options) =>
      done(await (await import('./log/tail.js')).logTail(host, file, options)),
    );
  accepting(log.command('show'))
    .description('decision, question, answer and outcome of one call')
    .argument('<CALL>', "the call's id, its beginning, or the seq of one of its entries")
    .option('--log <FILE>', 'the log, or the id of its run; the newest of this folder otherwise')
    .option('--json', json)
    .action(async (call: string, options) =>
      done(await (await import('./log/show.js')).logShow(host, call, options)),
    );
  addEvidenceCommands(log, host, done);
  asking(log.command('query'))
    .description('the calls of logs, one line each')
    .option('--json', 'JSON lines, one for each call')
    .action(async (files: [string, ...string[]], options) =>
      done(await (await import('./log/query.js')).logQuery(host, files, options)),
    );
  asking(log.command('stats'))
    .description('what logs come to: decisions, rules, questions, people, and how much was asked')
    .option('--load', 'questions an hour, by rule, and what `ambit learn` would save and newly allow')
    .option('--json', json)
    .action(async (files: [string, ...string[]], options) =>
      done(await (await import('./history/stats.js')).logStats(host, files, options)),
    );
  asking(log.command('export'))
    .description('the calls of logs for other programs')
    .addOption(
      new Option('--format <FORMAT>', 'ocsf: API Activity events, as JSON lines')
        .choices(['csv', 'json', 'ocsf'])
        .default('json'),
    )
    .option('--json', 'the same as --format json')
    .action(async (files: [string, ...string[]], options) =>
      done(await (await import('./log/export.js')).logExport(host, files, options)),
    );

  accepting(program.command('report'))
    .description(
      'write a page to look at: decisions over time, questions, people, idle rules, every call explained',
    )
    .argument('<LOG...>', 'logs, or ids of runs, in the order of their time')
    .option('--out <FILE>', 'where to, over what is there; - for stdout; beside the log otherwise')
    .option('--json', json)
    .action(async (files: [string, ...string[]], options) =>
      done(await (await import('./history/report.js')).report(host, files, options)),
    );
  addLearn(program, host, done);
}

/** Rules from answers. */
function addLearn(program: Command, host: Host, done: (exit: Exit) => void): void {
  accepting(program.command('learn'))
    .description('propose the fewest rules that would have answered what people approved')
    .argument('<LOG...>', 'logs, or ids of runs, in the order of their time')
    .option(
      '--policy <FILE>',
      'the policy to add to (again for another that judges beside it); AMBIT_POLICY, or what the logs carry, otherwise',
      collected,
      [],
    )
    .option('--root <DIR>', 'what ./ in policies stands for; what the log says otherwise')
    .addOption(
      new Option(
        '--reach <REACH>',
        'how far a rule may reach; as far as answers may that the policy keeps otherwise',
      ).choices(['arguments', 'file', 'folder', 'program', 'capability']),
    )
    .option(
      '--widen',
      'let a rule for a folder answer what was approved deeper in it, and cover the whole root',
    )
    .option('--write', 'write the rules into the first policy')
    .option('--json', json)
    .action(async (files: [string, ...string[]], options) =>
      done(await (await import('./history/learn.js')).learn(host, files, options)),
    );
}

/** What calls are asked for. */
function asking(command: Command): Command {
  const again = 'again for another, of which any will do';
  return accepting(command)
    .argument('<FILE...>', 'logs, or ids of runs, in the order of their time')
    .addOption(new Option('--since <TIME>', 'from then on: a date, or a time as in the log').argParser(time))
    .addOption(new Option('--until <TIME>', 'up to then, a date included').argParser(timeUntil))
    .option('--worker <NAME>', `in the chain (${again})`, collected, [])
    .option('--tool <NAME>', `a full name, or a toolset (${again})`, collected, [])
    .option('--capability <NAME>', `that the call carried, or one under it (${again})`, collected, [])
    .addOption(
      new Option('--decision <DECISION>', `none: refused before it was judged (${again})`)
        .choices(decisions)
        .argParser(decision)
        .default([]),
    )
    .option('--rule <ID>', `that applied (${again})`, collected, [])
    .option('--person <NAME>', `who answered (${again})`, collected, [])
    .option(
      '--outcome <OUTCOME>',
      `completed, failed, open, or why it was refused (${again})`,
      collected,
      [],
    );
}
