import { printableLines } from '@ambit/core';
import type { SessionEvent } from '@ambit/runtime';
import type { OutputStream } from '../../host.js';
import type { Looks } from '../text.js';
import { noticeOf } from './plain-lines.js';
import { noProgress, type Progress, takeConsole } from './progress.js';
import { RunTree } from './run-tree.js';
import { overheard, Pinned, Screen } from './screen.js';
import { treeLines } from './tree-lines.js';

/** Milliseconds. */
const pause = 50;

const partAboveQuestion = 3;

/** Columns. */
const widest = 120;

const mostAtEnd = 200;

/** The tree of a run on a terminal, drawn in place while it grows; at the end it stays. */
export function liveView(
  stream: OutputStream,
  { looks, now = Date.now }: { readonly looks: () => Looks; readonly now?: () => number },
): Progress {
  const tree = new RunTree();
  const screen = new Screen(stream);
  const notices: string[] = [];
  let pinned: Pinned | null = null;
  let isClosed = false;
  let due: NodeJS.Timeout | null = null;

  const linesFor = (height: number) => {
    // One column is left free: some terminals break a line that fills the last one.
    const width = Math.max(1, Math.min(widest, (stream.columns ?? 80) - 1));
    return treeLines(tree, { ...looks(), width, height, now: now() });
  };
  const draw = (height: number) => {
    if (due !== null) clearTimeout(due);
    due = null;
    const above = notices.splice(0).flatMap((notice) => printableLines(notice).split('\n'));
    screen.draw(linesFor(height), above);
  };
  const drawAbove = (below: readonly string[] | null) => {
    due = null;
    if (below === null) return;
    const room = screen.roomAbove(below);
    if (room > 1) screen.drawAbove(linesFor(Math.min(room, heightAbove())), below);
  };
  const heightAbove = () => Math.max(4, Math.floor(screen.rows / partAboveQuestion));
  const live = () => (pinned === null ? draw(screen.rows - 1) : drawAbove(pinned.lines()));
  const soon = () => {
    if (due === null && !isClosed) due = setTimeout(live, pause);
  };
  const resized = () => {
    // The terminal moved the question when it was resized.
    pinned?.leave();
    screen.resized();
    soon();
  };
  // Text that a person reads does not move as time passes.
  const clock = setInterval(() => pinned === null && soon(), 1000);
  clock.unref();
  stream.on('resize', resized);
  const giveConsole = takeConsole((text) => {
    notices.push(text);
    soon();
  });

  return {
    ...noProgress,
    through: (output) => overheard(output, (text) => pinned?.add(text)),
    recall: (past) => tree.recall(past, now()),
    take(event: SessionEvent) {
      tree.take(event);
      const notice = noticeOf(event);
      if (notice !== null) notices.push(notice);
      soon();
    },
    say(line) {
      notices.push(line);
      soon();
    },
    hold(isTaken) {
      if (isTaken === (pinned !== null)) return;
      if (isTaken) draw(heightAbove());
      else screen.letGo();
      pinned = isTaken ? new Pinned() : null;
      if (!isTaken) live();
    },
    close(result) {
      if (isClosed) return;
      if (result !== undefined) tree.end(result);
      if (pinned !== null) screen.letGo();
      pinned = null;
      draw(mostAtEnd);
      screen.letGo();
      isClosed = true;
      giveConsole();
      clearInterval(clock);
      stream.off('resize', resized);
    },
  };
}
