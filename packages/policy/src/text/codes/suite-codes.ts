import type { CodeDescription } from './code-description.js';

/** What can be wrong with a suite of cases that cannot be wrong with a policy. The examples are suites. */
export const suiteCodes = {
  NOTHING_TESTED: {
    title: 'a suite tests nothing',
    avoid: `policy: policy.yaml
cases: []
`,
    prefer: `policy: policy.yaml
cases:
  - name: nothing leaves
    call: { tool: http.get, capabilities: [net.connect] }
    expect: blocked
`,
    why: 'A suite without a case, or with nothing but skipped ones, passes whatever the policy says.',
  },
  NOTHING_EXPECTED: {
    title: 'a case expects nothing',
    avoid: `policy: policy.yaml
cases:
  - name: nothing leaves
    call: { tool: http.get, capabilities: [net.connect] }
    expect: {}
`,
    prefer: `policy: policy.yaml
cases:
  - name: nothing leaves
    call: { tool: http.get, capabilities: [net.connect] }
    expect: { decision: blocked }
`,
    why: 'A case that expects nothing cannot fail.',
  },
  IMPOSSIBLE_EXPECTATION: {
    title: 'no decision can be as expected',
    avoid: `policy: policy.yaml
cases:
  - name: nothing leaves
    call: { tool: http.get, capabilities: [net.connect] }
    expect: { decision: blocked, answer: person }
`,
    prefer: `policy: policy.yaml
cases:
  - name: a person is asked
    call: { tool: payment.send, capabilities: [payment.send] }
    expect: { decision: needs_approval, answer: person }
`,
    why: 'Only a question has somebody who answers it.',
  },
  UNKNOWN_RULE: {
    title: 'a case expects a rule that no policy has',
    avoid: `policy: policy.yaml
cases:
  - name: nothing leaves
    call: { tool: http.get, capabilities: [net.connect] }
    expect: { decision: blocked, rules: [no-nte] }
`,
    prefer: `policy: policy.yaml
cases:
  - name: nothing leaves
    call: { tool: http.get, capabilities: [net.connect] }
    expect: { decision: blocked, rules: [no-net] }
`,
    why: 'A rule that is not there is a slip in the case, or was renamed; the policy is not to blame.',
  },
  DUPLICATE_CASE: {
    title: 'two cases are one',
    avoid: `policy: policy.yaml
cases:
  - name: nothing leaves
    call: { tool: http.get, capabilities: [net.connect] }
    expect: blocked
  - name: nothing leaves
    call: { tool: http.post, capabilities: [net.connect] }
    expect: blocked
`,
    prefer: `policy: policy.yaml
cases:
  - name: nothing leaves through {tool}
    for: { tool: [http.get, http.post] }
    call: { tool: "{tool}", capabilities: [net.connect] }
    expect: blocked
`,
    why: 'A report names cases, so a name stands for one; and a call that is tested twice was meant to be another one.',
  },
  UNKNOWN_PLACEHOLDER: {
    title: 'a placeholder has no value',
    avoid: `policy: policy.yaml
cases:
  - name: nothing leaves
    for: { tool: [http.get, http.post] }
    call: { tool: "{tol}", capabilities: [net.connect] }
    expect: blocked
`,
    prefer: `policy: policy.yaml
cases:
  - name: nothing leaves
    for: { tool: [http.get, http.post] }
    call: { tool: "{tool}", capabilities: [net.connect] }
    expect: blocked
`,
    why: 'Left as it stands it would test a call that nobody makes. `{{tool}}` is the text itself, and a `$` in front leaves braces alone too.',
  },
  UNUSED_PLACEHOLDER: {
    title: 'the values of a placeholder are put in nowhere',
    avoid: `policy: policy.yaml
cases:
  - name: nothing leaves
    for: { tool: [http.get, http.post] }
    call: { tool: http.get, capabilities: [net.connect] }
    expect: blocked
`,
    prefer: `policy: policy.yaml
cases:
  - name: nothing leaves
    for: { tool: [http.get, http.post] }
    call: { tool: "{tool}", capabilities: [net.connect] }
    expect: blocked
`,
    why: 'The same call would be tested again and again, and the ones that were meant not at all.',
  },
  BAD_PLACEHOLDER: {
    title: 'a placeholder cannot be put in',
    avoid: `policy: policy.yaml
cases:
  - name: nothing leaves
    for: { tool: [http.get, http.post] }
    call: { tool: {tool}, capabilities: [net.connect] }
    expect: blocked
`,
    prefer: `policy: policy.yaml
cases:
  - name: nothing leaves
    for: { tool: [http.get, http.post] }
    call: { tool: "{tool}", capabilities: [net.connect] }
    expect: blocked
`,
    why: 'YAML reads braces without quotes as a map. Within a longer text only text, numbers and booleans can be put in.',
  },
  TOO_MANY_CASES: {
    title: 'a suite has too many cases',
    avoid: `# a suite whose \`for:\` makes more than 10000 cases
`,
    prefer: `policy: policy.yaml
cases:
  - name: nothing leaves
    call: { tool: http.get, capabilities: [net.connect] }
    expect: blocked
`,
    why: 'Every combination of several lists is a case, and lists multiply faster than anybody waits.',
  },
  BAD_CALL: {
    title: 'a call cannot be judged',
    avoid: `policy: policy.yaml
cases:
  - name: writing is a question
    call: { tool: filesystem.write_file, args: { file: a.md } }
    expect: needs_approval
`,
    prefer: `policy: policy.yaml
cases:
  - name: writing is a question
    call: { tool: filesystem.write_file, args: { path: a.md, content: x } }
    expect: needs_approval
`,
    why: 'The tool does not take such arguments, so no model can make this call, and a case about it says nothing.',
  },
} as const satisfies Readonly<Record<string, CodeDescription>>;
