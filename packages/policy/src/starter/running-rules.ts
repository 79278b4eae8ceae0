import type { Preset } from './preset.js';
import type { Project } from './project.js';

export function runningRules(preset: Preset, project: Project): readonly string[] {
  return [
    '  # Programs: starting one is harmless by itself. What it reads, writes or reaches is judged above.',
    '  proc.exec: pre_approved # grep, sed, git: their effects are known',
    '  env.set: pre_approved # LANG, CI and the like; a variable that is unknown makes a program opaque',
    '  env.read: { decision: pre_approved, match: { variable: [PATH, HOME, PWD, SHELL, USER, LANG, TERM, CI] } } # no tokens',
    '  code.eval: { decision: pre_approved, match: { by: [sh, bash], language: [sh, bash] } } # `sh -c TEXT`: TEXT is judged',
    ...(preset === 'locked' ? [] : ['  worker.call: pre_approved # each call of a sub-agent is judged, too']),
    '  tool.call: # lines such as `x=1` do nothing, nor do plans and questions of an agent',
    `    { decision: pre_approved, match: { tool: [shell.run, ${ownTools.join(', ')}] } }`,
    ...(project.programs.length === 0 ? unknownPrograms[preset] : ownPrograms[preset](project)),
    ...(preset === 'locked'
      ? []
      : ['  priv: blocked # sudo and set-user-id bits leave all other rules behind']),
  ];
}

/** Tools of agents for their plans, for questions to their person, and for the output of what was judged before. */
const ownTools = Object.entries({
  'claude-code': 'todo_write task_create task_update task_list task_get task_output bash_output tool_search',
  codex: 'update_plan wait_agent request_user_input',
  gemini: 'write_todos update_topic ask_user',
  copilot: 'report_intent update_todo list_bash read_bash read_agent ask_user',
  opencode: 'todo_write todo_read question',
}).flatMap(([client, names]) => names.split(' ').map((name) => `${client}.${name}`));

const unknownAsks = [
  '  proc.exec.opaque: # builds, tests, scripts and unknown programs',
  '    id: unknown-program',
  '    decision: needs_approval',
  '    reason: what it does is unknown before it runs',
];

const unknownPrograms: Readonly<Record<Preset, readonly string[]>> = {
  coding: unknownAsks,
  ci: unknownAsks,
  research: unknownAsks,
  // The default decision is to block.
  locked: [],
};

const ownPrograms: Readonly<Record<Preset, (project: Project) => readonly string[]>> = {
  coding: ownAsk,
  research: ownAsk,
  ci: (project) => [
    '  proc.exec.opaque: # builds, tests and unknown programs; those that are not listed are refused',
    '    - id: project # exactly these command lines, in this folder',
    '      decision: pre_approved',
    '      when:',
    '        and:',
    '          - in:',
    '              - var: args.command',
    `              - ${listed(linesOf(project))}`,
    '          - missing: [args.cwd] # another folder has other scripts',
  ],
  locked: (project) => [
    '  proc.exec.opaque: # what these programs do is unknown before they run',
    `    - id: project # ${shown(project)}`,
    '      decision: needs_approval',
    `      match: { program: ${listed(namesOf(project))} }`,
    '      answer: person',
    '    - id: unknown-program # others never run',
    '      decision: blocked',
    `      except: { program: ${listed(namesOf(project))} }`,
  ],
};

function ownAsk(project: Project): readonly string[] {
  return [
    '  proc.exec.opaque: # what these programs do is unknown before they run, so a person is asked',
    `    - id: project # ${shown(project)}`,
    '      decision: needs_approval',
    `      match: { program: ${listed(namesOf(project))} }`,
    '      reason: it runs code of this project; a kept answer holds for the same command line',
    `    - { id: unknown-program, decision: needs_approval, except: { program: ${listed(namesOf(project))} }, reason: what it does is unknown before it runs }`,
  ];
}

function namesOf({ programs }: Project): readonly string[] {
  return programs.map(({ program }) => program);
}

function linesOf({ programs }: Project): readonly string[] {
  return programs.flatMap(({ lines }) => lines);
}

function shown(project: Project): string {
  const all = linesOf(project);
  return `${all.slice(0, mostShown).join(', ')}${all.length > mostShown ? ', …' : ''}`;
}

const mostShown = 5;

function listed(words: readonly string[]): string {
  return `[${words.map((word) => (/^[a-z][\w ./-]*$/.test(word) ? word : JSON.stringify(word))).join(', ')}]`;
}
