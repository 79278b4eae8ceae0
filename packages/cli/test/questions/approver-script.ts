import { Keyboard } from '../../src/questions/keyboard.js';
import { createTerminalApprover } from '../../src/questions/terminal-approver.js';
import { question } from './question.js';

/** Asks as many questions as it is told, after a wait, and prints the answers: run in a real terminal by a test. */
const [count = '1', wait = '0', editor = '', remember = 'run'] = process.argv.slice(2);
const keyboard = new Keyboard(process.stdin, process.stderr, () => {
  console.log('INTERRUPTED');
  process.exit(1);
});
const approver = createTerminalApprover({
  keyboard,
  output: process.stderr,
  looks: () => ({ width: 80, colour: false }),
  person: 'ana',
  program: 'ambit',
  editor: editor === '' ? null : editor,
});
console.log('READY');
// Held up like this, the process has read none of what was typed meanwhile when it comes to ask.
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(wait));
const keep = { remember: remember === 'always' ? 'always' : 'run', reach: 'folder' } as const;
const never = new AbortController().signal;
const answers = await Promise.all(
  Array.from({ length: Number(count) }, (_, index) =>
    approver.ask({ ...question, keep, tool: `filesystem.tool_${index}` }, never),
  ),
);
keyboard.close();
for (const answer of answers) console.log(`ANSWER ${JSON.stringify(answer)}`);
console.log('END');
