import { defineCapability, defineTool, defineToolset, type Toolset } from '@ambit/core';
import * as z from 'zod';

const read = defineCapability({
  name: 'crm.contact.read',
  facts: { contact: 'text' },
  words: 'look up the contact {contact}',
});
const annotate = defineCapability({
  name: 'crm.contact.annotate',
  facts: { contact: 'text' },
  words: 'add a note to the contact {contact}',
});
const exportAll = defineCapability({
  name: 'crm.contact.export',
  facts: { format: 'text' },
  words: 'export every contact as {format}',
});

const contact = z.strictObject({ contact: z.string().min(1) });
const note = z.strictObject({ contact: z.string().min(1), text: z.string() });
const format = z.strictObject({ format: z.enum(['csv', 'json']) });

/** A toolset of our own: each tool states the facts of a call, and none says whether it may run. */
export function crm(): Toolset {
  const notes: string[] = [];
  return defineToolset({
    name: 'crm',
    capabilities: [read, annotate, exportAll],
    tools: [
      defineTool({
        name: 'find',
        description: 'Looks up a contact.',
        input: contact,
        describe: (args) => ({ capabilities: [read.of({ contact: args.contact })] }),
        execute: (args) => ({ contact: args.contact, city: 'Turku', notes }),
      }),
      defineTool({
        name: 'note',
        description: 'Adds a note to a contact.',
        input: note,
        describe: (args) => ({ capabilities: [annotate.of({ contact: args.contact })] }),
        execute: (args) => notes.push(args.text),
      }),
      defineTool({
        name: 'export',
        description: 'Exports every contact.',
        input: format,
        describe: (args) => ({ capabilities: [exportAll.of({ format: args.format })] }),
        execute: () => 'contact,city\nAalto,Turku\n',
      }),
    ],
  });
}
