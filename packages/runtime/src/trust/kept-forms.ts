import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orNull } from '@ambit/core';
import type { CheckedForm, CheckedForms, WrittenRule } from '@ambit/policy';
import { sha256Of } from '@ambit/policy/internal';
import { isOwn, isPrivate, longest, readOwn } from './own-files.js';
import { type Environment, stateFolder } from './state-folder.js';

/**
 * Checked forms of policy files. A form counts only if the trust record has its digest. Files of other users are read
 * anew.
 */
export function keptForms(environment: Environment, program: string): CheckedForms {
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

interface Kept {
  readonly key: string;
  readonly form: CheckedForm;
}

/** As JSON in which rules are without what most rules have: it is a fifth as long. */
function formText({ key, form }: Kept): string {
  const { document } = form;
  const rules = document.rules.map((rule) => shortOf(rule, document.name));
  return JSON.stringify({ key, form: { ...form, document: { ...document, rules } } });
}

/** Throws for any other text. */
function formIn(text: string): Kept {
  const { key, form } = JSON.parse(text) as KeptText;
  const { document } = form;
  const rules = document.rules.map((rule) => ruleOf(rule, document.name));
  return { key, form: { ...form, document: { ...document, rules } } };
}

interface KeptText {
  readonly key: string;
  readonly form: Omit<CheckedForm, 'document'> & { readonly document: DocumentText };
}
type Named = Extract<WrittenRule, { readonly about: 'capability' | 'tool' }>;
type Document = CheckedForm['document'];
type DocumentText = Omit<Document, 'rules'> & { readonly rules: readonly (WrittenRule | Short)[] };

/** The place as line and column; of the rest, what differs from a usual rule. */
interface Short extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly place: readonly [line: number, column: number];
}

/** In the order in which the reader writes the keys. */
const usual = {
  about: 'capability',
  name: '',
  worker: null,
  id: null,
  place: null,
  at: null,
  undecided: null,
  observe: false,
  observedSince: null,
  reason: null,
  instead: null,
  owner: null,
  note: null,
  decision: 'pre_approved',
  answer: 'any',
  below: false,
  inherit: true,
  match: null,
  except: null,
  when: null,
  until: null,
  examples: [],
} satisfies Record<keyof Named, unknown>;

const usualKeys = Object.keys(usual).join();

/** A rule with other keys stays as it is. */
function shortOf(rule: WrittenRule, file: string): WrittenRule | Short {
  if (rule.about === 'combination' || Object.keys(rule).join() !== usualKeys) return rule;
  const { name, place } = rule;
  const { line, column } = place;
  const expected = { ...usual, id: idOf(name), at: `${file}:${line}:${column}` };
  const differing = Object.entries(rule).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(expected[key as keyof Named]),
  );
  return { ...Object.fromEntries(differing), name, place: [line, column] };
}

function ruleOf(rule: WrittenRule | Short, file: string): WrittenRule {
  if (!isShort(rule)) return rule;
  const [line, column] = rule.place;
  const full: Record<string, unknown> = { ...usual, ...rule };
  full.place = { line, column };
  full.id ??= idOf(rule.name);
  full.at ??= `${file}:${line}:${column}`;
  return full as unknown as WrittenRule;
}

function isShort(rule: WrittenRule | Short): rule is Short {
  return Array.isArray(rule.place);
}

function idOf(name: string): string {
  return `capabilities.${name}`;
}
