import type { CodeDescription } from './code-description.js';

/** What can be wrong with a rule. */
export const ruleCodes = {
  BAD_FACT: {
    title: 'a fact cannot be one',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: { decision: blocked, match: { name: net.connect } }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net.connect: blocked
`,
    why: 'No fact is called `name`: it is the key that says what a rule is about. Facts that a policy adds are in canonical form, or they would count as missing.',
  },
  UNKNOWN_FACT: {
    title: 'a fact looks like a slip',
    avoid: `version: 1
default: needs_approval
capabilities:
  fs.write: { decision: pre_approved, match: { paht: ./out/** } }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  fs.write: { decision: pre_approved, match: { path: ./out/** } }
`,
    why: 'A pattern for a fact that the capability does not have leaves its rule undecided on every call.',
  },
  IMPOSSIBLE_PATTERN: {
    title: 'nothing can match a pattern',
    avoid: `version: 1
default: needs_approval
capabilities:
  fs.write: { decision: blocked, match: { path: secrets/** } }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  fs.write: { decision: blocked, match: { path: ./secrets/** } }
`,
    why: 'Facts are in canonical form: absolute paths without dots, hosts in lower case, ports as numbers. A block that can match nothing protects nothing.',
  },
  BAD_TIME: {
    title: 'a time is not RFC 3339',
    avoid: `version: 1
default: needs_approval
capabilities:
  net.connect: { decision: pre_approved, until: 20 November 2026 }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net.connect: { decision: pre_approved, until: 2099-01-01T00:00:00Z }
`,
    why: 'When a permission ends must not depend on who reads the date, nor on their time zone.',
  },
  BAD_CONDITION: {
    title: 'a condition has no one operator',
    avoid: `version: 1
default: needs_approval
capabilities:
  payment.send:
    decision: pre_approved
    when: { "<": [{ var: capability.amount }, 100], ">": [{ var: capability.amount }, 0] }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  payment.send:
    decision: pre_approved
    when: { and: [{ "<": [{ var: capability.amount }, 100] }, { ">": [{ var: capability.amount }, 0] }] }
`,
    why: 'JSON Logic takes an object with two keys for a plain value, which is true. Nobody who wrote one meant that.',
  },
  UNKNOWN_OPERATOR: {
    title: 'an operator is not known',
    avoid: `version: 1
default: needs_approval
capabilities:
  payment.send:
    decision: pre_approved
    when: { matches: [{ var: capability.to }, "^acct-"] }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  payment.send:
    decision: pre_approved
    when: { "==": [{ substr: [{ var: capability.to }, 0, 5] }, acct-] }
`,
    why: 'Conditions have the operators of JSON Logic that only look at a call, and two of our own, `under` and `cidr`.',
  },
  BAD_OPERANDS: {
    title: 'an operator cannot use its operands',
    avoid: `version: 1
default: needs_approval
capabilities:
  payment.send:
    decision: pre_approved
    when: { "<": [{ var: capability.amount }] }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  payment.send:
    decision: pre_approved
    when: { "<": [{ var: capability.amount }, 100] }
`,
    why: 'An operand too few or too many is dropped or invented by JSON Logic. Keys are written out, paths and blocks of addresses are canonical.',
  },
  UNKNOWN_NAME: {
    title: 'a condition reads what it cannot see',
    avoid: `version: 1
default: needs_approval
capabilities:
  payment.send:
    decision: pre_approved
    when: { "<": [{ var: amount }, 100] }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  payment.send:
    decision: pre_approved
    when: { "<": [{ var: capability.amount }, 100] }
`,
    why: 'A condition sees `capability`, `args`, `tool`, `toolset`, `worker`, `chain` and `context`. Anything else would be missing on every call.',
  },
  CAPABILITY_OUT_OF_SIGHT: {
    title: 'a rule about a tool reads a capability',
    avoid: `version: 1
default: needs_approval
tools:
  http.get:
    decision: blocked
    when: { "==": [{ var: capability.host }, a.example] }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net.connect:
    decision: blocked
    match: { host: a.example }
`,
    why: 'Rules under `tools:` speak about the call, which may carry several capabilities or none of that kind.',
  },
  EXAMPLE_FAILS: {
    title: 'an example does not hold',
    avoid: `version: 1
default: needs_approval
capabilities:
  fs.read:
    decision: blocked
    match: { path: "**/.env" }
    examples: { match: [{ path: /w/.env.local }] }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  fs.read:
    decision: blocked
    match: { path: ["**/.env", "**/.env.*"] }
    examples: { match: [{ path: /w/.env.local }] }
`,
    why: 'An example says what the rule is meant to do. When the two part, the rule is not what its author believes.',
  },
  EXAMPLE_UNDECIDED: {
    title: 'an example leaves its rule undecided',
    avoid: `version: 1
default: needs_approval
capabilities:
  fs.read:
    decision: blocked
    match: { path: "**/.env" }
    examples: { match: [{ mount: /w }] }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  fs.read:
    decision: blocked
    match: { path: "**/.env" }
    examples: { match: [{ path: /w/.env }] }
`,
    why: 'An example that lacks what the rule reads shows nothing. A fact that is not in canonical form counts as missing.',
  },
  PERMISSIVE_COMBINATION: {
    title: 'a combination pre-approves',
    avoid: `version: 1
default: needs_approval
together:
  - capabilities: [fs.read, fs.write]
    decision: pre_approved
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  fs.read: pre_approved
  fs.write: pre_approved
`,
    why: 'A permission speaks about one capability, whatever else a call carries. What is permitted only in company would be permitted by whoever adds the company.',
  },
  REPEATED_MEMBER: {
    title: 'a combination lists the same twice',
    avoid: `version: 1
default: needs_approval
capabilities: { proc.exec.opaque: needs_approval }
together:
  - capabilities: [secret.read, secret.read]
    decision: blocked
`,
    prefer: `version: 1
default: needs_approval
capabilities: { proc.exec.opaque: needs_approval }
together:
  - capabilities: [secret.read, net.connect]
    decision: blocked
`,
    why: 'One capability is enough for both, so nothing is counted: the second adds nothing, and was probably meant to be another.',
  },
  REFUTED_INVARIANT: {
    title: 'an invariant does not hold',
    avoid: `version: 1
default: needs_approval
capabilities: { secret.read: pre_approved, net.connect: pre_approved }
invariants:
  - id: nothing-leaves
    capabilities: [secret.read, net.connect]
    never: pre_approved
`,
    prefer: `version: 1
default: needs_approval
capabilities: { secret.read: pre_approved, net.connect: pre_approved, proc.exec.opaque: blocked }
together:
  - capabilities: [secret.read, net.connect]
    decision: blocked
invariants:
  - id: nothing-leaves
    capabilities: [secret.read, net.connect]
    never: pre_approved
`,
    why: 'An invariant changes no decision: it says what its author relies on, and this is not so. The call that is shown was decided, and runs, by rule or by the grant that it is shown with.',
  },
  UNSETTLED_INVARIANT: {
    title: 'an invariant is not settled',
    avoid: `version: 1
default: needs_approval
capabilities:
  pay:
    decision: pre_approved
    when: { "<": [{ "*": [{ var: [capability.a, 1] }, { var: [capability.a, 1] }] }, -1] }
invariants: [{ id: never-pays, capabilities: [pay], never: pre_approved }]
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  pay:
    decision: needs_approval
    answer: person
invariants: [{ id: never-pays, capabilities: [pay], never: pre_approved }]
`,
    why: 'Conditions that calculate, or compare one fact with another, cannot be cut into cells, and some policies cut calls into more cells than can be looked at. `check` says so, and names the rules, rather than let a claim that nobody has proved pass for one that holds.',
  },
} as const satisfies Readonly<Record<string, CodeDescription>>;
