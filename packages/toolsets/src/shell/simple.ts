import type { Assignment, Command } from 'unbash';
import { assignedValue, setVariable } from './assign.js';
import type { Here, Result, WrittenWord } from './here.js';
import { redirect, redirected } from './redirect.js';
import { unknownValue, type Value } from './variable.js';
import { type Word, word } from './word.js';
import { compact } from './words/fields.js';

/** What a simple command does: its words, its assignments, its redirections, and then what it runs. */
export function simpleCommand(node: Command, here: Here): Result {
  const declared: { readonly name: string; readonly value: Value }[] = [];
  const written = [...(node.name === undefined ? [] : [node.name]), ...node.args];
  const words = written.flatMap((each): readonly Word[] => {
    if (!isAssignment(each)) return here.walk.words(each, here);
    const assigned = assignedValue(each, here);
    // Here braces stand for several words, unlike before a command.
    if (/\{.*(?:,|\.\.)/s.test(each.text)) {
      declared.push({ ...assigned, value: unknownValue });
      return [asWord(each, unknownValue)];
    }
    declared.push(assigned);
    return [asWord(each, assigned.value)];
  });
  if (written.some((each, index) => each.pos === written[index - 1]?.end))
    here.walk.report.opaque(node.name?.text ?? '', 'the parser takes one word for several');
  const before = node.prefix.filter(isAssignment).map((assignment) => assignedValue(assignment, here));
  if (words.length === 0) {
    for (const { name, value } of before) setVariable(name, value, here);
    redirect(node.redirects, here);
    return { output: word('') };
  }
  if (node.name !== undefined && /[*?[]/.test(node.name.text) && node.name.text !== '[')
    here.walk.report.opaque(node.name.text, 'which program it is depends on what files there are');
  const streams = redirect(node.redirects, here);
  const { input } = streams;
  const variables = new Map(
    before.map(({ name, value }) => [name, value.kind === 'text' ? value.word : null]),
  );
  const inner: Here = { ...here, input };
  const result = here.walk.command(words, inner, { variables, declared });
  here.state = inner.state;
  // `exec` without a command keeps what was opened.
  if (words.length === 1 && words[0]?.parts[0] === 'exec') {
    here.input = input;
    if (node.redirects.length > 0) return { ...result, output: null };
  }
  return redirected(result, streams);
}

function isAssignment(node: { readonly type?: string } | WrittenWord): node is Assignment {
  return 'type' in node && node.type === 'Assignment';
}

function asWord({ name, text }: Assignment, value: Value): Word {
  if (value.kind === 'text') return compact([`${name}=`, ...value.word.parts]);
  return { parts: [`${name}=`, { kind: 'text', text }] };
}
