/** A package with a toolset of one tool that keeps the rules: the text of each file by its name. */
export function starterToolset(name: string, version: string): Readonly<Record<string, string>> {
  const capability = `${name.replaceAll('-', '_')}.greeting`;
  return {
    'package.json': `${JSON.stringify(manifest(name, version), null, 2)}\n`,
    'index.js': code(name, capability),
    'index.test.js': test(name),
    'policy.yaml': policy(capability),
    'policy.test.yaml': suite(name),
    'README.md': readme(name, capability),
  };
}

function manifest(name: string, version: string) {
  return {
    name: `${name}-toolset`,
    version: '0.1.0',
    description: `The toolset ${name}: facts about calls, and no opinion`,
    type: 'module',
    engines: { node: '>=20.19' },
    exports: './index.js',
    files: ['index.js'],
    scripts: {
      test: 'vitest run',
      check: 'ambit toolset check ./index.js --execute',
      judge: 'ambit test --toolset ./index.js',
      readme: 'ambit toolset describe ./index.js --write',
    },
    dependencies: { '@ambit/core': version, zod: '^4.6.7' },
    devDependencies: { '@ambit/cli': version, '@ambit/toolsets': version, vitest: '^4.1.12' },
  };
}

function code(name: string, capability: string): string {
  return `import { defineCapability, defineTool, defineToolset } from '@ambit/core';
import * as z from 'zod';

/** A fact about a call. Names of your own begin with a word of your own. */
const greeting = defineCapability({
  name: '${capability}',
  facts: { to: 'text' },
  words: 'greet {to}',
});

const greet = defineTool({
  name: 'greet',
  description: 'Greets a person.',
  input: z.strictObject({ to: z.string().min(1) }),
  // Everything that the call can do. It has no effect, and is the same for the same call.
  describe: ({ to }) => ({ capabilities: [greeting.of({ to })] }),
  // Does only what was described.
  execute: ({ to }) => \`hello \${to}\`,
});

export default defineToolset({ name: '${name}', tools: [greet], capabilities: [greeting] });

/** Calls that the check executes, really. */
export const examples = { greet: [{ to: 'ada' }] };
`;
}

function test(name: string): string {
  return `// First: it watches what later modules take from Node.
import { conformance } from '@ambit/toolsets/testing';
import { describe, it } from 'vitest';
import toolset, { examples } from './index.js';

describe('${name}', () => {
  for (const { title, check } of conformance(toolset, { examples, execute: true })) it(title, check);
});
`;
}

function policy(capability: string): string {
  return `version: 1
default: needs_approval
capabilities:
  ${capability}: pre_approved
`;
}

function suite(name: string): string {
  return `policy: policy.yaml
cases:
  - name: a greeting runs
    call: { tool: ${name}.greet, args: { to: ada } }
    expect: { decision: pre_approved }
`;
}

function readme(name: string, capability: string): string {
  return `# ${name}

A toolset: it reports what each call can do, and its users decide by a policy.

| tool | reports | meaning |
|---|---|---|
| \`${name}.greet\` | \`${capability}\` \`to\` | greet _to_ |

In a worker file, after \`npm install ${name}-toolset\`:

\`\`\`yaml
toolsets: { ${name}-toolset: {} }
\`\`\`

In the policy, its code and its calls:

\`\`\`yaml
${policy(capability)}  code.load: { decision: pre_approved, match: { path: ./node_modules/${name}-toolset/** } }
\`\`\`

- \`npm test\` checks that the toolset keeps the rules of one, and \`npm run check\` says what was checked.
- \`npm run judge\` judges the calls in \`policy.test.yaml\` by \`policy.yaml\`.
- \`npm run readme\` writes the table above from the code.
`;
}
