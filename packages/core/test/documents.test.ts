import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modes, vocabulary } from '../src/index.js';
import { refusalCodes } from '../src/tool/outcome.js';
import { laws } from './laws/index.js';

const docs = new URL('../../../docs/', import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, docs), 'utf8');

/** The cells of the rows of every table. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^[|\s-]+$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );

/** Held where both engines are at hand. */
const lawOfEngines =
  'the fast engine and the plain one give equal decisions, with equal explanations, on every input';

describe('docs/semantics.md', () => {
  const text = textOf('semantics.md');
  const rows = rowsOf(text);

  it.each(laws.map(({ title }) => [title]))('has the law: %s', (title) => {
    const [, test = ''] = rows.find(([law]) => law === title) ?? [];
    const [, file = ''] = /\]\(([^)]+)\)/.exec(test) ?? [];
    expect(file).toMatch(/\.\.\/packages\/core\/test\/laws\/of-\w+\.ts$/);
    expect(readFileSync(new URL(file, docs), 'utf8')).toContain(title);
  });

  it('has a test for each law', () => {
    const start = text.indexOf('## Laws');
    const listed = rowsOf(text.slice(start, text.indexOf('\n## ', start)))
      .map(([law]) => law)
      .filter((law) => law !== 'law');
    expect(listed).toEqual([...laws.map(({ title }) => title), lawOfEngines]);
  });

  it('has the law about the two engines, in the words of its test', () => {
    const [, test = ''] = rows.find(([law]) => law === lawOfEngines) ?? [];
    const [, file = ''] = /\]\(([^)]+)\)/.exec(test) ?? [];
    expect(readFileSync(new URL(file, docs), 'utf8')).toContain(lawOfEngines);
  });

  it('has a column for each mode, and names only existing codes', () => {
    const [, ...columns] = rows.find(([, first]) => first === '`approve_all`') ?? [];
    expect(columns).toEqual(modes.map((mode) => `\`${mode}\``));
    const codes = [
      'blocked',
      'denied',
      'unanswered',
      'strict',
      'wants_person',
      'bad_input',
      'unknown_tool',
      'undescribed',
      'unjudged',
      'unrecorded',
      'unsettled',
      'cannot',
    ];
    expect(codes.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
    expect(codes.filter((code) => !(refusalCodes as readonly string[]).includes(code))).toEqual([]);
  });
});

describe('docs/vocabulary.md', () => {
  it('lists the names, facts and words of the vocabulary in order', () => {
    const rows = rowsOf(textOf('vocabulary.md')).filter(
      ([name = '', facts, words]) =>
        /^`[a-z]+\.[a-z._]+`$/.test(name) && facts !== undefined && words !== undefined,
    );
    const listed = rows.map(([name = '', facts = '', words]) => ({
      name: name.slice(1, -1),
      facts: facts === '' ? [] : facts.split(', ').map((fact) => fact.replace(/[`?]/g, '')),
      words,
    }));
    expect(listed).toEqual(
      vocabulary.map(({ name, facts, words }) => ({ name, facts: Object.keys(facts), words })),
    );
  });
});

describe('docs/security.md', () => {
  it('says who is trusted, and what is and is not protected', () => {
    const headings = [...textOf('security.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(headings.slice(0, 3)).toEqual([
      'Who is trusted with what',
      'What is protected',
      'What is not protected',
    ]);
    expect(existsSync(new URL('../packages/core/test/guard', docs))).toBe(true);
  });
});
