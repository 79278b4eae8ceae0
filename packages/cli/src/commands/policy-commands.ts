import { type Command, Option } from 'commander';
import type { Exit } from '../failure.js';
import type { Host } from '../host.js';
import { collected, count, json, percent, takePolicies, takeToolsets } from './options.js';

const watch = 'repeat whenever a policy file or suite changes, until ctrl-C';

export function addPolicyCommands(program: Command, host: Host, done: (exit: Exit) => void): void {
  program
    .command('init')
    .description('write a starter policy for the repository in DIR, with its suite and schema')
    .argument('[DIR]', 'folder to write to', '.')
    .addOption(
      new Option('--preset <NAME>', 'which policy (default: ask on a terminal, else coding)')
        .choices(['coding', 'ci', 'research', 'locked'])
        .conflicts('toolset'),
    )
    .option('--toolset <NAME>', 'write a starter toolset package of this name instead')
    .option('--json', json)
    .action(async (folder: string, { toolset: name, ...options }) =>
      done(
        name === undefined
          ? await (await import('./policy/init.js')).init(host, folder, options)
          : await (await import('./policy/toolset.js')).initToolset(host, { name, folder, ...options }),
      ),
    );

  takeToolsets(program.command('check'))
    .description('load policy and worker files, run their examples, and report what is wrong')
    .argument('<FILE...>', 'policies or .worker files')
    .option(
      '--folder <NAME=DIR>',
      'folder for the root NAME of the workers, as in `run` (repeatable)',
      collected,
      [],
    )
    .option('--watch', watch)
    .option('--json', json)
    .action(async (files: string[], options) => {
      const { check } = await import('./policy/check.js');
      const work = (at: Host) => check(at, files, options);
      done(await (await import('./policy/watched.js')).watched(host, files, { ...options, work }));
    });

  program
    .command('diff')
    .description('list the calls that OLD and NEW decide differently, each with an example')
    .argument('<OLD>', 'policy, with all that it extends')
    .argument('<NEW>', 'policy that replaces it')
    .option('--old <FILE>', 'policy that judges together with OLD (repeatable)', collected, [])
    .option('--new <FILE>', 'policy that judges together with NEW (repeatable)', collected, [])
    .option('--with <FILE>', 'policy that judges together with both (repeatable)', collected, [])
    .option('--root <DIR>', 'directory that `./` means', '.')
    .addOption(
      new Option('--fail-on <CHANGE>', 'exit with 1 if a change goes this way, or may go this way').choices([
        'looser',
        'stricter',
        'any',
      ]),
    )
    .option('--json', json)
    .action(async (old: string, now: string, options) =>
      done(await (await import('./policy/diff.js')).diff(host, { old, now }, options)),
    );

  program
    .command('prove')
    .description('prove that the rules of a worker allow nothing that the rules of its caller do not')
    .argument('<CHILD>', 'worker that is called')
    .argument('<PARENT>', 'worker that calls it')
    .argument('<FILE...>', 'policies, judging together with all that they extend')
    .option('--attenuates', 'the property to prove (the only one, and the default)')
    .option('--root <DIR>', 'directory that `./` means', '.')
    .option('--json', json)
    .action(async (child: string, parent: string, files: [string, ...string[]], options) =>
      done(await (await import('./policy/diff.js')).prove(host, { child, parent, files }, options)),
    );

  takeToolsets(program.command('test'))
    .description('run suites: calls, and the decisions that the policies must give')
    .argument('[PATH...]', 'suites, or folders to search for *.test.yaml (default: this folder)')
    .option('--root <DIR>', 'root of all calls, whatever the suites say')
    .option('--coverage', 'report which rules the cases match, and which rules decide')
    .addOption(
      new Option('--min-coverage <N>', 'fail if fewer than N percent of the rules are matched').argParser(
        percent,
      ),
    )
    .option('--mutate', 'change the policies, and report the changes that no case notices')
    .addOption(
      new Option('--max-survivors <N>', 'with --mutate, fail only if more than N go unnoticed').argParser(
        count,
      ),
    )
    .option('--watch', watch)
    .option('--json', json)
    .action(async (paths: string[], options) => {
      const { test } = await import('./policy/test.js');
      const work = (at: Host) => test(at, paths, options);
      done(await (await import('./policy/watched.js')).watched(host, paths, { ...options, work }));
    });

  takePolicies(program.command('show'))
    .description('print one table: what runs, what asks, what never runs')
    .option('--worker <NAME>', 'as it applies to this worker')
    .option('--json', json)
    .action(async (options) => done(await (await import('./policy/show.js')).show(host, options)));

  program
    .command('trust')
    .description('show what changed in policy files, ask on the terminal, and trust the new text')
    .argument('[FILE...]', 'policy files (default: policy.yaml)')
    .option('--list', 'list the trusted files')
    .option('--revoke <FILE>', 'stop trusting this file')
    .option('--json', json)
    .action(async (files: readonly string[], options) =>
      done(await (await import('./policy/trust.js')).trust(host, files, options)),
    );

  program
    .command('schema')
    .description('print the JSON Schema of a kind of file, or of a line of a log')
    .argument('<KIND>', 'policy, suite, worker, configuration or log')
    .option('--json', json)
    .action(async (kind: string) => done(await (await import('./policy/schema.js')).schema(host, kind)));

  addToolsetCommands(program, host, done);
}

function addToolsetCommands(program: Command, host: Host, done: (exit: Exit) => void): void {
  const module = ['<MODULE>', 'a file, or a package that is installed here'] as const;
  const toolset = program.command('toolset').description('check and describe a toolset (for its authors)');
  toolset
    .command('check')
    .description(
      'load a module, and check that its toolset describes every call: purely, repeatably, without opinions',
    )
    .argument(...module)
    .addOption(new Option('--runs <N>', 'generated calls for each tool').argParser(count).default(100))
    .addOption(new Option('--seed <N>', 'seed of the generated calls').argParser(count).default(1))
    .option('--execute', 'execute the examples that the module exports, and compare the results')
    .option('--confine', 'with --execute, execute them again, confined to what they reported')
    .option('--json', json)
    .action(async (name: string, options) =>
      done(await (await import('./policy/toolset.js')).toolsetCheck(host, name, options)),
    );
  toolset
    .command('describe')
    .description('print the table of what its tools report, in Markdown, for a README')
    .argument(...module)
    .option('--write', 'replace the table in the README of its package')
    .option('--json', json)
    .action(async (name: string, options) =>
      done(await (await import('./policy/toolset.js')).toolsetDescribe(host, name, options)),
    );
}
