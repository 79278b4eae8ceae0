// Adds pins to a file, as a session does. `many`: eight of its own, one at a time; `hold`: stays in the middle of a change.
import { pathToFileURL } from 'node:url';

const [gateway, file, mode, own] = process.argv.slice(2);
const { changePins } = await import(pathToFileURL(gateway).href);
const add = (name) =>
  changePins(file, (known) => {
    const accepted = known?.accepted ?? [];
    if (mode === 'hold') {
      process.stdout.write('holding');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    return {
      pins: { server: 's', changed: [], accepted: [...accepted, { tool: name, definition: { name } }] },
    };
  });
for (let at = 0; at < (mode === 'many' ? 8 : 1); at += 1) await add(`${own}-${at}`);
