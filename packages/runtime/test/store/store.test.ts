import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openStore } from '../../src/store/file-store.js';
import { memoryStore } from '../../src/store/memory-store.js';
import { storeSuite } from './store-suite.js';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-store-')));
afterAll(() => rmSync(scratch, { recursive: true }));

storeSuite('a store in a file', () => openStore(mkdtempSync(join(scratch, 'state-'))));
storeSuite('a store in memory', async () => memoryStore());
