import type { CodeDescription } from './code-description.js';

/** What can be wrong with the sections of a policy. */
export const policyCodes = {
  WRONG_TYPE: {
    title: 'a value is of the wrong type',
    avoid: `version: 1
default: needs_approval
capabilities: [net]
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: blocked
`,
    why: 'A value that was bent into the right type would be a guess about what its author meant.',
  },
  MISSING_KEY: {
    title: 'a key is missing',
    avoid: `version: 1
`,
    prefer: `version: 1
default: needs_approval
`,
    why: 'What a policy says about everything that it does not name is for its author to say.',
  },
  UNKNOWN_KEY: {
    title: 'a key is not known',
    avoid: `version: 1
default: needs_approval
capabilites:
  net: blocked
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: blocked
`,
    why: 'A rule under a key that nobody reads protects nothing.',
  },
  EMPTY_SECTION: {
    title: 'a section is empty',
    avoid: `version: 1
default: needs_approval
capabilities:
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: blocked
`,
    why: 'A section with nothing in it is mostly one whose lines slipped: wrong indentation, or a comment too many.',
  },
  UNKNOWN_VERSION: {
    title: 'the version is not known',
    avoid: `version: 2
default: needs_approval
`,
    prefer: `version: 1
default: needs_approval
`,
    why: 'A file written for another version may mean something else by the same words.',
  },
  UNKNOWN_DECISION: {
    title: 'a decision is not known',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: deny
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: blocked
`,
    why: 'There are three decisions, and each has one spelling.',
  },
  UNKNOWN_VALUE: {
    title: 'a word is not one of the list',
    avoid: `version: 1
default: needs_approval
grants: { remember: forever }
`,
    prefer: `version: 1
default: needs_approval
grants: { remember: always }
`,
    why: 'What is not understood would have to be guessed.',
  },
  NOT_YET: {
    title: 'a part of the language comes later',
    avoid: `version: 1
default: needs_approval
together:
  - capabilities: [secret.read, net.connect]
    decision: blocked
    examples: { match: [{ host: a.example }] }
`,
    prefer: `version: 1
default: needs_approval
capabilities: { proc.exec.opaque: needs_approval }
together:
  - capabilities: [secret.read, net.connect]
    decision: blocked
`,
    why: 'What this version does not act on must not look as if it did.',
  },
  MISPLACED_KEY: {
    title: 'a key has no meaning here',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: { decision: blocked, below: true }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: { decision: blocked }
`,
    why: 'A key without effect misleads whoever reads the rule: restrictions cover what is below them anyway and do not run out, and rules about tools see no facts.',
  },
  BAD_ID: {
    title: 'an id is not usable',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: { decision: blocked, id: "no network" }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: { decision: blocked, id: no-network }
`,
    why: 'Ids stand in logs, on screens and in tests, between other words.',
  },
  DUPLICATE_ID: {
    title: 'two rules have one id',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: { decision: blocked, id: mine }
  fs.delete: { decision: blocked, id: mine }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: { decision: blocked, id: no-network }
  fs.delete: { decision: blocked, id: no-deleting }
`,
    why: 'A log that names a rule has to name one.',
  },
  BAD_CAPABILITY_NAME: {
    title: 'a capability name cannot be one',
    avoid: `version: 1
default: needs_approval
capabilities:
  fs.*: blocked
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  fs: blocked
`,
    why: 'Names are lower-case words with dots between. There are no wildcards: a restriction covers what is under its name anyway.',
  },
  UNKNOWN_CAPABILITY: {
    title: 'a capability name looks like a slip',
    avoid: `version: 1
default: needs_approval
capabilities:
  fs.wirte: blocked
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  fs.write: blocked
`,
    why: 'A rule about a name that no tool reports protects nothing. It is a warning only, because names of your own are fine.',
  },
  BAD_TOOL_NAME: {
    title: 'a tool name cannot be one',
    avoid: `version: 1
default: needs_approval
tools: { shell: blocked }
`,
    prefer: `version: 1
default: needs_approval
tools: { shell.*: blocked }
`,
    why: 'Tools are named with their toolset. A name without one would match nothing.',
  },
  BAD_WORKER_NAME: {
    title: 'a worker name cannot be one',
    avoid: `version: 1
default: needs_approval
workers: { Evaluator: { capabilities: { net: blocked } } }
`,
    prefer: `version: 1
default: needs_approval
workers: { evaluator: { capabilities: { net: blocked } } }
`,
    why: 'No worker can have that name, so the rules would hold for nobody.',
  },
} as const satisfies Readonly<Record<string, CodeDescription>>;
