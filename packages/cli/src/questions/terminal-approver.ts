import { once } from 'node:events';
import { type Answer, type Approver, type JsonObject, printable, type Question } from '@ambit/core';
import type { OutputStream } from '../host.js';
import { inRows, type Looks, styled, wrapped } from '../view/text.js';
import { chooseKeep, rungsOf } from './choose-keep.js';
import { differenceLines } from './difference.js';
import { asEditableText, editArguments } from './edit-arguments.js';
import type { Keyboard } from './keyboard.js';
import { questionText } from './question-text.js';

export interface TerminalApproverOptions {
  readonly keyboard: Keyboard;
  readonly output: OutputStream;
  /** The user may resize the terminal. */
  readonly looks: () => Looks;
  readonly person: string;
  readonly editor: string | null;
  readonly program: string;
  readonly onScreen?: (isTaken: boolean) => void;
}

/** Asks the person at the terminal, one question at a time. */
export function createTerminalApprover(options: TerminalApproverOptions): Approver {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    ask: async (question, signal) => {
      const asked = turn.then(() => askNow(question, signal, options));
      turn = asked.catch(() => undefined);
      return (await asked) ?? untilClosed(signal);
    },
  };
}

/** A question that is left for later is open until another approver answers it, or it is withdrawn. */
async function untilClosed(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason as Error;
}

/** Null for later. */
async function askNow(
  question: Question,
  signal: AbortSignal,
  options: TerminalApproverOptions,
): Promise<Answer | null> {
  signal.throwIfAborted();
  options.onScreen?.(true);
  try {
    return await new Asking(question, signal, options).answer();
  } catch (error) {
    const why = signal.aborted ? `this question is closed: ${whyClosed(signal)}` : String(error);
    options.output.write(`\n${printable(why)}\n`);
    throw error;
  } finally {
    options.onScreen?.(false);
  }
}

function whyClosed({ reason }: AbortSignal): string {
  return reason instanceof Error && reason.name !== 'AbortError'
    ? reason.message
    : 'the question was withdrawn';
}

class Asking {
  readonly #person: { readonly person: string };
  /** Null if it is missing. */
  #editor: string | null;
  /** Terminal lines that the question took. */
  #height = 0;

  constructor(
    readonly question: Question,
    readonly signal: AbortSignal,
    readonly options: TerminalApproverOptions,
  ) {
    this.#person = { person: options.person };
    this.#editor = options.editor;
  }

  async answer(): Promise<Answer | null> {
    this.#show(false);
    for (;;) {
      const answer = await this.#choice();
      if (answer === 'later') return null;
      if (answer !== null) return answer;
    }
  }

  #show(whole: boolean): void {
    const { rows: screen } = this.options.output;
    // The menu stands below the text, and a blank line above it.
    const rows = screen === undefined ? {} : { rows: screen - this.#menu().split('\n').length - 1 };
    const text = questionText(this.question, { ...this.#looks, whole, ...rows });
    this.#height = text.split('\n').length;
    this.options.output.write(`\n${text}`);
  }

  /** Null while the question is open. */
  async #choice(): Promise<Answer | 'later' | null> {
    // `o` (once) is what `y` was called first.
    const keys = ['y', ...(this.#isKeepable ? ['k'] : []), 'n', 'a', 'e', 'l', 's', 'v'];
    switch (await this.#key(this.#menu(), keys, ['o'])) {
      case 'y':
      case 'o':
        return { answer: 'approve', ...this.#person };
      case 'k':
        return this.#kept();
      case 'n':
        return this.#refusal({ asksAgain: false });
      case 'a':
        return this.#refusal({ asksAgain: true });
      case 'e':
        return this.#edited();
      case 'l':
        this.#say(
          wrapped(
            `left open: ${this.options.program} approvals approve ${this.question.id} answers it; ctrl-C parks the run`,
            this.#looks.width,
          ).join('\n'),
        );
        return 'later';
      case 's':
        return this.#stop();
      default:
        this.#show(true);
        return null;
    }
  }

  #menu(): string {
    const looks = this.#looks;
    const { calls } = this.question;
    const keys = [
      calls === undefined ? 'y  approve this call only' : `y  approve these ${calls.length} calls only`,
      ...(this.#isKeepable ? ['k  approve and keep the answer'] : []),
      'n  deny, also when it is repeated',
      'a  deny, ask again',
      'e  edit the arguments',
      'l  later',
      's  stop the run',
      'v  show everything',
    ];
    const lines = inRows(keys, looks.width - 2, '   ').map((row) => `  ${row}`);
    const title = this.#isKeepable ? 'Approve it?' : 'Approve it? (an answer is for this call only)';
    const above = this.#height + lines.length + 2 > (this.options.output.rows ?? Number.POSITIVE_INFINITY);
    const head = above ? `${this.#reminder()}\n` : '';
    return `\n${head}${styled(title, 'bold', looks)}\n${lines.join('\n')}\n> `;
  }

  /** The first part again if it left the screen. */
  #reminder(): string {
    const { chain, tool } = this.question;
    const words = `${chain.join(' › ')} wants to call ${tool}; scroll up for the whole question`;
    return wrapped(words, this.#looks.width)
      .map((line) => styled(line, 'yellow', this.#looks))
      .join('\n');
  }

  get #isKeepable(): boolean {
    return rungsOf(this.question).length > 0;
  }

  async #kept(): Promise<Answer | null> {
    const { keyboard } = this.options;
    const keep = await chooseKeep(this.question, {
      key: (prompt, keys) => this.#key(prompt, keys),
      line: (prompt) => keyboard.line(prompt, { text: '', signal: this.signal }),
      say: (text) => this.#say(text),
      looks: () => this.#looks,
      now: () => Date.now(),
    });
    return keep === null ? null : { answer: 'approve', ...this.#person, keep };
  }

  async #refusal({ asksAgain }: { readonly asksAgain: boolean }): Promise<Answer | null> {
    const note = await this.options.keyboard.line(
      'a note for the model (Enter for none, ctrl-D goes back)\n> ',
      { text: '', signal: this.signal },
    );
    if (note === null) return null;
    return {
      answer: 'refuse',
      ...this.#person,
      ...(note.trim() === '' ? {} : { note: note.trim() }),
      ...(asksAgain ? { ask_again: true } : {}),
    };
  }

  async #stop(): Promise<Answer | null> {
    const key = await this.#key('stop the whole run? s stops it, b goes back\n> ', ['s', 'b']);
    return key === 's' ? { answer: 'stop', ...this.#person } : null;
  }

  async #edited(): Promise<Answer | null> {
    const { keyboard } = this.options;
    const asText = (args: JsonObject) => asEditableText(args, { editor: this.#editor });
    let text: string | null = asText(this.question.args);
    while (text !== null) {
      const edited = await editArguments(text, { keyboard, editor: this.#editor, signal: this.signal });
      if (!edited.ok) {
        this.#say(printable(edited.why));
        if (edited.noEditor === true) {
          this.#editor = null;
          text = asText(this.question.args);
          continue;
        }
        text = edited.text !== null && (await this.#again()) ? edited.text : null;
        continue;
      }
      const after = asText(edited.args);
      if (after === asText(this.question.args)) {
        this.#say('nothing was changed');
        return null;
      }
      this.#say(
        differenceLines(
          {
            path: 'the arguments',
            before: `${JSON.stringify(this.question.args, null, 2)}\n`,
            after: `${JSON.stringify(edited.args, null, 2)}\n`,
          },
          this.#looks,
        ).join('\n'),
      );
      const prompt = 'y approves the call with these arguments, e edits again, b goes back\n> ';
      const key = await this.#key(prompt, ['y', 'e', 'b']);
      if (key === 'y') return { answer: 'approve', ...this.#person, args: edited.args };
      text = key === 'e' ? after : null;
    }
    return null;
  }

  async #again(): Promise<boolean> {
    return (await this.#key('e edits again, b goes back\n> ', ['e', 'b'])) === 'e';
  }

  get #looks(): Looks {
    return this.options.looks();
  }

  #key(prompt: string, keys: readonly string[], also: readonly string[] = []): Promise<string> {
    return this.options.keyboard.key(prompt, { keys, also, signal: this.signal });
  }

  /** Text that is escaped already, or ours. */
  #say(text: string): void {
    this.options.output.write(`\n${text}\n`);
  }
}
