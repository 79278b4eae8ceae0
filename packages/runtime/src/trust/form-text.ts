import type { CheckedForm, WrittenRule } from '@ambit/policy';

interface Kept {
  readonly key: string;
  readonly form: CheckedForm;
}

/** As JSON without default values of rules, which makes it five times shorter. */
export function formText({ key, form }: Kept): string {
  const { document } = form;
  const rules = document.rules.map((rule) => shortOf(rule, document.name));
  return JSON.stringify({ key, form: { ...form, document: { ...document, rules } } });
}

/** Throws for any other text. */
export function formIn(text: string): Kept {
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

/** The place as line and column, and the members that differ from a default rule. */
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
