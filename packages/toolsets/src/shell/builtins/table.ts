import type { Builtin } from './builtin.js';
import { nothing, unknownOutput } from './builtin.js';
import { cd, dirs, popd, pushd } from './folder.js';
import { echo, printf, pwd } from './output.js';
import * as running from './running.js';
import * as settings from './settings.js';
import { test } from './testing.js';
import * as variables from './variables.js';

const harmless: Builtin = () => nothing;
const success: Builtin = () => ({ ...nothing, is_sure: true });
const telling: Builtin = () => unknownOutput;

/** What the shell runs itself, whatever programs there are. */
export const builtinTable: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [':', success],
  ['true', success],
  ['false', harmless],
  ['echo', echo],
  ['printf', printf],
  ['pwd', pwd],
  ['cd', cd],
  ['pushd', pushd],
  ['popd', popd],
  ['dirs', dirs],
  ['declare', variables.declare],
  ['typeset', variables.declare],
  ['local', variables.declare],
  ['readonly', variables.declare],
  ['export', variables.declare],
  ['unset', variables.unset],
  ['read', variables.read],
  ['mapfile', variables.mapfile],
  ['readarray', variables.mapfile],
  ['getopts', variables.getopts],
  ['let', variables.letExpression],
  ['eval', running.evalText],
  ['source', running.source],
  ['.', running.source],
  ['trap', running.trap],
  ['exec', running.exec],
  ['command', running.command],
  ['builtin', running.builtin],
  ['exit', running.leaving],
  ['return', running.leaving],
  ['break', running.leaving],
  ['continue', running.leaving],
  ['logout', running.leaving],
  ['jobs', running.jobs],
  ['compgen', running.completing],
  ['complete', running.completing],
  ['compopt', telling],
  ['set', settings.set],
  ['shopt', settings.shopt],
  ['alias', settings.alias],
  ['unalias', telling],
  ['enable', settings.enable],
  ['hash', settings.hash],
  ['history', settings.history],
  ['fc', settings.fc],
  ['kill', settings.kill],
  ['test', test],
  ['[', test],
  ['shift', (words, here) => shifted(words, here, { name: 'shift' })],
  ['type', telling],
  ['wait', variables.wait],
  ['fg', telling],
  ['bg', telling],
  ['disown', harmless],
  ['ulimit', telling],
  ['umask', telling],
  ['times', telling],
  ['caller', telling],
  ['help', telling],
  ['bind', telling],
  ['suspend', telling],
]);

const shifted: Builtin = (words, here) => {
  const { parameters } = here.state;
  here.state = {
    ...here.state,
    parameters: words.length === 0 && parameters !== null ? parameters.slice(1) : null,
  };
  return nothing;
};
