import { compareAll } from './compare.js';

process.stdout.write(`${JSON.stringify(await compareAll([10, 100, 1_000]), null, 1)}\n`);
