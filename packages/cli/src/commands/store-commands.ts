import { type Command, Option } from 'commander';
import type { Exit } from '../failure.js';
import type { Host } from '../host.js';
import { count, digest, json, time } from './options.js';

type Done = (exit: Exit) => void;

export function addStoreCommands(program: Command, host: Host, done: Done): void {
  addRuns(program.command('runs').description('list, show and delete runs of this folder'), host, done);
  const approvals = program
    .command('approvals')
    .description('answer the questions of runs in this folder, from another terminal');
  addQuestions(approvals, host, done);
  addAnswers(approvals, host, done);
}

function addRuns(runs: Command, host: Host, done: Done): void {
  runs
    .command('list', { isDefault: true })
    .description('list all runs, the newest first')
    .option('--json', json)
    .action(async (options) => done(await (await import('./store/runs-show.js')).runsList(host, options)));
  runs
    .command('show')
    .description('show the state of a run, its open questions and its calls')
    .argument('<RUN>', 'its id, or the beginning of it')
    .option('--json', json)
    .action(async (id: string, options) =>
      done(await (await import('./store/runs-show.js')).runsShow(host, id, options)),
    );
  runs
    .command('forget')
    .description('delete runs that are not running, with their steps and questions')
    .argument('[RUN...]', 'their ids, or the beginnings of them')
    .addOption(new Option('--older <DAYS>', 'all that ended more than DAYS days ago').argParser(count))
    .option('--json', json)
    .action(async (ids: readonly string[], options) =>
      done(await (await import('./store/runs-forget.js')).runsForget(host, ids, options)),
    );
}

function addQuestions(approvals: Command, host: Host, done: Done): void {
  approvals
    .command('list', { isDefault: true })
    .description('list the open questions, the oldest first')
    .option('--all', 'include answered and withdrawn questions')
    .option('--json', json)
    .action(async (options) =>
      done(await (await import('./store/approvals-show.js')).approvalsList(host, options)),
    );
  takeQuestion(approvals.command('show'))
    .description('show a whole question, as the terminal of its run does')
    .option('--json', json)
    .action(async (id: string, options) =>
      done(await (await import('./store/approvals-show.js')).approvalsShow(host, id, options)),
    );
}

function addAnswers(approvals: Command, host: Host, done: Done): void {
  takeDigest(approvals.command('approve'))
    .description('let the call run, once or for longer')
    .argument('[ID]', "the question's id, or the beginning of it")
    .option('--run <RUN>', 'show all open questions of this run, and approve them together, each once')
    .addOption(
      new Option('--keep <LONG>', 'keep the answer: for the run, or always').choices(['run', 'always']),
    )
    .option('--reach <FAR>', 'how far it is kept, as `show` lists it (default: the narrowest)')
    .addOption(
      new Option('--until <TIME>', 'keep it at most until this time, 2026-11-20T10:00:00Z').argParser(time),
    )
    .option('--args <JSON>', 'call with these arguments instead')
    .option('--json', json)
    .action(async (id: string | undefined, options) =>
      done(
        options.run === undefined
          ? await (await import('./store/approvals-answer.js')).approve(host, id, options)
          : await (await import('./store/approvals-answer.js')).approveRun(host, id, options),
      ),
    );
  takeDigest(takeQuestion(approvals.command('deny')))
    .description('refuse the call; deny repeats in this run')
    .option('--note <TEXT>', 'the reason, for the model')
    .option('--ask-again', 'ask again when the run repeats the call')
    .option('--json', json)
    .action(async (id: string, options) =>
      done(await (await import('./store/approvals-answer.js')).deny(host, id, options)),
    );
  approvals
    .command('kept')
    .description('list the answers that also cover later calls')
    .option('--json', json)
    .action(async (options) =>
      done(await (await import('./store/approvals-kept.js')).approvalsKept(host, options)),
    );
  approvals
    .command('revoke')
    .description('revoke a kept answer')
    .argument('<ID>', 'its id as in `kept`, or the beginning of it')
    .option('--json', json)
    .action(async (id: string, options) =>
      done(await (await import('./store/approvals-kept.js')).approvalsRevoke(host, id, options)),
    );
}

function takeQuestion(command: Command): Command {
  return command.argument('<ID>', "the question's id, or the beginning of it");
}

function takeDigest(command: Command): Command {
  return command.addOption(
    new Option('--digest <HEX>', 'answer only if the question has this digest, from `show`').argParser(
      digest,
    ),
  );
}
