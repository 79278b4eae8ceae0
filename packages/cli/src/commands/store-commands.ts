import type { TableCommand } from './command.js';
import { count, digest, time } from './options.js';

export function addStoreCommands(program: TableCommand): void {
  addRuns(program.command('runs').description('list, show and delete runs of this folder'));
  const approvals = program
    .command('approvals')
    .description('answer the questions of runs in this folder, from another terminal');
  addQuestions(approvals);
  addAnswers(approvals);
}

function addRuns(runs: TableCommand): void {
  runs
    .command('list', { isDefault: true })
    .description('list all runs, the newest first')
    .json()
    .does(async () => (await import('./store/runs-show.js')).runsList);
  runs
    .command('show')
    .description('show the state of a run, its open questions and its calls')
    .argument('<RUN>', 'its id, or the beginning of it')
    .json()
    .does(async () => (await import('./store/runs-show.js')).runsShow);
  runs
    .command('forget')
    .description('delete runs that are not running, with their steps and questions')
    .argument('[RUN...]', 'their ids, or the beginnings of them')
    .option('--older <DAYS>', 'all runs that ended more than DAYS days ago', count)
    .json()
    .does(async () => (await import('./store/runs-show.js')).runsForget);
}

function addQuestions(approvals: TableCommand): void {
  approvals
    .command('list', { isDefault: true })
    .description('list the open questions, the oldest first')
    .option('--all', 'include answered and withdrawn questions')
    .json()
    .does(async () => (await import('./store/approvals-show.js')).approvalsList);
  approvals
    .command('show')
    .argument('<ID>', theQuestion)
    .description('show a whole question, as the terminal of its run does')
    .json()
    .does(async () => (await import('./store/approvals-show.js')).approvalsShow);
}

function addAnswers(approvals: TableCommand): void {
  approvals
    .command('approve')
    .option(...itsDigest)
    .description('let the call run, once or for longer')
    .argument('[ID]', theQuestion)
    .option('--run <RUN>', 'show all open questions of this run, and approve them together, each once')
    .choice('--keep <LONG>', 'keep the answer: for the run, or always', ['run', 'always'])
    .option('--reach <FAR>', 'how far it is kept, as `show` lists it (default: the narrowest)')
    .option('--until <TIME>', 'keep it at most until this time, 2026-11-20T10:00:00Z', time)
    .option('--args <JSON>', 'call with these arguments instead')
    .json()
    .does(async () => (await import('./store/approvals-answer.js')).approve);
  approvals
    .command('deny')
    .argument('<ID>', theQuestion)
    .option(...itsDigest)
    .description('refuse the call; deny repeats in this run')
    .option('--note <TEXT>', 'the reason, for the model')
    .option('--ask-again', 'ask again when the run repeats the call')
    .json()
    .does(async () => (await import('./store/approvals-answer.js')).deny);
  approvals
    .command('kept')
    .description('list the answers that also cover later calls')
    .json()
    .does(async () => (await import('./store/approvals-show.js')).approvalsKept);
  approvals
    .command('revoke')
    .description('revoke a kept answer')
    .argument('<ID>', 'its id as in `kept`, or the beginning of it')
    .json()
    .does(async () => (await import('./store/approvals-show.js')).approvalsRevoke);
}

const theQuestion = "the question's id, or the beginning of it";

const itsDigest = [
  '--digest <HEX>',
  'answer only if the question has this digest, from `show`',
  digest,
] as const;
