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
}

interface Part {
  readonly for?: readonly Preset[];
  readonly project?: 'known' | 'unknown';
  readonly text: string;
}

const starter = data as Starter;

export const { presets } = starter;
export const presetNames = Object.keys(presets) as readonly Preset[];

export const schemaFile = 'policy.schema.json';

/** At most 60 lines. Its first line names the schema beside it. */
export function starterPolicy(preset: Preset = 'coding', { programs }: Project = { programs: [] }): string {
  const lines = programs.flatMap((program) => program.lines);
  const tools = Object.entries(starter.tools).flatMap(([client, names]) =>
    names.split(' ').map((name) => `${client}.${name}`),
  );
  const values: Readonly<Record<string, string>> = {
    preset,
    about: presets[preset],
    tools: tools.join(', '),
    commands: listed(lines),
    shown: `${lines.slice(0, mostShown).join(', ')}${lines.length > mostShown ? ', …' : ''}`,
    programs: listed(programs.map(({ program }) => program)),
  };
  const project = programs.length === 0 ? 'unknown' : 'known';
  return starter.policy
    .filter((part) => part.for?.includes(preset) !== false && (part.project ?? project) === project)
    .map(({ text }) => text.replace(/\{([a-z]+)\}/g, (written, name: string) => values[name] ?? written))
    .join('');
}

const mostShown = 5;

function listed(words: readonly string[]): string {
  return `[${words.map((word) => (/^[a-z][\w ./-]*$/.test(word) ? word : JSON.stringify(word))).join(', ')}]`;
}
