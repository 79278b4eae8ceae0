import { checkModule, type ModuleCheck, type ModuleCheckOptions } from '@ambit/runtime';
import { UnusableError } from './failure.js';
import type { Host } from './host.js';

/** A module that was loaded and checked. Its own errors, while it loads, are the reader's to mend: told as bad input is. */
export async function checkedModule(
  host: Host,
  module: string,
  options: ModuleCheckOptions = {},
): Promise<ModuleCheck> {
  try {
    return await checkModule(module, host.folder, options);
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    throw new UnusableError(`${module} cannot be checked: ${why}`);
  }
}
