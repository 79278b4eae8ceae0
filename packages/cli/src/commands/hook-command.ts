import type { Command } from 'commander';
import type { Exit } from '../failure.js';
import type { Host } from '../host.js';
import { collected, json, seconds, takePolicies } from './options.js';

const clients = 'claude-code, codex, gemini, copilot or opencode';

/** Whether the hooks of agents are in force. */
export function addDoctorCommand(program: Command, host: Host, done: (exit: Exit) => void): void {
  program
    .command('doctor')
    .description('prove that the hooks of agents work, and list gaps')
    .argument('[CLIENT...]', `${clients} (default: all with a hook)`)
    .option('--timeout <S>', 'seconds before an agent’s turn is ended', seconds, 120)
    .option('--json', json)
    .action(async (named: readonly string[], options) =>
      done(await (await import('./hook/doctor.js')).doctor(host, named, options)),
    );
}

/** Policies from the settings of agents, and back. */
export function addRulesCommands(program: Command, host: Host, done: (exit: Exit) => void): void {
  program
    .command('import')
    .description('translate the permission settings of an agent to a policy')
    .argument('<CLIENT>', clients)
    .argument('[FILE...]', 'settings files (default: those of the user and the project)')
    .option('--json', json)
    .action(async (client: string, files: readonly string[], options) =>
      done(await (await import('./hook/rules.js')).importSettings(host, client, { files, ...options })),
    );
  takePolicies(
    program
      .command('compile')
      .description('translate policies to permission settings of an agent')
      .argument('<CLIENT>', clients),
  )
    .option('--json', json)
    .action(async (client: string, options) =>
      done(await (await import('./hook/rules.js')).compilePolicies(host, client, options)),
    );
}

/** Ambit inside other agents: their hooks, and what writes these into their settings. */
export function addHookCommand(program: Command, host: Host, done: (exit: Exit) => void): void {
  const hook = program
    .command('hook')
    .description('answer one call of an agent’s hook, given on stdin in the agent’s own form')
    .argument('<CLIENT>', clients)
    .option('--policy <FILE>', 'policy file, absolute (repeatable)', collected, [])
    .option('--resident', 'let a resident process judge the call; without CLIENT, be that process')
    .option('--after', 'record the outcome of a call that ran')
    .option('--home <DIR>', 'home folder (default: that of the user)')
    .option('--state <DIR>', 'state folder')
    .option('--approvals <WHO>', 'who answers questions: client, ambit or defer', 'client')
    .option('--path <FOLDERS>', 'search path for programs, folders separated by colons')
    .option('--timeout <S>', 'seconds before the call is refused', seconds, 24)
    .action(async (client: string, options) =>
      done(
        await (await import('./hook/answer.js')).answer(host, client, {
          ...options,
          judge: () => import('./hook/judge-here.js'),
        }),
      ),
    );
  hook
    .command('install')
    .description('write the hook into the settings of an agent, after showing what changes')
    .argument('<CLIENT>', clients)
    .option('--policy <FILE>', 'policy file (repeatable; default: the project’s own)', collected, [])
    .option('--managed', 'for the whole machine, where a repository cannot switch it off')
    .option('--project', 'for this project only')
    .option('--approvals <WHO>', 'who answers questions: client, ambit (the call waits) or defer', 'client')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--any-version', 'accept a version of the agent whose hooks were not tested')
    .option('--json', json)
    .action(async (client: string, options) =>
      done(await (await import('./hook/install.js')).install(host, client, options)),
    );
  hook
    .command('uninstall')
    .description('remove exactly what `hook install` wrote')
    .argument('<CLIENT>', clients)
    .option('--managed', 'the hook of the whole machine')
    .option('--project', 'the hook of this project')
    .option('--json', json)
    .action(async (client: string, options) =>
      done(await (await import('./hook/install.js')).uninstall(host, client, options)),
    );
}
