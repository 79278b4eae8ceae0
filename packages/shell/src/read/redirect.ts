import { hostCapabilities } from '@ambit/toolsets';
import type { HereDoc, Redirect, Redirection } from 'unbash';
import { isNothing, placeOf } from '../facts/places.js';
import { touch } from '../facts/touch.js';
import { listed } from '../listing/text-read.js';
import { shapeOf } from '../number.js';
import { Outside } from '../state/outside.js';
import { noteSkipped, type Scope, unknownInput } from '../state/scope.js';
import { join, type State } from '../state/state.js';
import { noOutput, type Output, textOf, textsIn, type Word } from '../word.js';
import { mayDiffer } from '../world.js';
import { asInput, valueOfText, valueOfWord, wordsOf } from './words/expand.js';
import { processIn, walkProcess } from './words/process.js';

interface Content {
  output: Output;
  /** The file whose names these are: commands read it bit by bit, and see what they change there. */
  readonly list?: string;
}

/** The streams of a command, as far as other commands depend on them. */
export interface Streams {
  readonly input: Content;
  /** Whether its standard output is unchanged; otherwise it is lost or unknown. */
  readonly output: 'kept' | 'gone' | 'unknown';
}

/** Opens the files of redirections, in order. */
export function redirect(redirections: readonly Redirection[], scope: Scope): Streams {
  const before = scope.state;
  let input: Content = scope.input;
  let output: Streams['output'] = 'kept';
  for (const redirection of redirections) {
    const { descriptor } = redirection;
    if (descriptor?.type === 'FileDescriptorVariable')
      throw new Outside('a redirection that sets a variable is not described', `{${descriptor.name}}`);
    const number = descriptor?.value ?? null;
    if (number !== null && number > 255)
      throw new Outside('this descriptor is not described', String(number));
    if (redirection.type === 'HereDoc' || redirection.type === 'HereString') {
      const text =
        redirection.type === 'HereDoc' ? hereDocument(redirection, scope) : hereString(redirection, scope);
      if (number === null || number === 0) input = { output: text };
      continue;
    }
    const { operator, target } = redirection;
    const process = /^[<>]$/.test(operator) && target ? processIn(target) : null;
    if (process?.operator === '>' && operator === '>' && [1, 2].includes(number ?? 1)) {
      walkProcess(process, scope);
      // What its commands print comes between, or takes the place.
      output = 'unknown';
      continue;
    }
    if (process?.operator === '<' && operator === '<' && (number ?? 0) === 0) {
      input = { output: walkProcess(process, { ...scope, input }) };
      continue;
    }
    open(redirection, scope);
    const isInput = ['<', '<>', '<&'].includes(redirection.operator);
    const isNull = redirection.operator === '<' && redirection.target?.text === '/dev/null';
    if (number === 0 || (isInput && number === null))
      input = isNull ? { output: noOutput } : contentOf(redirection, scope);
    else if (!isInput && (number === null || number === 1)) output = goesTo(redirection, output);
    else if (output === 'kept' && !staysApart(redirection)) output = 'unknown';
  }
  // A program expands the words of its redirections in a process of its own.
  if (scope.state !== before) scope.state = join(before, scope.state);
  return { input, output };
}

/**
 * Whether the standard input may become a file that is open for writing, or another descriptor one that is open for
 * reading: then opening its name anew does the other as well. `<>` says both.
 */
function crosses({ operator, descriptor }: Redirect, target: string | null): boolean {
  const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : null;
  if (operator === '<') return (number ?? 0) !== 0;
  if (operator === '<&') return target !== '-' && ((number ?? 0) !== 0 || target !== '0');
  return operator !== '<>' && (number === 0 || (operator === '>&' && target === '0'));
}

/** The content of a file as input. If it does not exist yet, or there are several, it may be a folder. */
function contentOf({ operator, target }: Redirect, { state, walk }: Scope): Content {
  const text = target?.parts === undefined ? target?.text : undefined;
  if (operator === '<&') return { output: unknownInput };
  const places = text === undefined ? [] : state.folders.map((folder) => placeOf(text, folder, walk.world));
  if (places.length === 0 || !places.every(({ stat }) => stat?.isFile() === true))
    return { output: unknownInput };
  const [only, ...others] = places;
  if (others.length > 0 || !only?.real) return { output: { kind: 'unknown' } };
  const { real: file } = only;
  const [folder] = state.folders;
  const input: Output = { kind: 'unknown', file };
  const output = folder ? listed(input, { folder, input, isRead: true, world: walk.world }) : input;
  return { output, ...(output !== input && { list: file }) };
}

/** Whether one of the files may not open, so that the command does not run. */
export function mayFail(redirections: readonly Redirection[]): boolean {
  return redirections.some(
    (each) =>
      each.type !== 'HereDoc' &&
      each.type !== 'HereString' &&
      each.target?.text !== '/dev/null' &&
      !(each.operator === '<' && each.target && processIn(each.target)?.operator === '<'),
  );
}

/** The output of a command that runs between its redirections; `before` is the state if one of these fails. */
export function outputBetween(
  redirects: readonly Redirection[],
  { streams, scope, before }: { readonly streams: Streams; readonly scope: Scope; readonly before: State },
  run: (inner: Scope) => Output,
): Output {
  const inner: Scope = { ...scope, input: streams.input };
  const output = run(inner);
  const { list } = streams.input;
  if (list !== undefined && mayDiffer(list, scope.walk.world.changes))
    throw new Outside('a file of names may change while commands read it', list);
  scope.state = inner.state;
  scope.failed = inner.failed;
  if (mayFail(redirects)) noteSkipped(before, scope);
  return outputAfter(output, streams, redirects);
}

/** The known output of a command, after its redirections. */
function outputAfter(result: Output, { output }: Streams, redirections: readonly Redirection[]): Output {
  if (output === 'gone') return noOutput;
  if (output === 'unknown') return { kind: 'unknown' };
  // If a file does not open, the command writes nothing. Names may be any of them, or none.
  if (!mayFail(redirections)) return result;
  if (result.kind === 'number') return { ...result, mayBeMissing: true };
  return result.kind === 'text' && result.text !== '' ? { kind: 'unknown' } : result;
}

/** Whether only the standard output writes there, and no other descriptor as after `2>&1`. */
function staysApart({ operator, target }: Redirect): boolean {
  const text = target?.parts === undefined ? (target?.text ?? '') : '';
  if (operator === '>&' || operator === '<&') return text === '2' || text === '-';
  return text === '/dev/null' || (/^[\w.-][\w./-]*$/.test(text) && operator !== '<>');
}

function goesTo({ operator, target }: Redirect, before: Streams['output']): Streams['output'] {
  if (before === 'unknown') return before;
  const isFile =
    operator !== '>&' && target?.parts === undefined && /^[\w.-][\w./-]*$/.test(target?.text ?? '');
  return isFile || (operator !== '>&' && target?.text === '/dev/null') ? 'gone' : 'unknown';
}

function hereString(
  { target }: { readonly target: HereDoc['body'] | Redirect['target'] | undefined },
  scope: Scope,
): Output {
  if (target === undefined || scope.isPosix) throw new Outside('this here-string is not described', '<<<');
  return asInput(valueOfWord(target, scope), '\n');
}

function hereDocument({ body, delimiter, operator, closing }: HereDoc, scope: Scope): Output {
  if (delimiter === undefined || closing === undefined)
    throw new Outside('the here-document does not end', delimiter?.text ?? '<<');
  const isStripped = operator === '<<-';
  if (delimiter.quoted) return { kind: 'text', text: isStripped ? withoutTabs(body.text) : body.text };
  const value = valueOfText(body, scope);
  if (value.kind !== 'text') return { kind: 'unknown' };
  return { kind: 'text', text: isStripped ? withoutTabs(value.text) : value.text };
}

function withoutTabs(text: string): string {
  return text.replace(/^\t+/gm, '');
}

function open(redirection: Redirect, scope: Scope): void {
  const { operator, target, descriptor } = redirection;
  if (target === undefined) throw new Outside('the redirection has no target', operator);
  if (
    scope.isPosix &&
    (operator === '&>' || operator === '&>>' || (operator === '>&' && !/^[0-9-]$/.test(target.text)))
  )
    throw new Outside('this redirection means something else to other shells', `${operator}${target.text}`);
  // Other shells neither split the name nor match it as a pattern.
  const words = scope.isPosix ? [valueOfWord(target, scope)] : wordsOf([target], scope);
  const [word, ...others] = words;
  if (word === undefined || others.length > 0 || !isOne(word, scope))
    throw new Outside('a redirection to an unknown file is not described', target.text);
  const text = textOf(word);
  if (crosses(redirection, text))
    throw new Outside(
      'a stream in the direction of another one is not described',
      `${operator}${target.text}`,
    );
  if (operator === '<&' || operator === '>&') {
    if (text !== null && /^(?:[0-9]|-)$/.test(text)) return;
    if (operator === '<&' || descriptor !== undefined || text === null || /^[0-9-]+$/.test(text))
      throw new Outside('this copy of a descriptor is not described', `${operator}${target.text}`);
    // The shell expands this word a second time, quoted or not.
    if (!/^[\w./@%+,-][\w./@%+,:-]*$/.test(text))
      throw new Outside('the shell may read this file name a second time', `${operator}${target.text}`);
  }
  if (text !== null && connects(text, scope)) return;
  touchRedirected(word, operator, scope);
}

/** Descriptors of the shell, and connections. */
const special = /^\/dev\/(?:fd|tcp|udp)\b/;

/** One file, known or one of several known ones, or one with a number in its name. For several words, or none, bash opens nothing, and other shells one file. */
function isOne(word: Word, { isPosix }: Scope): boolean {
  if (word.kind === 'unknown') {
    const shape = isPosix || word.count === 'many' ? undefined : shapeOf(word);
    return shape !== undefined && !/^\/+(?:dev|proc)\b/.test(shape);
  }
  if (word.kind === 'text') return true;
  const isSpecial = textsIn(word).some((each) => special.test(each));
  return !word.names.open && !isSpecial && !(isPosix && word.count !== 'one');
}

const reading = ['read'] as const;
const writing = ['write'] as const;

function touchRedirected(word: Word, operator: Redirect['operator'], scope: Scope): void {
  const text = textOf(word);
  const accesses =
    operator === '<' ? reading : operator === '<>' ? ([...reading, ...writing] as const) : writing;
  const isKnown = text === null || accesses.every((access) => isNothing(text, { access }));
  if (!isKnown && special.test(text))
    throw new Outside('a redirection to this device is not described', text);
  for (const folder of scope.state.folders)
    for (const access of accesses) touch(word, { access, by: 'program' }, { folder, by: 'shell', scope });
}

/** `/dev/tcp/HOST/PORT` is not a file: the shell connects. */
function connects(text: string, { walk }: Scope): boolean {
  const [, scheme = '', host = '', port = ''] = /^\/dev\/(tcp|udp)\/([^/]+)\/(\d{1,5})$/.exec(text) ?? [];
  if (scheme === '' || Number(port) > 65_535) return false;
  for (const capability of hostCapabilities(host, { port: Number(port), scheme }))
    walk.report.add({ ...capability, by: 'shell' });
  return true;
}
