import { type Command, Option } from 'commander';
import type { Exit } from '../failure.js';
import type { Host } from '../host.js';
import { count } from './option-values.js';

/** What authors of toolsets call. */
export function addToolsetCommands(program: Command, host: Host, done: (exit: Exit) => void): void {
  const toolset = program
    .command('toolset')
    .description('for authors of toolsets: look at one, and check it');
  toolset
    .command('check')
    .description(
      'load a module and check that its toolset describes every call, purely, alike, and without an opinion',
    )
    .argument('<MODULE>', 'a file, or a package that can be found from here')
    .addOption(
      new Option('--runs <N>', 'calls that are generated for each tool').argParser(count).default(100),
    )
    .addOption(new Option('--seed <N>', 'where generating begins').argParser(count).default(1))
    .option('--execute', 'execute the examples that the module exports, really, and compare')
    .option('--confine', 'with --execute, execute them once more within the bounds of what they reported')
    .option('--json', 'one JSON document on stdout, everything for people on stderr')
    .action(async (module: string, options) =>
      done(await (await import('./toolset/check.js')).toolsetCheck(host, module, options)),
    );
  toolset
    .command('describe')
    .description('the table of what its tools report, in Markdown, for a README')
    .argument('<MODULE>', 'a file, or a package that can be found from here')
    .option('--json', 'one JSON document on stdout, everything for people on stderr')
    .action(async (module: string, options) =>
      done(await (await import('./toolset/describe.js')).toolsetDescribe(host, module, options)),
    );
}
