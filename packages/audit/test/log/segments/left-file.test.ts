import {
  appendFileSync,
  copyFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { mostWritten } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { createLog, verifyLog } from '../../../src/index.js';
import { decisionEvent, endEvent, folder, key, runEvent } from '../../events.js';
import { signedRun, signer } from '../../signed.js';

type Attack = readonly [what: string, change: string, attack: (file: string) => void];

const swap = (file: string, by: (copy: string) => void) => {
  copyFileSync(file, `${file}.copy`);
  by(`${file}.copy`);
};

const attacks: readonly Attack[] = [
  ['removed', 'was removed', (file) => rmSync(file)],
  ['moved', 'was removed', (file) => renameSync(file, `${file}.moved`)],
  ['replaced by a copy of it', 'was replaced', (file) => swap(file, (copy) => renameSync(copy, file))],
  [
    'replaced by a link to a copy',
    'was replaced',
    (file) =>
      swap(file, (copy) => {
        rmSync(file);
        symlinkSync(copy, file);
      }),
  ],
  [
    'removed while a second name keeps its inode',
    'was removed',
    (file) => {
      linkSync(file, `${file}.second`);
      rmSync(file);
    },
  ],
  ['emptied', 'was truncated', (file) => truncateSync(file)],
  ['cut', 'was truncated', (file) => truncateSync(file, readFileSync(file).length - 10)],
  ['written by another program', 'was changed by another program', (file) => appendFileSync(file, 'x\n')],
];

const events = Array.from({ length: 7 }, (_, at) => decisionEvent(`c${at}`));

describe.each(['group', 'sync'] as const)('an open log (%s)', (commit) => {
  it.each(attacks)('rejects further events after it was %s', async (_, change, attack) => {
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key, commit });
    await log.append([signedRun()]);
    attack(file);
    const lost = { code: 'LOST', message: `the log cannot be written: ${file} ${change} during the run` };
    await expect(log.append([decisionEvent('c1')])).rejects.toMatchObject(lost);
    await expect(log.append([decisionEvent('c2')])).rejects.toMatchObject(lost);
    await log.close();
  });

  it.each([...attacks.slice(0, 2), ...attacks.slice(5)])(
    'rejects further events after an earlier segment was %s',
    async (_, change, attack) => {
      for (const isContinued of [false, true]) {
        const file = join(folder(), 'run.jsonl');
        const options = { file, run: 'r1', key, commit, rotate: { entries: 3 } };
        let log = await createLog(options);
        for (const event of events) await log.append([event]);
        if (isContinued) {
          await log.close();
          log = await createLog(options);
        }
        const segment = file.replace('.jsonl', '.0002.jsonl');
        attack(segment);
        const message = `the log cannot be written: ${segment} ${change} during the run`;
        await expect(log.append([endEvent()])).rejects.toMatchObject({ code: 'LOST', message });
        await log.close();
      }
    },
  );
});

describe('an open log', () => {
  it('detects a missing segment among many before its own end', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key, rotate: { entries: 3 } });
    for (const event of events) await log.append([event]);
    rmSync(file);
    const more = async () => {
      for (let at = 0; at < 20; at += 1) await log.append([decisionEvent(`d${at}`)]);
    };
    await expect(more()).rejects.toThrow(`${file} was removed`);
    await log.close();
  });

  it.each(attacks.slice(0, 6))(
    'rejects further events after its heads were %s',
    async (_, change, attack) => {
      const file = join(folder(), 'run.jsonl');
      const heads = { entries: 2, seconds: 1000 };
      const log = await createLog({ file, run: 'r1', key, signer, heads });
      await log.append([signedRun()]);
      attack(`${file}.heads`);
      await log.append([decisionEvent('c1')]);
      await expect(log.append([decisionEvent('c2')])).rejects.toMatchObject({
        code: 'LOST',
        message: `the log cannot be written: ${file}.heads ${change} during the run`,
      });
      await log.close();
    },
  );

  it('rejects further events if its manifests are missing', async () => {
    const place = folder();
    const log = await createLog({ file: join(place, 'run.jsonl'), run: 'r1', key });
    const paths = Array.from({ length: mostWritten + 1 }, (_, at) => `/w/${String(at).padStart(3, '0')}`);
    const capabilities = [{ name: 'fs.read', path: { paths } }];
    const event = { ...decisionEvent('c1'), capabilities } as unknown as ReturnType<typeof decisionEvent>;
    await log.append([event]);
    const [manifest = ''] = readdirSync(join(place, 'manifests'));
    await log.append([decisionEvent('c2')]);
    rmSync(join(place, 'manifests'), { recursive: true });
    await expect(log.append([decisionEvent('c3')])).rejects.toMatchObject({
      code: 'LOST',
      message: `the log cannot be written: ${join(place, 'manifests', manifest)} was removed during the run`,
    });
    await log.close();
  });

  it('ignores other logs and files in its folder', async () => {
    const file = join(folder(), 'run.jsonl');
    const log = await createLog({ file, run: 'r1', key });
    await log.append([runEvent()]);
    writeFileSync(`${file}.html`, 'a page');
    linkSync(file, `${file}.backup`);
    await log.append([decisionEvent('c1'), endEvent()]);
    await log.close();
    expect(await verifyLog(file)).toMatchObject({ ok: true, entries: 3 });
  });
});
