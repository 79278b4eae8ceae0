import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, jsonText, messageOf } from '@ambit/core';
import type { Environment } from '@ambit/runtime';
import type { Keyboard } from './keyboard.js';

export type Edited =
  | { readonly ok: true; readonly args: JsonObject }
  /** `text` is the edited text, to continue with; null if the user went back. */
  | { readonly ok: false; readonly why: string; readonly text: string | null; readonly noEditor?: true };

export interface EditTools {
  readonly keyboard: Keyboard;
  /** A shell command; null asks for a line of JSON. */
  readonly editor: string | null;
  readonly signal: AbortSignal;
}

export async function editArguments(text: string, tools: EditTools): Promise<Edited> {
  if (tools.editor !== null) return editIn(tools.editor, text, tools);
  const written = await askLine(text, tools);
  return written === null ? { ok: false, why: 'nothing was changed', text: null } : parseArguments(written);
}

export function editorOf(environment: Environment): string | null {
  return [environment.VISUAL, environment.EDITOR].find((name) => name !== undefined && name !== '') ?? null;
}

export function asEditableText(args: JsonObject, { editor }: Pick<EditTools, 'editor'>): string {
  return editor === null ? jsonText(args) : `${jsonText(args, 2)}\n`;
}

function askLine(text: string, { keyboard, signal }: EditTools): Promise<string | null> {
  const prompt = 'the arguments as JSON, on one line (ctrl-D goes back)\n> ';
  return keyboard.line(prompt, { text, signal });
}

async function editIn(editor: string, text: string, { keyboard, signal }: EditTools): Promise<Edited> {
  const folder = await mkdtemp(join(tmpdir(), 'ambit-edit-'));
  const file = join(folder, 'arguments.json');
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
    const exit = await keyboard.lend(() => runEditor(editor, file, signal));
    if (exit === 0) return parseArguments(await readFile(file, 'utf8'));
    // As a shell says it: not found, or no program.
    if (exit === 126 || exit === 127)
      return { ok: false, why: `cannot find the editor \`${editor}\``, text: null, noEditor: true };
    return { ok: false, why: 'the editor failed; nothing was changed', text: null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runEditor(editor: string, file: string, signal: AbortSignal): Promise<number | null> {
  return new Promise((resolve, reject) => {
    // `$EDITOR` may have arguments (`code -w`), so the shell splits it, and only it.
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', signal });
    child.once('error', reject).once('exit', resolve);
  });
}

function parseArguments(text: string): Edited {
  try {
    const args: unknown = JSON.parse(text);
    if (isJsonObject(args)) return { ok: true, args };
    return { ok: false, why: 'the arguments are not a JSON object', text };
  } catch (error) {
    return { ok: false, why: `not JSON: ${messageOf(error)}`, text };
  }
}
