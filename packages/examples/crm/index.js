import { cannot, defineCapability, defineTool, defineToolset, unknown } from '@ambit/core';
import * as z from 'zod';
import { file, readContacts, writeContacts } from './contacts.js';

const read = defineCapability({
  name: 'crm.contact.read',
  facts: { query: 'text' },
  words: 'look up contacts by {query}',
});

const changed = defineCapability({
  name: 'crm.contact.change',
  facts: { contact: 'text', what: 'text' },
  words: 'change the {what} of the contact {contact}',
});

const exported = defineCapability({
  name: 'crm.contact.export',
  facts: { format: 'text', count: 'number' },
  words: 'hand out {count} contacts as {format}',
});

const readsFile = () => ({ name: 'fs.read', path: file() });

const find = defineTool({
  name: 'find',
  description: 'Finds contacts whose name or address has a text in it.',
  input: z.strictObject({ query: z.string().min(1) }),
  describe: ({ query }) => ({ capabilities: [read.of({ query }), readsFile()] }),
  execute: async ({ query }) => {
    const contacts = await readContacts();
    return contacts.filter(({ name, email }) => `${name} ${email}`.includes(query));
  },
});

const note = defineTool({
  name: 'note',
  description: 'Adds a note to a contact, and the contact where there is none of that address.',
  input: z.strictObject({ email: z.email(), text: z.string().min(1) }),
  summary: ({ email, text }) => `add a note of ${text.length} characters to ${email}`,
  describe: ({ email }) => {
    const what = [
      changed.of({ contact: email, what: 'notes' }),
      readsFile(),
      { name: 'fs.write', path: file() },
    ];
    if (email.endsWith('.invalid')) return cannot('nobody has an address that ends in .invalid', what);
    return { capabilities: what };
  },
  execute: async ({ email, text }) => {
    const contacts = await readContacts();
    const known = contacts.find((contact) => contact.email === email);
    if (known === undefined) contacts.push({ name: email, email, notes: [text] });
    else known.notes.push(text);
    await writeContacts(contacts);
    return { email, notes: known?.notes.length ?? 1 };
  },
});

const exporting = defineTool({
  name: 'export',
  description: 'Gives all contacts, or the first of them, as JSON or CSV.',
  input: z.strictObject({ format: z.enum(['json', 'csv']), first: z.int().min(1).max(1000).optional() }),
  describe: ({ format, first }) => {
    // The most that it may be: how many there are shows only when the file is read.
    const count = first ?? unknown('it is all that are there then');
    return { capabilities: [exported.of({ format, count }), readsFile()] };
  },
  execute: async ({ format, first }) => {
    const contacts = (await readContacts()).slice(0, first);
    if (format === 'json') return JSON.stringify(contacts);
    return contacts.map(({ name, email }) => [name, email].map(cell).join(',')).join('\n');
  },
});

/** A cell of a CSV file that no spreadsheet takes for a formula. */
function cell(text) {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}

export default defineToolset({
  name: 'crm',
  tools: [find, note, exporting],
  capabilities: [read, changed, exported],
});

/** Calls that `ambit toolset check --execute` makes, in this order. */
export const examples = {
  find: [{ query: 'ada' }],
  note: [{ email: 'ada@example.org', text: 'likes engines' }],
  export: [{ format: 'csv' }, { format: 'json', first: 1 }],
};
