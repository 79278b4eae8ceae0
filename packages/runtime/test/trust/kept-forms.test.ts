import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPolicies } from '@ambit/policy';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keptForms, policyWorld } from '../../src/index.js';

const policy = `version: 1
extends: [./base.yaml]
default: { decision: needs_approval, answer: person }
undecided: needs_approval
capabilities:
  fs.read:
    - { decision: pre_approved, match: { path: [./out/**, "~/a?/*.md"] }, except: { path: ./out/x }, until: 2027-01-01T00:00:00Z }
    - { id: odd, decision: blocked, when: { "<": [{ var: [capability.size, 2] }, 1.5] }, reason: r, instead: i, owner: o, note: n }
  net: { decision: blocked, match: { port: { from: 1, to: 9 }, host: "**.a.example" } }
  fs.reed: { decision: blocked, examples: { match: [{ facts: { a: [1, null, { b: -2 }] } }] } }
tools: { shell.*: needs_approval }
workers: { helper: { capabilities: { net: blocked } } }
carries: { x.y: [fs.read, { name: net.connect, host: a.example }] }
together: [{ id: leak, capabilities: [secret.read, { name: net, except: { port: 1 } }], within: run, decision: blocked }]
invariants: [{ id: never, capabilities: [net], never: pre_approved }]
grants: { workers: true, remember: run }
`;

class Place {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'forms-')));
  readonly state = join(this.base, 'state');
  readonly policy = join(this.base, 'policy.yaml');

  constructor() {
    onTestFinished(() => rmSync(this.base, { recursive: true, force: true }));
    writeFileSync(this.policy, policy);
    writeFileSync(join(this.base, 'base.yaml'), 'version: 1\ndefault: blocked\n');
  }

  async load({ keep = true, program = 'p' } = {}) {
    const forms = keep ? keptForms({ AMBIT_HOME: this.state }, program) : undefined;
    const loaded = await loadPolicies(
      [this.policy],
      policyWorld({ root: this.base, home: '/home/ada', forms }),
    );
    if (!loaded.ok) throw new Error(loaded.diagnostics[0].message);
    return loaded;
  }

  /** What the first file says of everything else, in short. */
  async standard(program = 'p'): Promise<string> {
    return (await this.load({ program })).policies[0].default.decision;
  }

  files(folder: 'cache' | 'trust'): readonly string[] {
    return readdirSync(join(this.state, folder)).map((name) => join(this.state, folder, name));
  }

  /** The kept form of the policy, and its record. */
  get form(): string {
    const found = this.files('cache').find((path) => readFileSync(path, 'utf8').includes('"helper"'));
    if (found === undefined) throw new Error('no form is kept');
    return found;
  }

  get record(): string {
    return this.form.replace('/cache/', '/trust/').replace('.json', '.form');
  }

  /** A form that permits everything, where the policy asks. */
  get loose(): string {
    return readFileSync(this.form, 'utf8').replaceAll('"needs_approval"', '"pre_approved"');
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const isRoot = process.getuid?.() === 0;

describe('cached forms of policies', () => {
  it('equal the policies from their text', async () => {
    const place = new Place();
    const read = await place.load({ keep: false });
    await place.load();
    expect(place.files('cache')).toHaveLength(2);
    const kept = await place.load();
    expect(kept.files).toEqual(read.files);
    expect(kept.warnings).toEqual(read.warnings);
    expect(kept.policies.map(({ document }) => document)).toEqual(
      read.policies.map(({ document }) => document),
    );
    expect(JSON.stringify(kept.policies)).toBe(JSON.stringify(read.policies));
  });

  it('omit defaults of rules', async () => {
    const place = new Place();
    writeFileSync(place.policy, policy.replace('capabilities:', 'capabilities:\n  helper: pre_approved'));
    await place.load();
    const { form } = JSON.parse(readFileSync(place.form, 'utf8'));
    expect(form.document.rules[0]).toEqual({ name: 'helper', place: [6, 3] });
    const { about, id, at, ...tool } = form.document.rules.find(({ name = '' }) => name === 'shell.*');
    expect({ about, id, at }).toEqual({ about: 'tool', id: 'tools.shell.*', at: undefined });
    expect(tool).toEqual({ decision: 'needs_approval', name: 'shell.*', place: [12, 10] });
  });

  it('are used if the record has their digest', async () => {
    const place = new Place();
    await place.load();
    const { loose, form, record } = place;
    writeFileSync(form, loose);
    writeFileSync(record, digestOf(loose));
    expect(await place.standard()).toBe('pre_approved');
    // Another program made other forms, and another text has another one.
    expect(await place.standard('q')).toBe('needs_approval');
    writeFileSync(place.policy, `${policy}# changed\n`);
    expect(await place.standard()).toBe('needs_approval');
  });

  it.each<[string, (place: Place) => void]>([
    ['is changed', ({ form, loose }) => writeFileSync(form, loose)],
    ['has no record', (place) => unrecorded(place)],
    ['is cut', ({ form }) => truncateSync(form, 200)],
    ['is empty, and its record too', (place) => emptied(place)],
    [
      'is truncated, with a matching record',
      ({ form, record }) => rewrite({ form, record }, (text) => text.slice(0, 300)),
    ],
    ['is not JSON, with a matching record', ({ form, record }) => rewrite({ form, record }, () => 'null')],
    ['is a link', (place) => linked(place, symlinkSync)],
    ['has two names', (place) => linked(place, linkSync)],
    ['is another file’s with its record', (place) => swapped(place)],
    ['can be written by others', (place) => chmodSync(recorded(place).form, 0o666)],
    ['has a record that others can write', (place) => chmodSync(recorded(place).record, 0o620)],
    ['lies where others can write', (place) => chmodSync(join(recorded(place).state, 'cache'), 0o777)],
    ['lies in a linked folder', (place) => linkedFolder(place)],
    ['is a folder', (place) => asFolder(place)],
  ])('are read again from the text if one %s', async (_, attack) => {
    const place = new Place();
    await place.load();
    attack(place);
    expect(await place.standard()).toBe('needs_approval');
  });

  it.runIf(isRoot)('are read again from the text if one belongs to another user', async () => {
    const place = new Place();
    await place.load();
    recorded(place);
    chownSync(place.form, 12_345, 12_345);
    expect(await place.standard()).toBe('needs_approval');
  });

  it.runIf(isRoot)('are neither written nor used for a file of another user', async () => {
    const place = new Place();
    chownSync(place.policy, 12_345, 12_345);
    await place.load();
    expect(place.files('cache')).toHaveLength(1);
    chownSync(place.policy, 0, 0);
    await place.load();
    recorded(place);
    expect(await place.standard()).toBe('pre_approved');
    chownSync(place.policy, 12_345, 12_345);
    expect(await place.standard()).toBe('needs_approval');
  });

  it('only cost time if they cannot be written', async () => {
    const place = new Place();
    mkdirSync(place.state, { mode: 0o700 });
    writeFileSync(join(place.state, 'cache'), 'in the way');
    expect(await place.standard()).toBe('needs_approval');
    writeFileSync(place.policy, 'version: 1\ndefault: pre_approved\n');
    expect(await place.standard()).toBe('pre_approved');
  });

  it('are not written for a file with mistakes', async () => {
    const place = new Place();
    writeFileSync(place.policy, 'version: 1\ndefault: alow\n');
    await expect(place.load()).rejects.toThrow('`alow` is not a decision');
    await expect(place.load()).rejects.toThrow('`alow` is not a decision');
  });

  it('are limited to a hundred', async () => {
    const place = new Place();
    for (let count = 0; count < 120; count += 1) await place.load({ program: `${count}` });
    expect(place.files('cache').length).toBeLessThanOrEqual(101);
    expect(place.files('trust').length).toBe(place.files('cache').length);
  });
});

function rewrite({ form, record }: Pick<Place, 'form' | 'record'>, change: (text: string) => string): void {
  const text = change(readFileSync(form, 'utf8'));
  writeFileSync(form, text);
  writeFileSync(record, digestOf(text));
}

/** A loose form whose record fits. */
function recorded(place: Place): Place {
  const { form, record, loose } = place;
  writeFileSync(form, loose);
  writeFileSync(record, digestOf(loose));
  return place;
}

function unrecorded({ form, record, loose }: Place): void {
  rmSync(record);
  writeFileSync(form, loose);
}

function emptied({ form, record }: Place): void {
  truncateSync(form, 0);
  truncateSync(record, 0);
}

function asFolder({ form }: Place): void {
  rmSync(form);
  mkdirSync(form);
}

function linked(place: Place, link: (target: string, path: string) => void): void {
  const { form } = place;
  recorded(place);
  renameSync(form, join(place.base, 'elsewhere'));
  link(join(place.base, 'elsewhere'), form);
}

function linkedFolder(place: Place): void {
  recorded(place);
  renameSync(join(place.state, 'cache'), join(place.base, 'elsewhere'));
  symlinkSync(join(place.base, 'elsewhere'), join(place.state, 'cache'));
}

function swapped(place: Place): void {
  const { form, record } = place;
  const other = place.files('cache').find((path) => path !== form) ?? '';
  copyFileSync(other, form);
  copyFileSync(other.replace('/cache/', '/trust/').replace('.json', '.form'), record);
}
