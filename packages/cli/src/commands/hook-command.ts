import type { TableCommand } from './command.js';
import type { AnswerOptions } from './hook/answer.js';
import { once, seconds } from './options.js';

const clients = 'claude-code, codex, gemini, copilot or opencode';

/** Whether agents' hooks are in force. */
export function addDoctorCommand(program: TableCommand): void {
  program
    .command('doctor')
    .description('prove that the hooks of agents work, and list gaps')
    .argument('[CLIENT...]', `${clients} (default: all with a hook)`)
    .option('--timeout <S>', 'seconds before an agent’s turn is ended', seconds, 120)
    .json()
    .does(async () => (await import('./hook/doctor.js')).doctor);
}

/** Policies from the settings of agents, and back. */
export function addRulesCommands(program: TableCommand): void {
  program
    .command('import')
    .description('translate the permission settings of an agent to a policy')
    .argument('<CLIENT>', clients)
    .argument('[FILE...]', 'settings files (default: those of the user and the project)')
    .json()
    .does(async () => (await import('./hook/rules.js')).importSettings);
  program
    .command('compile')
    .description('translate policies to permission settings of an agent')
    .argument('<CLIENT>', clients)
    .takesPolicies()
    .json()
    .does(async () => (await import('./hook/rules.js')).compilePolicies);
}

/** Ambit inside other agents: their hooks, and the installation of these. */
export function addHookCommand(program: TableCommand): void {
  const hook = program
    .command('hook')
    .description('answer one call of an agent’s hook, given on stdin in the agent’s own form')
    .argument('<CLIENT>', clients)
    .list('--policy <FILE>', 'policy file, absolute (repeatable)')
    .option('--resident', 'let a resident process judge the call; without CLIENT, be that process')
    .option('--after', 'record the outcome of a call that ran')
    .option('--home <DIR>', 'home folder (default: the user’s)')
    .option('--state <DIR>', 'state folder')
    .option('--approvals <WHO>', 'who answers questions: client, ambit or defer', 'client')
    .option('--path <FOLDERS>', 'search path for programs, folders separated by colons')
    .option('--timeout <S>', 'seconds before the call is refused', seconds, 24)
    .does(async () => {
      const { answer } = await import('./hook/answer.js');
      const { clientNamed } = await import('./given/client.js');
      const judge = () => import('./hook/judge-here.js');
      return async (host, name: string, options: AnswerOptions) =>
        answer(host, clientNamed(name, ['install', 'uninstall']), { ...options, judge });
    });
  hook
    .command('install')
    .description('write the hook into the settings of an agent, after showing what changes')
    .argument('<CLIENT>', clients)
    .list('--policy <FILE>', 'policy file (repeatable; default: the project’s own)')
    .option('--managed', 'for the whole machine, where a repository cannot switch it off')
    .option('--project', 'for this project only')
    .option(
      '--approvals <WHO>',
      'who answers questions: client (the default), ambit (the call waits) or defer',
      once,
    )
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--any-version', 'accept a version of the agent whose hooks were not tested')
    .json()
    .does(async () => (await import('./hook/install.js')).install);
  hook
    .command('uninstall')
    .description('remove exactly what `hook install` wrote')
    .argument('<CLIENT>', clients)
    .option('--managed', 'the hook of the whole machine')
    .option('--project', 'the hook of this project')
    .json()
    .does(async () => (await import('./hook/install.js')).uninstall);
}
