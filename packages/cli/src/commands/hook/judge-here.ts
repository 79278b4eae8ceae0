import { spawn } from 'node:child_process';
import type { HookOptions } from '@ambit/agents';

/** What judges a hook's call in this process, apart from what asks another. */
export { answerHook, runResident } from '@ambit/agents';

/** For the next call. It gets nothing of this process: no environment, no folder, no streams. */
export function startResident({ HOME = '/', AMBIT_HOME }: HookOptions['environment']): void {
  const state = AMBIT_HOME === undefined ? [] : ['--state', AMBIT_HOME];
  const [, launch = ''] = process.argv;
  const child = spawn(process.execPath, [launch, 'hook', '--resident', '--home', HOME, ...state], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: 'ignore',
  });
  child.on('error', () => undefined).unref();
}
