import type { CodeDescription } from './code-description.js';

/** What lint says about a policy that loads: it is probably a mistake, and decides as it always would. */
export const lintCodes = {
  SHADOWED_RULE: {
    title: 'a rule never decides anything',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: blocked
  net.connect: needs_approval
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: blocked
`,
    why: 'Wherever it applies, another rule says as much or is stricter, so whoever reads it believes something that never happens. The order of rules means nothing: an exception is written inside the stricter rule, under `except`.',
  },
  REPEATED_RULE: {
    title: 'two rules say the same',
    avoid: `version: 1
default: needs_approval
capabilities:
  fs.write:
    - { decision: blocked, match: { path: "**/.env" } }
    - { decision: blocked, match: { path: "**/.env" } }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  fs.write:
    - { decision: blocked, match: { path: "**/.env" } }
`,
    why: 'Who changes one of them changes nothing. What a worker may not, although nobody may, is left alone: that is repeated on purpose.',
  },
  OVERRIDDEN_PERMISSION: {
    title: 'a permission is always overridden',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: blocked
  net.connect: { decision: pre_approved, match: { host: a.example } }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net.listen: blocked
  net.connect:
    - { decision: blocked, except: { host: a.example } }
    - { decision: pre_approved, match: { host: a.example } }
`,
    why: 'The strictest rule that applies wins, and a restriction covers everything under its name. What is to run is excepted in the restriction itself.',
  },
  NEEDLESS_RULE: {
    title: 'a rule says what the default says',
    avoid: `version: 1
default: blocked
capabilities:
  fs.read: pre_approved
  net: blocked
`,
    prefer: `version: 1
default: blocked
capabilities:
  fs.read: pre_approved
`,
    why: 'Without it every call is decided the same: no other rule is less strict about anything under this name. A rule with a `reason` of its own is no repetition.',
  },
  BARE_PERMISSION: {
    title: 'a permission is for a name that nothing reports',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: pre_approved
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net.connect: pre_approved
`,
    why: 'A permission covers its name alone. `net` is only the family of `net.connect` and `net.listen`; a call carries one of these.',
  },
  CONSTANT_CONDITION: {
    title: 'a condition is the same for every call',
    avoid: `version: 1
default: needs_approval
capabilities:
  payment.send:
    decision: pre_approved
    when: { and: [{ "<": [{ var: capability.amount }, 10] }, { ">": [{ var: capability.amount }, 100] }] }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  payment.send:
    decision: pre_approved
    when: { and: [{ ">": [{ var: capability.amount }, 10] }, { "<": [{ var: capability.amount }, 100] }] }
`,
    why: 'A condition that is always true says nothing, and one that never is makes a rule that never applies for certain. One that is always undecided, a sum for instance, restricts always and permits never.',
  },
  NEVER_APPLIES: {
    title: 'an exception takes everything away again',
    avoid: `version: 1
default: needs_approval
capabilities:
  fs.write:
    - { decision: pre_approved, match: { path: ./out/** }, except: { path: ./** } }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  fs.write:
    - { decision: pre_approved, match: { path: ./out/** }, except: { path: ./out/.git/** } }
`,
    why: 'Whatever `match` covers, `except` covers too. Such a permission permits nothing; such a restriction counts only where a fact is missing.',
  },
  IDLE_EXCEPTION: {
    title: 'an exception takes nothing away',
    avoid: `version: 1
default: needs_approval
capabilities:
  fs.write:
    - { decision: pre_approved, match: { path: ./out/** }, except: { path: ./src/** } }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  fs.write:
    - { decision: pre_approved, match: { path: ./** }, except: { path: ./src/** } }
`,
    why: 'Nothing is covered by both patterns, so the exception protects nothing, and looks as if it did.',
  },
  FOREIGN_FACT: {
    title: 'a condition asks for a fact that the capability does not have',
    avoid: `version: 1
default: needs_approval
capabilities:
  fs.write: { decision: pre_approved, when: { under: [{ var: capability.pth }, ./out] } }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  fs.write: { decision: pre_approved, when: { under: [{ var: capability.path }, ./out] } }
`,
    why: 'A fact that is never there leaves the condition undecided: the permission permits nothing, a restriction restricts everything. Capabilities of your own have the facts that you give them, and are not looked at.',
  },
  NO_SUCH_PROGRAM: {
    title: 'a pattern for `program` holds arguments',
    avoid: `version: 1
default: needs_approval
capabilities:
  proc.exec: { decision: pre_approved, match: { program: "git *" } }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  proc.exec:
    decision: pre_approved
    match: { program: git }
    when: { in: [{ var: capability.argv.1 }, [status, log, diff]] }
`,
    why: 'The fact `program` is a bare name, or an absolute path. Such a pattern never matches: the permission permits nothing, the restriction restricts nothing.',
  },
  NO_SUCH_TOOL: {
    title: 'a tool is named that a built-in toolset does not have',
    avoid: `version: 1
default: needs_approval
tools: { filesystem.write_fil: blocked }
`,
    prefer: `version: 1
default: needs_approval
tools: { filesystem.write_file: blocked }
`,
    why: 'A rule about a tool that is not there is about nothing. Toolsets of your own are not looked at.',
  },
  OVERRIDING_GRANT: {
    title: 'a permission of a tool answers the questions of stricter rules',
    avoid: `version: 1
default: blocked
capabilities:
  proc.exec: needs_approval
tools:
  shell.run: pre_approved
`,
    prefer: `version: 1
default: blocked
capabilities:
  proc.exec: { decision: needs_approval, answer: person }
`,
    why: 'Under `tools`, `pre_approved` is a standing answer to all that this file asks about the tool’s calls, whatever the question is. The rules that it answers are listed.',
  },
  OPEN_DEFAULT: {
    title: 'whatever no rule speaks about passes',
    avoid: `version: 1
default: pre_approved
capabilities:
  net: blocked
  proc.exec.opaque: blocked
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  fs.read: pre_approved
  net: blocked
`,
    why: 'The next tool that somebody adds would run unasked. `ambit run` and `ambit decide` refuse policies that all say so, unless they are asked for with `--open`.',
  },
  AMPLIFIES: {
    title: 'a worker that may be called without a question may do more than its caller',
    avoid: `version: 1
default: needs_approval
capabilities:
  worker.call: pre_approved
workers:
  clerk: { capabilities: { fs.write: pre_approved } }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  worker.call: needs_approval
workers:
  clerk: { capabilities: { fs.write: pre_approved } }
`,
    why: 'What the caller has to ask for, it gets by having the other do it. That can be just what is wanted, as long as somebody has seen it: the call that shows it is in the message.',
  },
  UNTIL_PAST: {
    title: 'a permission has ended',
    avoid: `version: 1
default: needs_approval
capabilities:
  net.connect: { decision: pre_approved, match: { host: a.example }, until: 2026-01-01T00:00:00Z }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net.connect: { decision: pre_approved, match: { host: a.example } }
`,
    why: 'From the instant under `until` the rule permits nothing. What looks like a permission in the file is none any more.',
  },
  UNTIL_NEAR: {
    title: 'a permission ends within two weeks',
    avoid: `version: 1
default: needs_approval
capabilities:
  net.connect: { decision: pre_approved, match: { host: a.example }, until: 2026-11-30T00:00:00Z }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net.connect: { decision: pre_approved, match: { host: a.example }, until: 2099-01-01T00:00:00Z }
`,
    why: 'What runs today will ask, or be blocked, when the time has come. Better now than then.',
  },
  OBSERVED_LONG: {
    title: 'a rule is still only observed',
    avoid: `version: 1
default: needs_approval
capabilities:
  net: { decision: blocked, observe: true, observed_since: 2026-01-15T00:00:00Z }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  net: blocked
`,
    why: 'A rule that is observed decides nothing, and looks in the file as if it did. After a month of `observed_since` it is either wanted or not. A rule that does not say since when is left alone.',
  },
  OPACITY_NOT_DECIDED: {
    title: 'a policy does not speak about opaque programs',
    avoid: `version: 1
default: needs_approval
together:
  - { decision: blocked, within: run, capabilities: [secret.read, net.connect] }
`,
    prefer: `version: 1
default: needs_approval
capabilities:
  proc.exec.opaque: needs_approval
together:
  - { decision: blocked, within: run, capabilities: [secret.read, net.connect] }
`,
    why: 'What a build, a test runner, an interpreter or an unknown program does is unknown before it runs: the call carries `proc.exec.opaque` and nothing else about it. Such a program could do the other part of a combination, and no rule would see it. `below: true` on `proc` or `proc.exec` permits such programs too. A file with `default: pre_approved` that restricts something judges them `needs_approval` as long as it has no rule for `proc.exec.opaque` itself: otherwise `npm install` would bypass `net: blocked`. A rule for `proc.exec.opaque`, for everybody, says what is meant.',
  },
} as const satisfies Readonly<Record<string, CodeDescription>>;
