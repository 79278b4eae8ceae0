import { startOf, textOf, type Word } from '../../word.js';
import type { Around, Effects } from '../effects.js';
import { capability, readsVariable, shell } from './make-effect.js';

/** An operand of `date`: a format, or the time that the clock is set to. */
export function readDate(written: Word): Effects {
  return startOf(written).startsWith('+') ? [] : [capability('sys.admin', { what: 'clock' })];
}

/** An operand of `ps`: with `e` among letters without a dash, the environment of programs is shown. */
export function readPs(written: Word): Effects {
  const known = textOf(written);
  return known !== null && (!/^[a-zA-Z]*e/.test(known) || known.includes('=')) ? [] : [readsVariable()];
}

/** A mode for `chmod`: with some, a file runs as somebody else. */
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

/** An operand of `sysctl`: a setting that is shown or, with `=`, made. */
export function readSysctl(written: Word): Effects {
  const known = textOf(written);
  if (known === null || known.includes('=')) return [capability('sys.admin', { what: 'kernel' })];
  // A slash leads out of the folder of settings.
  return /^[\w.-]+$/.test(known) ? [] : `the setting \`${known}\` is unknown`;
}

/** What `tar` does at a checkpoint. */
export function readTarAction(written: Word, around: Around): Effects {
  const known = textOf(written);
  if (known !== null && /^(?:\.|dot|bell|totals)$/.test(known)) return [];
  return [shell(known?.startsWith('exec=') === true ? known.slice(5) : null, around)];
}
