import { spawn } from 'node:child_process';
import type { HookOptions } from '@ambit/agents';

/** What this process needs to judge a hook call itself. */
export { answerHook, runResident } from '@ambit/agents';

/** For the next call. It inherits nothing: no environment, no folder, no streams. */
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
