import type { CodeDescription } from './code-description.js';

/** What can be wrong with a file, whatever it says. */
export const fileCodes = {
  CANNOT_READ: {
    title: 'a file cannot be read',
    avoid: `version: 1
default: needs_approval
extends: [missing.yaml]
`,
    prefer: `version: 1
default: needs_approval
extends: [org.yaml]
`,
    why: 'A layer that is left out because its file is missing would leave its blocks out too, so nothing runs until it is there.',
  },
  EXTENDS_CYCLE: {
    title: 'a file extends itself',
    avoid: `version: 1
default: needs_approval
extends: [policy.yaml]
`,
    prefer: `version: 1
default: needs_approval
extends: [org.yaml]
`,
    why: 'Every file judges once, however often it is named. A circle adds nothing, and mostly means that a path is wrong.',
  },
  EXTENDS_TOO_DEEP: {
    title: 'files extend one another too deep',
    avoid: `version: 1
default: needs_approval
extends: [deep/0.yaml]
`,
    prefer: `version: 1
default: needs_approval
extends: [org.yaml]
`,
    why: 'Nobody can see what judges a call through more than twenty files in a row.',
  },
  NOT_UTF8: {
    title: 'a file is not UTF-8',
    avoid: `# a file that an editor saved as Latin-1
`,
    prefer: `version: 1
default: needs_approval
`,
    why: 'What a program guesses about bytes is not what the author saw.',
  },
  FILE_TOO_LARGE: {
    title: 'a file is larger than 8 MB',
    avoid: `# a file of nine megabytes
`,
    prefer: `version: 1
default: needs_approval
`,
    why: 'Larger files take more memory and time to compose than a start should; nobody reads them either.',
  },
  EMPTY_FILE: {
    title: 'a file says nothing',
    avoid: `# nothing but comments
`,
    prefer: `version: 1
default: needs_approval
`,
    why: 'An empty policy would be a silent default. A policy says what its default is.',
  },
  SYNTAX: {
    title: 'a file is not YAML',
    avoid: `version: 1
default: needs_approval
capabilities: { net: blocked
`,
    prefer: `version: 1
default: needs_approval
capabilities: { net: blocked }
`,
    why: 'A file that was mended by guessing would be another policy than the one that was written.',
  },
  CONTROL_CHARACTER: {
    title: 'a file holds a control, bidirectional or invisible character',
    avoid: `# a file with an escape character in it
`,
    prefer: `version: 1
default: needs_approval
`,
    why: 'They make a file look like another one on a screen. In a text in double quotes an escape says the same, and everybody sees it.',
  },
  SEVERAL_DOCUMENTS: {
    title: 'a file holds several documents',
    avoid: `version: 1
default: needs_approval
---
version: 1
default: needs_approval
`,
    prefer: `version: 1
default: needs_approval
`,
    why: 'One file is one policy: of two documents, one would be left out.',
  },
  DIRECTIVE: {
    title: 'a file begins with a directive',
    avoid: `%TAG ! tag:example.com,2026:
---
version: 1
default: needs_approval
`,
    prefer: `version: 1
default: needs_approval
`,
    why: 'Directives change what the rest of a file means.',
  },
  TAG: {
    title: 'a value has a tag',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: !!str blocked
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: blocked
`,
    why: 'A tag makes a value into something else than it looks like.',
  },
  TOO_DEEP: {
    title: 'values are nested too deep',
    avoid: `# a hundred and one brackets inside one another
`,
    prefer: `version: 1
default: needs_approval
`,
    why: 'Deeper nesting is no policy but an attack on whoever reads it.',
  },
  BAD_ALIAS: {
    title: 'an alias has no anchor',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: *strict
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: &strict blocked
  fs.delete: *strict
`,
    why: 'An alias stands for the value with its anchor, earlier in the same file, and never for one that it is in itself.',
  },
  TOO_MANY_ALIASES: {
    title: 'aliases stand for too much',
    avoid: `# aliases of lists of aliases, ten levels of ten
`,
    prefer: `version: 1
default: needs_approval
`,
    why: 'A few lines of aliases can stand for more values than a machine has room for.',
  },
  MERGE_KEY: {
    title: 'a merge key is used',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: &strict { decision: blocked }
  fs.delete: { <<: *strict, reason: not here }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: { decision: blocked }
  fs.delete: { decision: blocked, reason: not here }
`,
    why: 'What a rule says would be the outcome of a computation that readers do differently. Plain aliases of whole values are fine.',
  },
  DUPLICATE_KEY: {
    title: 'a key is there twice',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: blocked
  net: needs_approval
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net:
    - needs_approval
    - { decision: blocked, match: { port: 25 }, note: the strictest wins }
`,
    why: 'Of two values for one key, one would be dropped without a word. Several rules for one name go into a list.',
  },
  KEY_NOT_TEXT: {
    title: 'a key is not text',
    avoid: `version: 1
default: needs_approval
capabilities:
  true: blocked
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: blocked
`,
    why: 'Keys are names. `true`, `1`, a list or a map is none.',
  },
  RESERVED_KEY: {
    title: 'a key is `__proto__`',
    avoid: `version: 1
default: needs_approval
__proto__: {}
`,
    prefer: `version: 1
default: needs_approval
`,
    why: 'This key means something else to many programs that read the same file.',
  },
  BAD_TEXT: {
    title: 'a text is empty or broken',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: { decision: blocked, reason: "" }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: { decision: blocked, reason: nothing leaves this machine }
`,
    why: 'A reason, an id or a path that is empty says nothing, and half of a character cannot be recorded.',
  },
  BAD_NUMBER: {
    title: 'a number cannot be kept exactly',
    avoid: `version: 1
default: needs_approval
capabilities:
  payment.send: { decision: pre_approved, match: { amount: 12345678901234567890 } }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  payment.send: { decision: pre_approved, match: { amount: 1234567890 } }
`,
    why: 'A number with too many digits loses its last ones, and one that is too small becomes zero. The rule would speak about another number than the one written.',
  },
  TOO_MANY_PROBLEMS: {
    title: 'there is more than can be shown',
    avoid: `# a file with some hundred mistakes
`,
    prefer: `version: 1
default: needs_approval
`,
    why: 'After two hundred mistakes the file is most likely no policy.',
  },
} as const satisfies Readonly<Record<string, CodeDescription>>;
