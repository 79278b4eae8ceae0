import { printableLines } from '@ambit/core';
import type { SessionEvent, Step } from '@ambit/runtime';
import type { OutputStream } from '../../host.js';
import type { Looks } from '../text.js';
import { noticeOf } from './plain-lines.js';
import { type Progress, takeConsole } from './progress.js';
import { RunTree } from './run-tree.js';
import { overheard, Pinned, Screen } from './screen.js';
import { type Line, treeLines } from './tree-lines.js';

/** Milliseconds. */
const pause = 50;

const partAboveQuestion = 3;

/** Columns. */
const widest = 120;

const mostAtEnd = 200;

/** The tree of a run on a terminal, drawn in place while it grows; at the end it stays. */
export class LiveView implements Progress {
  readonly #tree = new RunTree();
  readonly #notices: string[] = [];
  readonly #screen: Screen;
  readonly #stopListening: () => void;
  #pinned: Pinned | null = null;
  #isClosed = false;
  #due: NodeJS.Timeout | null = null;

  constructor(
    stream: OutputStream,
    private readonly looks: () => Looks,
    private readonly now = Date.now,
  ) {
    this.#screen = new Screen(stream);
    const resized = () => {
      // The terminal moved the question when it was resized.
      this.#pinned?.leave();
      this.#screen.resized();
      this.#drawSoon();
    };
    // Text that a person reads does not move as time passes.
    const clock = setInterval(() => this.#pinned === null && this.#drawSoon(), 1000);
    clock.unref();
    stream.on('resize', resized);
    const giveConsole = takeConsole((text) => this.say(text));
    this.#stopListening = () => {
      giveConsole();
      clearInterval(clock);
      stream.off('resize', resized);
    };
  }

  through(output: OutputStream): OutputStream {
    return overheard(output, (text) => this.#pinned?.add(text));
  }

  recall(past: readonly Step[]): void {
    this.#tree.recall(past, this.now());
  }

  take(event: SessionEvent): void {
    this.#tree.take(event);
    const notice = noticeOf(event);
    if (notice !== null) this.#notices.push(notice);
    this.#drawSoon();
  }

  say(line: string): void {
    this.#notices.push(line);
    this.#drawSoon();
  }

  hold(isTaken: boolean): void {
    if (isTaken === (this.#pinned !== null)) return;
    if (isTaken) this.#draw(this.#heightAbove);
    else this.#screen.letGo();
    this.#pinned = isTaken ? new Pinned() : null;
    if (!isTaken) this.#drawNow();
  }

  close(result?: Parameters<Progress['close']>[0]): void {
    if (this.#isClosed) return;
    if (result !== undefined) this.#tree.end(result);
    if (this.#pinned !== null) this.#screen.letGo();
    this.#pinned = null;
    this.#draw(mostAtEnd);
    this.#screen.letGo();
    this.#isClosed = true;
    this.#stopListening();
  }

  #drawSoon(): void {
    if (this.#due === null && !this.#isClosed) this.#due = setTimeout(() => this.#drawNow(), pause);
  }

  #drawNow(): void {
    if (this.#pinned === null) this.#draw(this.#screen.rows - 1);
    else this.#drawAbove(this.#pinned.lines());
  }

  #draw(height: number): void {
    if (this.#due !== null) clearTimeout(this.#due);
    this.#due = null;
    const above = this.#notices.splice(0).flatMap((notice) => printableLines(notice).split('\n'));
    this.#screen.draw(this.#linesFor(height), above);
  }

  #drawAbove(below: readonly string[] | null): void {
    this.#due = null;
    if (below === null) return;
    const room = this.#screen.roomAbove(below);
    if (room > 1) this.#screen.drawAbove(this.#linesFor(Math.min(room, this.#heightAbove)), below);
  }

  get #heightAbove(): number {
    return Math.max(4, Math.floor(this.#screen.rows / partAboveQuestion));
  }

  #linesFor(height: number): readonly Line[] {
    // One column is left free: some terminals break a line that fills the last one.
    const width = Math.max(1, Math.min(widest, (this.#screen.stream.columns ?? 80) - 1));
    return treeLines(this.#tree, { ...this.looks(), width, height, now: this.now() });
  }
}
