import { count, digest, time } from './readers.js';
import { choice, json, read, type Table } from './spec.js';

const theQuestion = "the question's id, or the beginning of it";
const itsDigest = {
  '--digest <HEX>': read('answer only if the question has this digest, from `show`', digest),
};

export const storeCommands = {
  runs: { about: 'list, show and delete runs of this folder' },
  'runs list': {
    about: 'list all runs, the newest first',
    options: json,
    example: 'ambit runs list',
    isDefault: true,
  },
  'runs show': {
    about: 'show the state of a run, its open questions and its calls',
    takes: [['<RUN>', 'its id, or the beginning of it']],
    options: json,
    example: 'ambit runs show RUN',
  },
  'runs forget': {
    about: 'delete runs that are not running, with their steps and questions',
    takes: [['[RUN...]', 'their ids, or the beginnings of them']],
    options: { '--older <DAYS>': read('all runs that ended more than DAYS days ago', count), ...json },
    example: 'ambit runs forget --older 30',
  },
  approvals: { about: 'answer the questions of runs in this folder, from another terminal' },
  'approvals list': {
    about: 'list the open questions, the oldest first',
    options: { '--all': 'include answered and withdrawn questions', ...json },
    example: 'ambit approvals list',
    isDefault: true,
  },
  'approvals show': {
    about: 'show a whole question, as the terminal of its run does',
    takes: [['<ID>', theQuestion]],
    options: json,
    example: 'ambit approvals show ID',
  },
  'approvals approve': {
    about: 'let the call run, once or for longer',
    takes: [['[ID]', theQuestion]],
    options: {
      ...itsDigest,
      '--run <RUN>': 'show all open questions of this run, and approve them together, each once',
      '--keep <LONG>': choice('keep the answer: for the run, or always', ['run', 'always']),
      '--reach <FAR>': 'how far it is kept, as `show` lists it (default: the narrowest)',
      '--until <TIME>': read('keep it at most until this time, 2026-11-20T10:00:00Z', time),
      '--args <JSON>': 'call with these arguments instead',
      ...json,
    },
    example: 'ambit approvals approve ID --keep run --reach folder',
  },
  'approvals deny': {
    about: 'refuse the call; deny repeats in this run',
    takes: [['<ID>', theQuestion]],
    options: {
      ...itsDigest,
      '--note <TEXT>': 'the reason, for the model',
      '--ask-again': 'ask again when the run repeats the call',
      ...json,
    },
    example: "ambit approvals deny ID --note 'use the copy'",
  },
  'approvals kept': {
    about: 'list the answers that also cover later calls',
    options: json,
    example: 'ambit approvals kept',
  },
  'approvals revoke': {
    about: 'revoke a kept answer',
    takes: [['<ID>', 'its id as in `kept`, or the beginning of it']],
    options: json,
    example: 'ambit approvals revoke ID',
  },
} as const satisfies Table;
