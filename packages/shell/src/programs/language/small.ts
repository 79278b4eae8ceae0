import { startOf, textOf, type Word } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { capability, readsVariable, shell } from './make-effect.js';

/** An operand of `date`: a format, or the new time of the clock. */
export function readDate(written: Word): Effects {
  return startOf(written).startsWith('+') ? [] : [capability('sys.admin', { what: 'clock' })];
}

/** An operand of `ps`: `e` among letters without a dash shows the environment of programs. */
export function readPs(written: Word): Effects {
  const known = textOf(written);
  return known !== null && (!/^[a-zA-Z]*e/.test(known) || known.includes('=')) ? [] : [readsVariable()];
}

/** A mode for `chmod`: set-user-id and set-group-id run a file as another user. */
export function readMode(written: Word): Effects {
  const known = textOf(written) ?? '';
  const isHarmless =
    /^0*1?[0-7]{1,3}$/.test(known) || /^[ugoa]*[+=-][rwxXtugo]*(?:,[ugoa]*[+=-][rwxXtugo]*)*$/.test(known);
  return isHarmless ? [] : [capability('priv.escalate', { program: 'chmod' })];
}

/** An operand of `kill`: the number of a process, or a job. */
export function readPid(written: Word): Effects {
  const known = textOf(written);
  const isNumber = known !== null && /^\d{1,9}$/.test(known);
  return [capability('proc.signal', isNumber ? { pid: Number(known) } : {})];
}

/** An operand of `sysctl`: a setting that is shown or, with `=`, changed. */
export function readSysctl(written: Word): Effects {
  const known = textOf(written);
  if (known === null || known.includes('=')) return [capability('sys.admin', { what: 'kernel' })];
  // A slash could leave the folder of settings.
  return /^[\w.-]+$/.test(known) ? [] : `the setting \`${known}\` is unknown`;
}

/** The action of `tar` at a checkpoint. */
export function readTarAction(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known !== null && /^(?:\.|dot|bell|totals)$/.test(known)) return [];
  return [shell(known?.startsWith('exec=') === true ? known.slice(5) : null, around)];
}
