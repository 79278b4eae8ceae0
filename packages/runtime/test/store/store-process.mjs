// A process of its own with a store: `node store-process.mjs FOLDER NAME TASK COUNT`. Says what it did on stdout, line by line.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openStore } from '../../dist/index.js';

const [folder, name, task, count] = process.argv.slice(2);
process.umask(0);
const store = task === 'open' ? null : await openStore(folder);
const say = (line) => writeSync(1, `${line}\n`);

const run = (id) => ({
  id,
  begun: 1,
  worker: 'main',
  mode: 'strict',
  log: '/l',
  pid: process.pid,
  options: {},
});

const question = (id) => ({
  id,
  call: 'c1',
  chain: ['main'],
  tool: 'a.b',
  args: {},
  capabilities: [],
  asked_by: [],
});

const tasks = {
  /** Its own run, a shared one, and the answers to questions that all of them want to give. */
  async work() {
    await store.begin(run(name));
    await store.begin(run('shared')).then(
      () => say('began shared'),
      () => undefined,
    );
    for (let index = 0; index < Number(count); index += 1) {
      await store.append(name, [{ step: 'executing', call: `${index}` }]);
      await store.append('shared', [
        { step: 'executing', call: `${name} ${index} first` },
        { step: 'executing', call: `${name} ${index} second` },
      ]);
      const id = `q${index}`;
      await store.ask({ run: 'shared', question: question(id), digest: 'd', asked: 1 });
      const answer = { answer: 'approve', person: name };
      const taken = await store.answer(id, { digest: 'd', answer, at: 2 });
      if (taken === 'taken') say(`answered ${id}`);
      if ((await store.question(id)).state !== 'answered') throw new Error(`${id} is not answered`);
    }
    await store.close();
  },
  /** Opens a store in each folder that it is told, begins a run there, and says so. */
  async open() {
    say('ready');
    for await (const place of createInterface({ input: process.stdin })) {
      const opened = await openStore(place);
      await opened.begin(run(name));
      await opened.close();
      say(place);
    }
  },
  /** Says each step once it is durable, until it is killed. */
  async forever() {
    await store.begin(run(name));
    for (let index = 0; ; index += 1) {
      await store.append(name, [{ step: 'executing', call: `${index}` }]);
      say(`${index}`);
    }
  },
};

await tasks[task]();
