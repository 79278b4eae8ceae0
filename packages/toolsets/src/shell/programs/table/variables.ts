import type { VariableTable } from '../variables.js';

/** Variables with which whoever sets them makes other programs run, load or connect to something. */
export const variables: VariableTable = {
  LD_PRELOAD: 'load',
  LD_AUDIT: 'load',
  LD_LIBRARY_PATH: 'load',
  BASH_ENV: 'load',
  ENV: 'load',
  GIT_SSH: 'code:command',
  GIT_SSH_COMMAND: 'code:command',
  EDITOR: 'code:command',
  PAGER: 'code:command',
};
