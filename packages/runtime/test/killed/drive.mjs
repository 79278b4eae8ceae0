// Drives runs side by side, to their ends or until it kills itself: `node drive.mjs TASK`. Says how each of them ended.
import { writeSync } from 'node:fs';
import { open, openStateFolder, openStore, resume } from '../../dist/index.js';

const { runs, kill } = JSON.parse(process.argv[2]);
const die = () => process.kill(process.pid, 'SIGKILL');
if (kill?.at === 'time') setTimeout(die, kill.after);

let isFrozen = false;

/** A store that kills the process around one of its steps. */
function dying(store, index) {
  let count = 0;
  const append = async (run, steps) => {
    count += 1;
    const isDue = kill?.run === index && count === kill.step;
    if (isDue && kill.at !== 'before') setTimeout(die, kill.after);
    if (isDue && kill.at === 'before') die();
    if (isDue && kill.at === 'between') isFrozen = true;
    await store.append(run, steps);
    // Kept, and not in the log yet: from then on, that is as far as any of the runs gets.
    if (isFrozen && steps.some(({ step }) => step === 'events')) await new Promise(() => {});
  };
  const method = (name) => (typeof store[name] === 'function' ? store[name].bind(store) : store[name]);
  return new Proxy(store, { get: (_, name) => (name === 'append' ? append : method(name)) });
}

async function drive({ root, environment, id, recording }, index) {
  const store = await openStore(await openStateFolder(environment, root));
  const common = { root, environment, mode: 'approve_all', store: dying(store, index), recording };
  const begun = { policies: ['policy.yaml'], workers: 'main.worker', model: 'script:script.yaml' };
  const opened = await (id === null ? open({ ...begun, ...common }) : resume(id, common));
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  const { status, why } = await opened.session.run(id === null ? { input: 'work' } : {});
  await opened.session.close();
  await store.close();
  return why === null ? status : `${status}: ${why}`;
}

const ends = await Promise.all(
  runs.map((run, index) => drive(run, index).catch((error) => `${error.message}`)),
);
writeSync(1, JSON.stringify(ends));
