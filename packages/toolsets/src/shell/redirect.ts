import type { HereDoc, Redirect, Redirection } from 'unbash';
import { hostCapabilities } from '../host.js';
import type { Here, Input, Result } from './here.js';
import { type Touch, touch } from './places.js';
import { textOf, type Word, word } from './word.js';
import { textWithParts } from './words/expand.js';
import { compact } from './words/fields.js';

/** Where a command's streams go, as far as other commands have to know. */
export interface Streams {
  readonly input: Input;
  /** Whether what it writes goes where it went before, or nowhere that matters to others. */
  readonly output: 'kept' | 'gone' | 'unknown';
}

/** Opens what redirections name, in their order. */
export function redirect(redirections: readonly Redirection[], here: Here): Streams {
  let input = here.input;
  let output: Streams['output'] = 'kept';
  for (const redirection of redirections) {
    const descriptor = redirection.descriptor;
    const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : null;
    if (descriptor?.type === 'FileDescriptorVariable') setVariable(descriptor.name, here);
    const isInput = descriptor === undefined || number === 0;
    if (redirection.type === 'HereDoc') {
      const text = hereDocument(redirection, here);
      if (isInput) input = { text };
    } else if (redirection.type === 'HereString') {
      const text = redirection.target === undefined ? null : here.walk.word(redirection.target, here);
      if (isInput) input = { text: text === null ? null : compact([...text.parts, '\n']) };
    } else {
      open(redirection, here);
      const { operator } = redirection;
      if (operator === '<' || operator === '<>' || operator === '<&') {
        if (isInput) input = { text: null };
      } else if (descriptor === undefined || number === 1) {
        output = output === 'unknown' ? output : goesTo(redirection);
      }
      if (number === 0) input = { text: null };
    }
  }
  return { input, output };
}

/** What is written to a plain file is not seen by others; where other descriptors lead is not followed. */
function goesTo({ operator, target }: Redirect): Streams['output'] {
  const isPlain = target?.parts === undefined && /^[\w.-][\w./-]*$/.test(target?.text ?? '');
  const isNull = target?.text === '/dev/null';
  return operator !== '>&' && (isPlain || isNull) ? 'gone' : 'unknown';
}

/** What a command is known to have written, after its redirections. */
export function redirected(result: Result, { output }: Streams): Result {
  if (output === 'kept') return result;
  return { ...result, output: output === 'gone' ? word('') : null };
}

function hereDocument({ body, delimiter, operator, closing }: HereDoc, here: Here): Word | null {
  if (delimiter === undefined) return null;
  // The shell warns, and takes what there is.
  if (closing === undefined) here.walk.report.opaque(delimiter.text, 'the here-document does not end');
  const isStripped = operator === '<<-';
  if (delimiter.quoted) return word(isStripped ? body.text.replace(/^\t+/gm, '') : body.text);
  const text = textWithParts(body, here);
  if (!isStripped) return text;
  return textOf(text) === null ? null : word((textOf(text) ?? '').replace(/^\t+/gm, ''));
}

const accesses: Readonly<Record<string, readonly Touch[]>> = {
  '<': [{ access: 'read' }],
  '<>': [{ access: 'read' }, { access: 'write' }],
};

function open({ operator, target, descriptor }: Redirect, here: Here): void {
  if (target === undefined) return;
  const words = here.walk.words(target, here);
  const [first, ...others] = words;
  if (first === undefined || others.length > 0) {
    here.walk.report.opaque(target.text, 'the redirection is ambiguous');
    if (first === undefined) return;
  }
  for (const each of words) {
    const text = textOf(each);
    const duplicates =
      (operator === '>&' || operator === '<&') && text !== null && /^(?:\d+-?|-)$/.test(text);
    // With a descriptor before it, it is one that follows, and never a file.
    if (duplicates || (operator === '<&' && text !== null)) continue;
    if (operator === '>&' && descriptor !== undefined && text !== null) continue;
    if (text !== null && connects(text, here)) continue;
    for (const access of accesses[operator] ?? [{ access: 'write' as const }]) touch(each, access, here);
  }
}

/** `/dev/tcp/host/port` is no file: the shell connects. */
function connects(text: string, here: Here): boolean {
  const [, scheme = '', host = '', port = ''] = /^\/dev\/(tcp|udp)\/([^/]*)\/([^/]*)$/.exec(text) ?? [];
  if (scheme === '') return false;
  const facts = { ...(/^\d{1,5}$/.test(port) && Number(port) <= 65_535 && { port: Number(port) }), scheme };
  for (const capability of hostCapabilities(host, facts)) here.walk.report.add(capability);
  return true;
}

function setVariable(name: string, here: Here): void {
  const variables = new Map(here.state.variables);
  variables.set(name, { value: { kind: 'unknown', is_number: true }, is_exported: false, is_integer: false });
  here.state = { ...here.state, variables };
}
