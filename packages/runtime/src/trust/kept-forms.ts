import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orNull } from '@ambit/core';
import type { CheckedForms } from '@ambit/policy';
import { sha256Of } from '@ambit/policy/internal';
import { formIn, formText } from './form-text.js';
import { isOwn, isPrivate, longest, readOwn } from './own-files.js';
import { stateFolder } from './state-folder.js';

/**
 * Checked forms of policy files. A form counts only if the trust record has its digest. Files of other users are read
 * anew.
 */
export function keptForms(
  environment: Readonly<Record<string, string | undefined>>,
  program: string,
): CheckedForms {
  const state = stateFolder(environment);
  const [cache, trust] = [join(state, 'cache'), join(state, 'trust')];
  const placesOf = (digest: string) => {
    const key = sha256Of(`${program}\n${digest}`);
    return { key, form: join(cache, `${key}.json`), record: join(trust, `${key}.form`) };
  };
  return {
    find({ path, digest }) {
      return orNull(() => {
        const { key, form, record } = placesOf(digest);
        if (!isOwn(path) || ![state, cache, trust].every(isPrivate)) return null;
        const expected = readOwn(record);
        const text = readOwn(form);
        if (sha256Of(text) !== expected.toString('latin1')) return null;
        const kept = formIn(text.toString());
        // A form and its record may have been copied from another file's.
        return kept.key === key ? kept.form : null;
      });
    },
    keep({ path, digest }, form) {
      orNull(() => {
        const { key, ...places } = placesOf(digest);
        const text = formText({ key, form });
        if (!isOwn(path) || text.length > longest) return;
        for (const folder of [state, cache, trust]) {
          mkdirSync(folder, { recursive: true, mode: 0o700 });
          if (!isPrivate(folder)) return;
        }
        makeRoom(cache, trust);
        replace(places.form, text);
        // Last: a form without its record is not used.
        replace(places.record, sha256Of(text));
      });
    },
  };
}

const most = 100;

function replace(path: string, text: string): void {
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Deletes the oldest half of many. */
function makeRoom(cache: string, trust: string): void {
  const names = readdirSync(cache);
  if (names.length < most) return;
  const byAge = names
    .map((name) => ({ name, age: lstatSync(join(cache, name)).mtimeMs }))
    .sort((one, other) => one.age - other.age);
  for (const { name } of byAge.slice(0, most / 2)) {
    rmSync(join(cache, name), { force: true });
    rmSync(join(trust, name.replace(/\.json.*$/, '.form')), { force: true });
  }
}
