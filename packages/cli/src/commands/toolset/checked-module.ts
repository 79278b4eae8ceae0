import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkModule, type ModuleCheck, type ModuleCheckOptions } from '@ambit/runtime';
import { UnusableError } from '../../failure.js';
import type { Host } from '../../host.js';

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
    // Without a way to it, a name is a package's, whatever file lies here.
    const isFile =
      /^[^./]/.test(module) && (await stat(join(host.folder, module)).catch(() => null))?.isFile();
    throw new UnusableError(
      `${module} cannot be checked: ${why}`,
      isFile === true ? `did you mean ./${module}?` : null,
    );
  }
}
