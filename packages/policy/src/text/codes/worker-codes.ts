import type { CodeDescription } from './code-description.js';

/** What can be wrong with a worker file, or a script of models, that cannot be wrong with a policy. The examples are worker files. */
export const workerCodes = {
  NO_INSTRUCTIONS: {
    title: 'a worker file has no instructions',
    avoid: `description: Reads a folder
toolsets: { filesystem: {} }
`,
    prefer: `description: Reads a folder
toolsets: { filesystem: {} }
---
List the folder.
`,
    why: 'What stands above the line `---` is for the runtime, what stands below it for the model. Without the line nobody knows which is which.',
  },
  UNKNOWN_TOOLSET: {
    title: 'a toolset is not known',
    avoid: `toolsets: { filesytem: {} }
---
List the folder.
`,
    prefer: `toolsets: { filesystem: {} }
---
List the folder.
`,
    why: 'A key under `toolsets` is a built-in toolset, a module, an instance that a program gives, or another worker of the same folder.',
  },
  UNKNOWN_TOOL: {
    title: 'an approval is about a tool that is not there',
    avoid: `toolsets:
  filesystem: { approvals: { write: needs_approval } }
---
Write a report.
`,
    prefer: `toolsets:
  filesystem: { approvals: { write_file: needs_approval } }
---
Write a report.
`,
    why: 'A restriction of a tool that does not exist restricts nothing, and looks as if it did.',
  },
  TWO_TOOLS: {
    title: 'two tools of a worker have one name',
    avoid: `toolsets: { filesystem: {}, read_file: {} }
---
Read the report.
`,
    prefer: `toolsets: { filesystem: {}, reader: {} }
---
Read the report.
`,
    why: 'A model knows a tool by its name alone, so one of the two could never be called. Here `read_file` would be a worker, and the tool of `filesystem`.',
  },
  UNKNOWN_WORKER: {
    title: 'a worker is not known',
    avoid: `toolsets:
  delegation: { allow_workers: [raeder] }
---
Hand the task on.
`,
    prefer: `toolsets:
  delegation: { allow_workers: [reader] }
---
Hand the task on.
`,
    why: 'Workers call workers of their own folder, by the name of the file without `.worker`.',
  },
  BAD_MODEL: {
    title: 'a model is not known',
    avoid: `model: claude-sonnet-4-5
---
Answer.
`,
    prefer: `model: anthropic:claude-sonnet-4-5
---
Answer.
`,
    why: 'A model is `anthropic:NAME`, or `script:FILE` for one that says what a file says.',
  },
  BAD_SCHEMA: {
    title: 'a schema cannot be used',
    avoid: `input:
  type: object
  properties: { code: { type: string, pattern: "^(a+)+$" } }
---
Answer.
`,
    prefer: `input:
  type: object
  properties: { code: { type: string, maxLength: 20 } }
---
Answer.
`,
    why: 'A part of a schema that is not understood would let anything pass, and a regular expression can take longer than anybody waits.',
  },
  BAD_VALUE: {
    title: 'a value is not one that can be used',
    avoid: `max_depth: 0
---
Answer.
`,
    prefer: `max_depth: 1
---
Answer.
`,
    why: 'A limit that nothing can keep to, or a suffix without its dot, is mostly a slip, and would change what is allowed in silence.',
  },
} as const satisfies Readonly<Record<string, CodeDescription>>;
