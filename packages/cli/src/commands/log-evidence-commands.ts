import { type Command, Option } from 'commander';
import type { Exit } from '../failure.js';
import type { Host } from '../host.js';
import { collected, count } from './option-values.js';

export const json = 'one JSON document on stdout, everything for people on stderr';

/** Of every command that reads a log. */
export function accepting(command: Command): Command {
  return command.option('--unverified', 'accept a log that does not verify; the output says so all the same');
}

const key =
  'what `ambit log key` printed: the head has to be signed by it (again for another, of which any will do)';

/** What a log proves. */
export function addEvidenceCommands(log: Command, host: Host, done: (exit: Exit) => void): void {
  log
    .command('verify')
    .description('check that a log is whole, that nothing in it was changed, and who vouches for it')
    .argument('<LOG...>', 'logs, ids of runs, or folders of logs')
    .option('--key <FILE>', key, collected, [])
    .option(
      '--anchor <FILE>',
      'a tree head that was kept elsewhere (again for another): finds a log that was cut or written anew',
      collected,
      [],
    )
    .option('--redecide', 'judge every call again under the policies that the log carries')
    .option('--json', json)
    .action(async (files: [string, ...string[]], options) =>
      done(await (await import('./log/verify.js')).logVerify(host, files, options)),
    );
  log
    .command('prove')
    .description('a proof about a log for those who do not have it, and its check')
    .argument('<FILE>', 'the log; with --check what is to be proved: the line, or the older head')
    .addOption(new Option('--seq <N>', 'that the log holds this entry').argParser(count))
    .option('--consistency <OLD>', 'that the log goes on from this older head')
    .option('--head', 'the newest tree head, to be kept elsewhere')
    .option('--check <PROOF>', 'check a proof')
    .option('--key <FILE>', key, collected, [])
    .option('--json', json)
    .action(async (file: string, options) =>
      done(await (await import('./log/prove.js')).logProve(host, file, options)),
    );
  log
    .command('key')
    .description('the key that signs the logs of this folder; makes it at the first call')
    .option('--json', json)
    .action(async (options) => done(await (await import('./log/key.js')).logKey(host, options)));
}
