import type { Command } from 'commander';
import type { Exit } from '../failure.js';
import type { Host } from '../host.js';
import { json } from './log-evidence-commands.js';

/** What a person says about policy files that were found. */
export function addTrustCommand(program: Command, host: Host, done: (exit: Exit) => void): void {
  program
    .command('trust')
    .description('show what changed in policy files, ask on the terminal, and trust them as they are now')
    .argument('[FILE...]', 'policy files; policy.yaml otherwise')
    .option('--list', 'list the files that are trusted')
    .option('--revoke <FILE>', 'trust it no longer')
    .option('--json', json)
    .action(async (files: readonly string[], options) =>
      done(await (await import('./policy/trust.js')).trust(host, files, options)),
    );
}
