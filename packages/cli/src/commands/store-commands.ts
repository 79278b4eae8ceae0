import { type Command, Option } from 'commander';
import type { Exit } from '../failure.js';
import type { Host } from '../host.js';
import { json } from './log-evidence-commands.js';
import { count, digest, time } from './option-values.js';

/** What works on the runs, questions and answers that are kept of this folder. */
export function addStoreCommands(program: Command, host: Host, done: (exit: Exit) => void): void {
  const runs = program.command('runs').description('the runs of this folder that are kept');
  runs
    .command('list')
    .description('all of them, the newest first')
    .option('--json', json)
    .action(async (options) => done(await (await import('./store/runs-list.js')).runsList(host, options)));
  runs
    .command('show')
    .description('what became of a run, its questions that wait, its calls')
    .argument('<RUN>', 'its id, or the beginning of it')
    .option('--json', json)
    .action(async (id: string, options) =>
      done(await (await import('./store/runs-show.js')).runsShow(host, id, options)),
    );
  runs
    .command('forget')
    .description('take runs out for good that are not running, with their steps and questions')
    .argument('[RUN...]', 'their ids, or the beginnings of them')
    .addOption(
      new Option('--older <DAYS>', 'all that have finished or were stopped so long ago').argParser(count),
    )
    .option('--json', json)
    .action(async (ids: readonly string[], options) =>
      done(await (await import('./store/runs-forget.js')).runsForget(host, ids, options)),
    );

  const approvals = program
    .command('approvals')
    .description('answer the questions of runs in this folder, from here');
  approvals
    .command('list')
    .description('the questions that wait, the oldest first')
    .option('--all', 'those that are answered or not asked any more, too')
    .option('--json', json)
    .action(async (options) =>
      done(await (await import('./store/approvals-list.js')).approvalsList(host, options)),
    );
  named(approvals.command('show'))
    .description('a question as the terminal of its run shows it, whole')
    .option('--json', json)
    .action(async (id: string, options) =>
      done(await (await import('./store/approvals-show.js')).approvalsShow(host, id, options)),
    );
  answering(approvals.command('approve'))
    .description('let the call run, this once or for longer')
    .addOption(
      new Option('--keep <LONG>', 'keep the answer: for the run, or always').choices(['run', 'always']),
    )
    .option('--reach <FAR>', 'how far it is kept, as `show` says; the narrowest otherwise')
    .addOption(
      new Option('--until <TIME>', 'keep it no longer than this, 2026-11-20T10:00:00Z').argParser(time),
    )
    .option('--args <JSON>', 'call with these arguments instead')
    .option('--json', json)
    .action(async (id: string, options) =>
      done(await (await import('./store/approvals-answer.js')).approve(host, id, options)),
    );
  answering(approvals.command('deny'))
    .description('refuse the call, whenever the run makes it again')
    .option('--note <TEXT>', 'why, for the model')
    .option('--ask-again', 'ask again when the run makes the same call')
    .option('--json', json)
    .action(async (id: string, options) =>
      done(await (await import('./store/approvals-answer.js')).deny(host, id, options)),
    );
  approvals
    .command('kept')
    .description('the answers that were given for later calls too')
    .option('--json', json)
    .action(async (options) =>
      done(await (await import('./store/approvals-kept.js')).approvalsKept(host, options)),
    );
  approvals
    .command('revoke')
    .description('take a kept answer back')
    .argument('<ID>', 'its id as `kept` shows it, or the beginning of it')
    .option('--json', json)
    .action(async (id: string, options) =>
      done(await (await import('./store/approvals-kept.js')).approvalsRevoke(host, id, options)),
    );
}

function named(command: Command): Command {
  return command.argument('<ID>', "the question's id, or the beginning of it");
}

function answering(command: Command): Command {
  return named(command).addOption(
    new Option(
      '--digest <HEX>',
      'answer only what has this digest, as `show` gives it, or one that begins so',
    ).argParser(digest),
  );
}
