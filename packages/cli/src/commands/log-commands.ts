import type { TableCommand } from './command.js';
import { count, decisions, outcomes, timeSince, timeUntil } from './options.js';
import { ways } from './policy-commands.js';

export function addLogCommands(program: TableCommand): void {
  const log = program.command('log').description('read, verify and export a decision log');
  addReading(log);
  addEvidence(log);
  addQueries(log);
  addHistory(program);
}

function addReading(log: TableCommand): void {
  log
    .command('tail')
    .acceptsUnverified()
    .description('print the last entries, one line each')
    .argument('[FILE]', 'a log, or the id of its run (default: the newest of this folder)')
    .option('-f, --follow', 'keep printing entries as they are appended')
    .option('-n, --lines <N>', 'how many of the last entries', count, 20)
    .json('print the entries as JSON lines')
    .does(async () => (await import('./log/show.js')).logTail);
  log
    .command('show')
    .acceptsUnverified()
    .description('print the decision, question, answer and outcome of one call')
    .argument('<CALL>', "the call's id, the beginning of it, or the seq of one of its entries")
    .option('--log <FILE>', 'a log, or the id of its run (default: those of this folder)')
    .json()
    .does(async () => (await import('./log/show.js')).logShow);
}

function addEvidence(log: TableCommand): void {
  const key = [
    '--key <FILE>',
    'key from `ambit log key` that signs the head (repeatable; matches any)',
  ] as const;
  log
    .command('verify')
    .description('check that a log is complete and unchanged, and who signed it')
    .argument('<LOG...>', 'logs, ids of runs, or folders of logs')
    .list(...key)
    .list(
      '--anchor <FILE>',
      'tree head that was stored elsewhere (repeatable): detects a truncated or rewritten log',
    )
    .option('--redecide', 'judge every call again under the policies in the log')
    .json()
    .does(async () => (await import('./log/verify.js')).logVerify);
  log
    .command('prove')
    .description('write or check a proof about a log, for people who do not have the log')
    .argument('<FILE>', 'the log; with --check, the line or the older head to prove')
    .option('--seq <N>', 'prove that the log holds this entry', count)
    .option('--consistency <OLD>', 'prove that the log continues this older head')
    .option('--head', 'print the newest tree head, to store it elsewhere')
    .option('--check <PROOF>', 'check this proof')
    .list(...key)
    .json()
    .does(async () => (await import('./log/prove.js')).logProve);
  log
    .command('key')
    .description('print the key that signs the logs of this folder; create it if it is missing')
    .json()
    .does(async () => (await import('./log/prove.js')).logKey);
}

function addQueries(log: TableCommand): void {
  takeFilter(log.command('query'))
    .description('print the matching calls of logs, one line each')
    .json('print JSON lines, one for each call')
    .does(async () => (await import('./log/query.js')).logQuery);
  takeFilter(log.command('stats'))
    .description('count decisions, rules, questions and answers in logs')
    .option('--load', 'questions an hour, by rule, and what `ambit learn` would save and newly allow')
    .json()
    .does(async () => (await import('./history/stats.js')).logStats);
  takeFilter(log.command('export'))
    .description('print the calls of logs for other programs')
    .choice('--format <FORMAT>', 'ocsf: API Activity events, as JSON lines', ['csv', 'json', 'ocsf'], 'json')
    .json('the same as --format json')
    .does(async () => (await import('./log/query.js')).logExport);
}

function takeFilter(command: TableCommand): TableCommand {
  const any = '(repeatable; matches any)';
  return command
    .acceptsUnverified()
    .argument('<FILE...>', 'logs, ids of runs, or folders of logs, oldest first')
    .option('--since <TIME>', 'at or after a date, a time as in the log, or 1h ago', timeSince)
    .option('--until <TIME>', 'before a time, or up to and including a date', timeUntil)
    .list('--worker <NAME>', `worker in the chain ${any}`)
    .list('--tool <NAME>', `full name of a tool, or a toolset ${any}`)
    .list('--capability <NAME>', `capability of the call, or one above it ${any}`)
    .some('--decision <DECISION>', `none: refused before it was judged ${any}`, decisions)
    .list('--rule <ID>', `rule that applied ${any}`)
    .list('--person <NAME>', `person who answered ${any}`)
    .some('--outcome <OUTCOME>', `outcome, or the code of a refusal ${any}`, outcomes);
}

function addHistory(program: TableCommand): void {
  program
    .command('report')
    .acceptsUnverified()
    .description('write an HTML report: decisions over time, questions, people, idle rules, every call')
    .argument('<LOG...>', 'logs, ids of runs, or folders of logs, oldest first')
    .option('--out <FILE>', 'file to write, replaced if it exists; - for stdout (default: beside the log)')
    .json()
    .does(async () => (await import('./history/report.js')).report);
  program
    .command('learn')
    .acceptsUnverified()
    .description('propose the fewest rules that would have answered what people approved')
    .argument('<LOG...>', 'logs, ids of runs, or folders of logs, oldest first')
    .list(
      '--policy <FILE>',
      'policy to extend; others judge beside it (repeatable; default: AMBIT_POLICY, else the logs)',
    )
    .option('--root <DIR>', 'directory that `./` means (default: as in the log)')
    .choice('--reach <REACH>', 'how far a rule may reach (default: as kept answers in the policy)', [
      'arguments',
      'file',
      'folder',
      'program',
      'capability',
    ])
    .option('--widen', 'let a folder rule cover approvals from deeper folders, up to the whole root')
    .option('--write', 'write the rules into the first policy')
    .json()
    .does(async () => (await import('./history/learn.js')).learn);
  program
    .command('replay')
    .takesPolicies()
    .acceptsUnverified()
    .description('print what the decisions in logs would be under other policies')
    .argument('<LOG...>', 'logs, ids of runs, or folders of logs')
    .option('--root <DIR>', 'directory that `./` means', '.')
    .choice('--fail-on <CHANGE>', 'exit with 1 if a decision goes this way, or may go this way', ways)
    .option('--no-index', 'read the whole log, and keep no index of it')
    .json()
    .does(async () => (await import('./history/replay.js')).replay);
}
