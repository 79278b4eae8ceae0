// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../../../scripts/yaml.d.ts" />
import type { Project } from './project.js';
import data from './starter.yaml';

export type Preset = 'coding' | 'ci' | 'research' | 'locked';

interface Starter {
  /** What each is for; the usual one first. */
  readonly presets: Readonly<Record<Preset, string>>;
  /** By client, with blanks between them. */
  readonly tools: Readonly<Record<string, string>>;
  readonly policy: readonly Part[];
  readonly suite: readonly SuiteRow[];
}

type SuiteRow = readonly [line: string, capability: string, decisions: string];

interface Part {
  readonly for?: readonly Preset[];
  readonly project?: 'known' | 'unknown';
  readonly text: string;
}

const starter = data as Starter;

export const { presets } = starter;
export const presetNames = Object.keys(presets) as readonly Preset[];

export const schemaFile = 'policy.schema.json';

/** A first policy of at most 60 lines. Its first line names the schema beside it. */
export function starterPolicy(preset: Preset = 'coding', { programs }: Project = { programs: [] }): string {
  const lines = programs.flatMap((program) => program.lines);
  const tools = Object.entries(starter.tools).flatMap(([client, names]) =>
    names.split(' ').map((name) => `${client}.${name}`),
  );
  const values: Readonly<Record<string, string>> = {
    preset,
    about: presets[preset],
    tools: tools.join(', '),
    commands: yamlList(lines),
    shown: `${lines.slice(0, mostShown).join(', ')}${lines.length > mostShown ? ', …' : ''}`,
    programs: yamlList(programs.map(({ program }) => program)),
  };
  const project = programs.length === 0 ? 'unknown' : 'known';
  return starter.policy
    .filter((part) => part.for?.includes(preset) !== false && (part.project ?? project) === project)
    .map(({ text }) => text.replace(/\{([a-z]+)\}/g, (written, name: string) => values[name] ?? written))
    .join('');
}

const mostShown = 5;

function yamlList(words: readonly string[]): string {
  return `[${words.map((word) => (/^[a-z][\w ./-]*$/.test(word) ? word : JSON.stringify(word))).join(', ')}]`;
}

/** 40 calls of one capability each. */
export function starterSuite(preset: Preset, project: Project): string {
  return `# Run it with \`ambit test\`. Each row is a call of one capability, named by a command line that carries it.
# A row that you change your mind about shows which rules of policy.yaml have to change.
policy: policy.yaml
cases:
  - name: "{line} is {decision}"
    for:
${rowsOf(preset, project).join('\n')}
    call: { tool: shell.run, args: { command: "{line}" }, capabilities: ["{capability}"] }
    expect: "{decision}"
`;
}

function rowsOf(preset: Preset, project: Project): readonly string[] {
  return [...starter.suite, projectRow(project)].map(([line, capability, decisions]) => {
    const decision = words[decisions.charAt(presetNames.indexOf(preset)) as keyof typeof words];
    return `      - { line: ${JSON.stringify(line)}, capability: { ${capability} }, decision: ${decision} }`;
  });
}

const words = { a: 'pre_approved', q: 'needs_approval', b: 'blocked' } as const;

function projectRow({ programs: [first] }: Project): SuiteRow {
  const [program, line] = [first?.program ?? 'build-tool', first?.lines[0] ?? 'build-tool test'];
  const capability = `name: proc.exec.opaque, program: ${program}, why: it runs what the project says`;
  return [line, capability, first === undefined ? 'qqqb' : 'qaqq'];
}
