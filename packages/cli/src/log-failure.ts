import { LogError } from '@ambit/audit';
import { printableLines } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from './failure.js';
import { type Host, write } from './host.js';

/** Reads a log: one that is damaged is bad news, one that is no log cannot be used. */
export async function readingLog(host: Host, work: () => Promise<Exit>): Promise<Exit> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    if (error.code === 'UNSAFE_FILE') throw new UnusableError(error.message);
    await write(host.stderr, printableLines(`ambit: ${error.message}\nhint: ambit log verify FILE\n`));
    return exits.bad;
  }
}
