import { createRequire } from 'node:module';

/** The program's version, as its package states it. */
export const version: string = (createRequire(import.meta.url)('../package.json') as { version: string })
  .version;
