import { Option } from 'commander';
import type { TableCommand } from './command.js';
import type { Way } from './given/policies.js';
import { count, once, percent, someOf, worker } from './options.js';

/** The ways in which a decision may change. */
export const ways: readonly Way[] = ['looser', 'stricter', 'any'];

const presets = ['coding', 'ci', 'research', 'locked'];
const watch = ['--watch', 'repeat whenever a policy file or suite changes, until ctrl-C'] as const;

export function addPolicyCommands(program: TableCommand): void {
  program
    .command('init')
    .description('write a starter policy for the repository in DIR, with its suite and schema')
    .argument('[DIR]', 'folder to write to', '.')
    .addOption(
      new Option('--preset <NAME>', 'which policy (default: ask on a terminal, else coding)')
        .choices(presets)
        .argParser((value, before?: string) => once(someOf(presets)(value, [])[0] ?? '', before))
        .conflicts('toolset'),
    )
    .option('--toolset <NAME>', 'write a starter toolset package of this name instead')
    .json()
    .does(async () => (await import('./policy/init.js')).init);
  program
    .command('check')
    .takesToolsets()
    .description('load policy and worker files, run their examples, and report what is wrong')
    .argument('<FILE...>', 'policies or .worker files')
    .list('--folder <NAME=DIR>', 'folder for the root NAME of the workers, as in `run` (repeatable)')
    .option(...watch)
    .json()
    .does(async () => (await import('./policy/check.js')).check);
  addComparing(program);
  program
    .command('test')
    .takesToolsets()
    .description('run suites: calls with their expected decisions')
    .argument('[PATH...]', 'suites, or folders to search for *.test.yaml (default: this folder)')
    .option('--root <DIR>', 'root of all calls, whatever the suites say')
    .option('--coverage', 'report which rules the cases match, and which rules decide')
    .option('--min-coverage <N>', 'fail if fewer than N percent of the rules are matched', percent)
    .option('--mutate', 'change the policies, and report the changes that no case notices')
    .option('--max-survivors <N>', 'with --mutate, fail only if more than N go unnoticed', count)
    .option(...watch)
    .json()
    .does(async () => (await import('./policy/test.js')).test);
  program
    .command('show')
    .takesPolicies()
    .description('print one table: what runs, what asks, what never runs')
    .option('--worker <NAME>', 'as it applies to this worker', worker)
    .json()
    .does(async () => (await import('./policy/show.js')).show);
  program
    .command('trust')
    .description('show what changed in policy files, ask on the terminal, and trust the new text')
    .argument('[FILE...]', 'policy files (default: policy.yaml of the project)')
    .option('--list', 'list the trusted files')
    .option('--revoke <FILE>', 'stop trusting this file')
    .json()
    .does(async () => (await import('./policy/trust.js')).trust);
  program
    .command('schema')
    .description('print the JSON Schema of a kind of file, or of a line of a log')
    .argument('<KIND>', 'policy, suite, worker, configuration or log')
    .json()
    .does(async () => (await import('./policy/schema.js')).schema);
  addToolsetCommands(program);
}

function addComparing(program: TableCommand): void {
  program
    .command('diff')
    .description('list the calls that OLD and NEW decide differently, each with an example')
    .argument('<OLD>', 'policy, with all that it extends')
    .argument('<NEW>', 'policy that replaces it')
    .list('--old <FILE>', 'policy that judges together with OLD (repeatable)')
    .list('--new <FILE>', 'policy that judges together with NEW (repeatable)')
    .list('--with <FILE>', 'policy that judges together with both (repeatable)')
    .option('--root <DIR>', 'directory that `./` means', '.')
    .choice('--fail-on <CHANGE>', 'exit with 1 if a change goes this way, or may go this way', ways)
    .json()
    .does(async () => (await import('./policy/diff.js')).diff);
  program
    .command('prove')
    .description('prove that the rules of a worker allow nothing that the rules of its caller do not')
    .argument('<CHILD>', 'worker that is called', worker)
    .argument('<PARENT>', 'worker that calls it', worker)
    .argument('<FILE...>', 'policies, judging together with all that they extend')
    .option('--attenuates', 'the property to prove (the only one, and the default)')
    .option('--root <DIR>', 'directory that `./` means', '.')
    .json()
    .does(async () => (await import('./policy/diff.js')).prove);
}

function addToolsetCommands(program: TableCommand): void {
  const module = ['<MODULE>', 'a file, or a package that is installed here'] as const;
  const toolset = program.command('toolset').description('check and describe a toolset (for its authors)');
  toolset
    .command('check')
    .description(
      'load a module, and check that its toolset describes calls without effects, repeatably and as facts',
    )
    .argument(...module)
    .option('--runs <N>', 'generated calls for each tool', count, 100)
    .option('--seed <N>', 'seed of the generated calls', count, 1)
    .option('--execute', 'execute the examples that the module exports, and compare the results')
    .option('--confine', 'with --execute, execute them again, confined to what they reported')
    .json()
    .does(async () => (await import('./policy/toolset.js')).toolsetCheck);
  toolset
    .command('describe')
    .description('print the table of what its tools report, in Markdown, for a README')
    .argument(...module)
    .option('--write', 'replace the table in the README of its package')
    .json()
    .does(async () => (await import('./policy/toolset.js')).toolsetDescribe);
}
