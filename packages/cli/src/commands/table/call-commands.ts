import { count, minutes, positive, seconds } from './readers.js';
import { choice, json, list, open, policies, read, type Table, toolsets, unverified } from './spec.js';

const root = { '--root <DIR>': read('directory that relative paths in arguments start from', String, '.') };
const lines = { '--json': 'print JSON lines (always on)' } as const;
const sampleCall = `echo '{"tool": "shell.run", "args": {"command": "ls"}}' |`;

const run = {
  takes: [
    ['[WORKER]', 'a .worker file, or the name of one in this folder'],
    ['[INPUT]', 'the input of the worker; - for stdin'],
  ],
  options: {
    ...policies,
    ...open,
    '--model <MODEL>':
      'anthropic:NAME, openai:NAME, openai-chat:NAME or script:FILE, for workers that name no model',
    '--approve-all': 'answer yes to every question, as far as the policies accept that',
    '--strict': 'refuse calls that need approval, instead of asking',
    '--wait': 'without a terminal, let questions wait for `ambit approvals`',
    '--park': 'end the run when all work waits for answers; continue it with --resume',
    '--resume <RUN>': 'continue a run that was interrupted, parked or failed',
    '--attach <FILE>': list('file to attach (repeatable)'),
    '--context <K=V>': list('text that conditions read as context.K (repeatable)'),
    '--folder <NAME=DIR>': list('folder for the root NAME of the workers (repeatable)'),
    '--observe <NEW>': list('policy whose decisions are only recorded (repeatable)'),
    '--log <FILE>': 'where to record (default: the state folder)',
    '--log-max-bytes <N>': read('rotate the log before a file grows larger', positive),
    '--log-max-entries <N>': read('rotate the log before a file has more lines', positive),
    '--log-max-age <MINUTES>': read('rotate the log when a file is this old', minutes),
    '--log-commit <HOW>': choice('group: batched fsync; sync: one fsync per entry', ['group', 'sync']),
    '--log-mask <TOOL=PATH>': list('argument that is always masked (repeatable)'),
    '--timeout <S>': read('seconds that a person has to answer', seconds),
    '--max-calls <N>': read('stop the run after this many calls', count),
    '--max-tokens <N>': read('stop it after this many tokens, in and out', count),
    '--max-minutes <N>': read('stop it after this time', minutes),
    '--quiet': 'show only questions and the result',
    '--json': 'print events as JSON lines, the result last; with --quiet only the result',
  },
} as const;

export const callCommands = {
  decide: {
    about: 'judge calls: JSON lines in, one JSON line out for each, at once',
    options: {
      ...policies,
      ...open,
      ...toolsets,
      ...root,
      '--exit-code': 'exit with 3 if the strictest decision is a question, 4 if it is a block',
      ...lines,
    },
    example: `${sampleCall}\n  ambit decide --policy policy.yaml`,
  },
  capabilities: {
    about: 'print what the built-in toolsets report about calls: JSON lines in, JSON lines out',
    options: { ...root, ...lines },
    example: `${sampleCall}\n  ambit capabilities`,
  },
  explain: {
    about: 'explain one decision: the rule that made it, and what would change it',
    takes: [['[CALL...]', 'the call, as JSON like a line for `decide`; - for stdin; or a command line']],
    options: {
      ...policies,
      ...unverified,
      ...toolsets,
      '--shell <COMMAND>': 'a command line, as `shell.run` would run it',
      '--full': 'print the whole reasoning',
      '--log <FILE>': 'take the call from this log, or from the log of this run',
      '--seq <N>': read('number of the log entry with its decision', count),
      ...root,
      ...json,
    },
    example: "ambit explain --policy policy.yaml 'cat .env'",
  },
  run: {
    about: 'run a worker: judge each tool call, ask people where needed, and record it',
    ...run,
    example: "ambit run writer.worker 'Say hello' --policy policy.yaml",
  },
  chat: {
    about: 'talk with a worker in one run: a line of stdin is a turn, and its end ends the run',
    ...run,
    example: 'ambit chat writer.worker --policy policy.yaml',
  },
} as const satisfies Table;
