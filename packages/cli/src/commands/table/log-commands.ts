import { ways } from './policy-commands.js';
import { count, decisions, outcomes, someOf, timeSince, timeUntil } from './readers.js';
import { choice, type Given, json, list, off, policies, read, type Table, unverified } from './spec.js';

const any = '(repeatable; matches any)';
const root = { '--root <DIR>': read('directory that `./` means', String, '.') };
const keys = { '--key <FILE>': list(`key from \`ambit log key\` that signs the head ${any}`) };
const logs = ['<LOG...>', 'logs, ids of runs, or folders of logs'] as const;
const oldestFirst = 'logs, ids of runs, or folders of logs, oldest first';

/** A repeatable option, each value one of these words: no log could match another one. */
function some(about: string, words: readonly string[]): Given<readonly string[]> {
  return { about, choices: words, read: someOf(words), usual: [] };
}

const filter = {
  takes: [['<FILE...>', oldestFirst]],
  options: {
    ...unverified,
    '--since <TIME>': read('at or after a date, a time as in the log, or 1h ago', timeSince),
    '--until <TIME>': read('before a time, or up to and including a date', timeUntil),
    '--worker <NAME>': list(`worker in the chain ${any}`),
    '--tool <NAME>': list(`full name of a tool, or a toolset ${any}`),
    '--capability <NAME>': list(`capability of the call, or one above it ${any}`),
    '--decision <DECISION>': some(`none: refused before it was judged ${any}`, decisions),
    '--rule <ID>': list(`rule that applied ${any}`),
    '--person <NAME>': list(`person who answered ${any}`),
    '--outcome <OUTCOME>': some(`outcome, or the code of a refusal ${any}`, outcomes),
  },
} as const;

export const logCommands = {
  log: { about: 'read, verify and export a decision log' },
  'log tail': {
    about: 'print the last entries, one line each',
    takes: [['[FILE]', 'a log, or the id of its run (default: the newest of this folder)']],
    options: {
      ...unverified,
      '-f, --follow': 'keep printing entries as they are appended',
      '-n, --lines <N>': read('how many of the last entries', count, 20),
      '--json': 'print the entries as JSON lines',
    },
    example: 'ambit log tail RUN --follow',
  },
  'log show': {
    about: 'print the decision, question, answer and outcome of one call',
    takes: [['<CALL>', "the call's id, the beginning of it, or the seq of one of its entries"]],
    options: {
      ...unverified,
      '--log <FILE>': 'a log, or the id of its run (default: those of this folder)',
      ...json,
    },
    example: 'ambit log show CALL --log RUN',
  },
  'log verify': {
    about: 'check that a log is complete and unchanged, and who signed it',
    takes: [logs],
    options: {
      ...keys,
      '--anchor <FILE>': list(
        'tree head that was stored elsewhere (repeatable): detects a truncated or rewritten log',
      ),
      '--redecide': 'judge every call again under the policies in the log',
      ...json,
    },
    example: 'ambit log verify RUN --key key.pub --redecide',
  },
  'log prove': {
    about: 'write or check a proof about a log, for people who do not have the log',
    takes: [['<FILE>', 'the log; with --check, the line or the older head to prove']],
    options: {
      '--seq <N>': read('prove that the log holds this entry', count),
      '--consistency <OLD>': 'prove that the log continues this older head',
      '--head': 'print the newest tree head, to store it elsewhere',
      '--check <PROOF>': 'check this proof',
      ...keys,
      ...json,
    },
    example: 'ambit log prove RUN --head > head-of-monday',
  },
  'log key': {
    about: 'print the key that signs the logs of this folder; create it if it is missing',
    options: json,
    example: 'ambit log key > key.pub',
  },
  'log query': {
    about: 'print the matching calls of logs, one line each',
    takes: filter.takes,
    options: { ...filter.options, '--json': 'print JSON lines, one for each call' },
    example: 'ambit log query RUN --decision blocked --since 1h',
  },
  'log stats': {
    about: 'count decisions, rules, questions and answers in logs',
    takes: filter.takes,
    options: {
      ...filter.options,
      '--load': 'questions an hour, by rule, and what `ambit learn` would save and newly allow',
      ...json,
    },
    example: 'ambit log stats RUN --load',
  },
  'log export': {
    about: 'print the calls of logs for other programs',
    takes: filter.takes,
    options: {
      ...filter.options,
      '--format <FORMAT>': choice(
        'ocsf: API Activity events, as JSON lines',
        ['csv', 'json', 'ocsf'],
        'json',
      ),
      '--json': 'the same as --format json',
    },
    example: 'ambit log export RUN --format csv > calls.csv',
  },
  report: {
    about: 'write an HTML report: decisions over time, questions, people, idle rules, every call',
    takes: [['<LOG...>', oldestFirst]],
    options: {
      ...unverified,
      '--out <FILE>': 'file to write, replaced if it exists; - for stdout (default: beside the log)',
      ...json,
    },
    example: 'ambit report RUN --out report.html',
  },
  learn: {
    about: 'propose the fewest rules that would have answered what people approved',
    takes: [['<LOG...>', oldestFirst]],
    options: {
      ...unverified,
      '--policy <FILE>': list(
        'policy to extend; others judge beside it (repeatable; default: AMBIT_POLICY, else the logs)',
      ),
      '--root <DIR>': 'directory that `./` means (default: as in the log)',
      '--reach <REACH>': choice('how far a rule may reach (default: as kept answers in the policy)', [
        'arguments',
        'file',
        'folder',
        'program',
        'capability',
      ]),
      '--widen': 'let a folder rule cover approvals from deeper folders, up to the whole root',
      '--write': 'write the rules into the first policy',
      ...json,
    },
    example: 'ambit learn RUN --policy policy.yaml',
  },
  replay: {
    about: 'print what the decisions in logs would be under other policies',
    takes: [logs],
    options: {
      ...policies,
      ...unverified,
      ...root,
      '--fail-on <CHANGE>': choice('exit with 1 if a decision goes this way, or may go this way', ways),
      '--no-index': off('read the whole log, and keep no index of it'),
      ...json,
    },
    example: 'ambit replay RUN --policy new.yaml --fail-on looser',
  },
} as const satisfies Table;
