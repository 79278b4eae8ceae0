import { type Command, Option } from 'commander';
import type { Exit } from '../failure.js';
import type { Host } from '../host.js';
import {
  acceptUnverified,
  collected,
  count,
  decision,
  decisions,
  json,
  takePolicies,
  timeSince,
  timeUntil,
} from './options.js';

type Done = (exit: Exit) => void;
type Files = [string, ...string[]];

export function addLogCommands(program: Command, host: Host, done: Done): void {
  const log = program.command('log').description('read, verify and export a decision log');
  addReading(log, host, done);
  addEvidence(log, host, done);
  addQueries(log, host, done);
  addHistory(program, host, done);
}

function addReading(log: Command, host: Host, done: Done): void {
  acceptUnverified(log.command('tail'))
    .description('print the last entries, one line each')
    .argument('<FILE>', 'a log, or the id of its run')
    .option('-f, --follow', 'keep printing entries as they are appended')
    .addOption(new Option('-n, --lines <N>', 'how many of the last entries').argParser(count).default(20))
    .option('--json', 'print the entries as JSON lines')
    .action(async (file: string, options) =>
      done(await (await import('./log/show.js')).logTail(host, file, options)),
    );
  acceptUnverified(log.command('show'))
    .description('print the decision, question, answer and outcome of one call')
    .argument('<CALL>', "the call's id, the beginning of it, or the seq of one of its entries")
    .option('--log <FILE>', 'a log, or the id of its run (default: the newest of this folder)')
    .option('--json', json)
    .action(async (call: string, options) =>
      done(await (await import('./log/show.js')).logShow(host, call, options)),
    );
}

function addEvidence(log: Command, host: Host, done: Done): void {
  const key = [
    '--key <FILE>',
    'key from `ambit log key` that signs the head (repeatable; matches any)',
  ] as const;
  log
    .command('verify')
    .description('check that a log is complete and unchanged, and who signed it')
    .argument('<LOG...>', 'logs, ids of runs, or folders of logs')
    .option(...key, collected, [])
    .option(
      '--anchor <FILE>',
      'tree head that was stored elsewhere (repeatable): detects a truncated or rewritten log',
      collected,
      [],
    )
    .option('--redecide', 'judge every call again under the policies in the log')
    .option('--json', json)
    .action(async (files: Files, options) =>
      done(await (await import('./log/verify.js')).logVerify(host, files, options)),
    );
  log
    .command('prove')
    .description('write or check a proof about a log, for people who do not have the log')
    .argument('<FILE>', 'the log; with --check, the line or the older head to prove')
    .addOption(new Option('--seq <N>', 'prove that the log holds this entry').argParser(count))
    .option('--consistency <OLD>', 'prove that the log continues this older head')
    .option('--head', 'print the newest tree head, to store it elsewhere')
    .option('--check <PROOF>', 'check this proof')
    .option(...key, collected, [])
    .option('--json', json)
    .action(async (file: string, options) =>
      done(await (await import('./log/prove.js')).logProve(host, file, options)),
    );
  log
    .command('key')
    .description('print the key that signs the logs of this folder; create it if it is missing')
    .option('--json', json)
    .action(async (options) => done(await (await import('./log/prove.js')).logKey(host, options)));
}

function addQueries(log: Command, host: Host, done: Done): void {
  takeFilter(log.command('query'))
    .description('print the matching calls of logs, one line each')
    .option('--json', 'print JSON lines, one for each call')
    .action(async (files: Files, options) =>
      done(await (await import('./log/query.js')).logQuery(host, files, options)),
    );
  takeFilter(log.command('stats'))
    .description('count decisions, rules, questions and answers in logs')
    .option('--load', 'questions an hour, by rule, and what `ambit learn` would save and newly allow')
    .option('--json', json)
    .action(async (files: Files, options) =>
      done(await (await import('./history/stats.js')).logStats(host, files, options)),
    );
  takeFilter(log.command('export'))
    .description('print the calls of logs for other programs')
    .addOption(
      new Option('--format <FORMAT>', 'ocsf: API Activity events, as JSON lines')
        .choices(['csv', 'json', 'ocsf'])
        .default('json'),
    )
    .option('--json', 'the same as --format json')
    .action(async (files: Files, options) =>
      done(await (await import('./log/query.js')).logExport(host, files, options)),
    );
}

function takeFilter(command: Command): Command {
  const any = '(repeatable; matches any)';
  return acceptUnverified(command)
    .argument('<FILE...>', 'logs or ids of runs, oldest first')
    .addOption(
      new Option('--since <TIME>', 'at or after a date, a time as in the log, or 1h ago').argParser(
        timeSince,
      ),
    )
    .addOption(new Option('--until <TIME>', 'before a time, or up to and with a date').argParser(timeUntil))
    .option('--worker <NAME>', `worker in the chain ${any}`, collected, [])
    .option('--tool <NAME>', `full name of a tool, or a toolset ${any}`, collected, [])
    .option('--capability <NAME>', `capability of the call, or one above it ${any}`, collected, [])
    .addOption(
      new Option('--decision <DECISION>', `none: refused before it was judged ${any}`)
        .choices(decisions)
        .argParser(decision)
        .default([]),
    )
    .option('--rule <ID>', `rule that applied ${any}`, collected, [])
    .option('--person <NAME>', `person who answered ${any}`, collected, [])
    .option('--outcome <OUTCOME>', `completed, failed, open, or a refusal code ${any}`, collected, []);
}

function addHistory(program: Command, host: Host, done: Done): void {
  acceptUnverified(program.command('report'))
    .description('write an HTML report: decisions over time, questions, people, idle rules, every call')
    .argument('<LOG...>', 'logs or ids of runs, oldest first')
    .option('--out <FILE>', 'file to write, replaced if it exists; - for stdout (default: beside the log)')
    .option('--json', json)
    .action(async (files: Files, options) =>
      done(await (await import('./history/report.js')).report(host, files, options)),
    );
  acceptUnverified(program.command('learn'))
    .description('propose the fewest rules that would have answered what people approved')
    .argument('<LOG...>', 'logs or ids of runs, oldest first')
    .option(
      '--policy <FILE>',
      'policy to extend; others judge beside it (repeatable; default: AMBIT_POLICY, else the logs)',
      collected,
      [],
    )
    .option('--root <DIR>', 'directory that `./` means (default: as in the log)')
    .addOption(
      new Option(
        '--reach <REACH>',
        'how far a rule may reach (default: as kept answers in the policy)',
      ).choices(['arguments', 'file', 'folder', 'program', 'capability']),
    )
    .option('--widen', 'let a folder rule cover approvals from deeper folders, up to the whole root')
    .option('--write', 'write the rules into the first policy')
    .option('--json', json)
    .action(async (files: Files, options) =>
      done(await (await import('./history/learn.js')).learn(host, files, options)),
    );
  acceptUnverified(takePolicies(program.command('replay')))
    .description('print what the decisions in logs would be under other policies')
    .argument('<LOG...>', 'logs, ids of runs, or folders of logs')
    .option('--root <DIR>', 'directory that `./` means', '.')
    .addOption(
      new Option('--fail-on <CHANGE>', 'exit with 1 if a decision goes this way, or may go this way').choices(
        ['looser', 'stricter', 'any'],
      ),
    )
    .option('--no-index', 'read the whole log, and keep no index of it')
    .option('--json', json)
    .action(async (files: Files, options) =>
      done(await (await import('./history/replay.js')).replay(host, files, options)),
    );
}
