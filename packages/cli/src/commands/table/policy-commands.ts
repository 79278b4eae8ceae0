import type { Preset } from '@ambit/policy';
import { count, once, percent, someOf, worker } from './readers.js';
import { choice, type Given, json, list, policies, read, type Table, toolsets } from './spec.js';

/** The ways in which a decision may change. */
export const ways = ['looser', 'stricter', 'any'] as const;

export type Way = (typeof ways)[number];

const presets: readonly Preset[] = ['coding', 'ci', 'research', 'locked'];
const preset: Given<Preset | undefined> = {
  about: 'which policy (default: ask on a terminal, else coding)',
  choices: presets,
  read: (value, before?: Preset) => once(someOf(presets)(value, [])[0] as Preset, before),
  conflicts: 'toolset',
};
const root = { '--root <DIR>': read('directory that `./` means', String, '.') };
const watch = { '--watch': 'repeat whenever a policy file or suite changes, until ctrl-C' } as const;
const module = ['<MODULE>', 'a file, or a package that is installed here'] as const;

export const policyCommands = {
  init: {
    about: 'write a starter policy for the repository in DIR, with its suite and schema',
    takes: [['[DIR]', read('folder to write to', String, '.')]],
    options: {
      '--preset <NAME>': preset,
      '--toolset <NAME>': 'write a starter toolset package of this name instead',
      ...json,
    },
    example: 'ambit init --preset ci',
  },
  check: {
    about: 'load policy and worker files, run their examples, and report what is wrong',
    takes: [['<FILE...>', 'policies or .worker files']],
    options: {
      ...toolsets,
      '--folder <NAME=DIR>': list('folder for the root NAME of the workers, as in `run` (repeatable)'),
      ...watch,
      ...json,
    },
    example: 'ambit check policy.yaml writer.worker',
  },
  diff: {
    about: 'list the calls that OLD and NEW decide differently, each with an example',
    takes: [
      ['<OLD>', 'policy, with all that it extends'],
      ['<NEW>', 'policy that replaces it'],
    ],
    options: {
      '--old <FILE>': list('policy that judges together with OLD (repeatable)'),
      '--new <FILE>': list('policy that judges together with NEW (repeatable)'),
      '--with <FILE>': list('policy that judges together with both (repeatable)'),
      ...root,
      '--fail-on <CHANGE>': choice('exit with 1 if a change goes this way, or may go this way', ways),
      ...json,
    },
    example: 'ambit diff old.yaml policy.yaml --fail-on looser',
  },
  prove: {
    about: 'prove that the rules of a worker allow nothing that the rules of its caller do not',
    takes: [
      ['<CHILD>', read('worker that is called', worker)],
      ['<PARENT>', read('worker that calls it', worker)],
      ['<FILE...>', 'policies, judging together with all that they extend'],
    ],
    options: {
      '--attenuates': 'the property to prove (the only one, and the default)',
      ...root,
      ...json,
    },
    example: 'ambit prove writer orchestrator policy.yaml',
  },
  test: {
    about: 'run suites: calls with their expected decisions',
    takes: [['[PATH...]', 'suites, or folders to search for *.test.yaml (default: this folder)']],
    options: {
      ...toolsets,
      '--root <DIR>': 'root of all calls, whatever the suites say',
      '--coverage': 'report which rules the cases match, and which rules decide',
      '--min-coverage <N>': read('fail if fewer than N percent of the rules are matched', percent),
      '--mutate': 'change the policies, and report the changes that no case notices',
      '--max-survivors <N>': read('with --mutate, fail only if more than N go unnoticed', count),
      ...watch,
      ...json,
    },
    example: 'ambit test --coverage',
  },
  show: {
    about: 'print one table: what runs, what asks, what never runs',
    options: {
      ...policies,
      '--worker <NAME>': read('as it applies to this worker', worker),
      ...json,
    },
    example: 'ambit show --policy policy.yaml --worker claude-code',
  },
  trust: {
    about: 'show what changed in policy files, ask on the terminal, and trust the new text',
    takes: [['[FILE...]', 'policy files (default: policy.yaml of the project)']],
    options: {
      '--list': 'list the trusted files',
      '--revoke <FILE>': 'stop trusting this file',
      ...json,
    },
    example: 'ambit trust policy.yaml',
  },
  schema: {
    about: 'print the JSON Schema of a kind of file, or of a line of a log',
    takes: [['<KIND>', 'policy, suite, worker, configuration or log']],
    options: json,
    example: 'ambit schema policy > policy.schema.json',
  },
  toolset: { about: 'check and describe a toolset (for its authors)' },
  'toolset check': {
    about:
      'load a module, and check that its toolset describes calls without effects, repeatably and as facts',
    takes: [module],
    options: {
      '--runs <N>': read('generated calls for each tool', count, 100),
      '--seed <N>': read('seed of the generated calls', count, 1),
      '--execute': 'execute the examples that the module exports, and compare the results',
      '--confine': 'with --execute, execute them again, confined to what they reported',
      ...json,
    },
    example: 'ambit toolset check ./index.js --execute',
  },
  'toolset describe': {
    about: 'print the table of what its tools report, in Markdown, for a README',
    takes: [module],
    options: { '--write': 'replace the table in the README of its package', ...json },
    example: 'ambit toolset describe ./index.js --write',
  },
} as const satisfies Table;
