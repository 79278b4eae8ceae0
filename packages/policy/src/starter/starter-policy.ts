import { type Preset, presets } from './preset.js';
import type { Project } from './project.js';
import { runningRules } from './running-rules.js';

export const schemaFile = 'policy.schema.json';

export const unknownProject: Project = { programs: [] };

/** At most 60 lines. Its first line names the schema beside it. */
export function starterPolicy(preset: Preset = 'coding', project: Project = unknownProject): string {
  const lines = [
    ...head(preset),
    ...readingRules(preset),
    ...writingRules[preset],
    ...runningRules(preset, project),
    ...answers[preset],
  ];
  return `${lines.join('\n')}\n`;
}

function head(preset: Preset): readonly string[] {
  return [
    `# yaml-language-server: $schema=./${schemaFile}`,
    `# Preset \`${preset}\`: ${presets[preset]}.`,
    '# `ambit show` puts this file into words, `ambit test` runs the suite beside it.',
    '# A call carries capabilities. Each gets the strictest decision of the rules that apply, in any order.',
    '# A restriction covers all names below its own, a permission its own name: `fs.read.outside` is not `fs.read`.',
    'version: 1',
    ...defaults[preset],
    '',
    'capabilities:',
  ];
}

/** Without `undecided`, an undecided block blocks. */
const defaults: Readonly<Record<Preset, readonly string[]>> = {
  coding: [
    'default: needs_approval # the network, installs, push and everything else: a person decides',
    'undecided: needs_approval # a block that cannot be decided is a question for a person, not a dead end',
  ],
  ci: ['default: needs_approval # the network, installs, push and everything else: no answer, so refused'],
  research: ['default: needs_approval # the network, programs and everything else: a person decides'],
  locked: ['default: blocked # the network, installs, push, deletions and everything else never happen'],
};

function readingRules(preset: Preset): readonly string[] {
  const outside = preset === 'locked' ? 'out of reach' : 'a question';
  return [
    `  # Reads and searches: this folder but its secrets. By the default, what lies outside is ${outside}.`,
    '  fs.list: { decision: pre_approved, match: { path: ./** } } # a search begins with names',
    '  fs.read:',
    '    - { decision: pre_approved, match: { path: ./** } } # working on files means reading them',
    '    - id: no-home-secrets',
    '      decision: blocked',
    '      match: { path: [~/.ssh/**, ~/.aws/**, ~/.netrc] }',
    '      reason: the file may be a secret of the user',
    '      examples: { match: [{ path: ~/.ssh/id_ed25519 }], not_match: [{ path: ./src/a.ts }] }',
    `  fs.read.outside: { decision: pre_approved, match: ${npmSettings} } # as \`npm --version\` does`,
    '  secret.read: # environment files, keys, credentials: well-known names, for any program',
    '    - id: no-secrets',
    '      decision: blocked',
    '      except: { path: "**/.npmrc", by: [npm, npx] }',
    '      undecided: blocked # names that a program prints, as in `cat $(cat names.txt)`, may be secrets',
    '      reason: secrets are not for agents',
    '      instead: leave these files out, or ask a person to do what needs the secret',
    `    - { decision: pre_approved, match: ${npmSettings} } # its own settings, which it does not print`,
    '  vcs.read: pre_approved # history explains the code; a secret in it is secret.read as well',
    '',
  ];
}

/** The settings of npm hold a token. All commands of npm and npx that may use it are opaque. */
const npmSettings = '{ path: ~/.npmrc, by: [npm, npx] }';

const guarded = 'The built-in rule `sys.guard` blocks writes to policies and logs.';

const folderWrites = [
  `  # Writes: this folder. ${guarded}`,
  '  fs.write:',
  '    - { decision: pre_approved, match: { path: ./** } } # git shows changes; undoing them (vcs.discard) asks',
  '    - { id: no-git-internals, decision: needs_approval, match: { path: "**/.git/**" }, except: { by: git } } # its history',
  '    - { id: secret-files, decision: needs_approval, except: { by: git }, match: { path: ["**/.env", "**/.env.local", "**/*.key", "**/*.pem"] } } # a secret is for a person',
];

const deletions = '  fs.delete: needs_approval # what git does not track is gone for good';

/** A moved file is `fs.write` at its new place. A commit holds what git deletes; the rest is `vcs.discard`. */
const movesAndDeletions = [
  '  fs.delete:',
  '    - { decision: pre_approved, match: { path: ./**, by: mv }, except: { path: ["**/.git/**", ./.github/**] } } # a move keeps the file',
  '    - { decision: pre_approved, match: { path: ./**, by: git }, except: { path: ./.github/** } } # commits keep it',
  '    - { id: no-delete, decision: needs_approval, except: { by: [mv, git] }, reason: a deleted file is gone }',
];

/** Modes and links of files in this folder; what a link leads to is read and written. Hidden files ask. */
const modes =
  '  fs.meta: { decision: pre_approved, match: { path: ./**, what: [mode, link] }, except: { path: ["**/.*", "**/.*/**"] } } # chmod +x, ln -s';

/** The file in which git notes the state of files; `git status` refreshes it. */
const gitIndex = '{ path: [./.git/index, ./.git/index.lock], by: git }';

const writingRules: Readonly<Record<Preset, readonly string[]>> = {
  coding: [
    ...folderWrites,
    '  sys.persist: # what runs later: CI definitions, hooks, settings of editors and agents',
    '    - { decision: pre_approved, match: { what: build definitions } } # the build that runs them asks',
    '    - { id: no-ci, decision: needs_approval, except: { what: build definitions } } # nobody watches what runs later',
    ...movesAndDeletions,
    modes,
    '',
  ],
  ci: [
    ...folderWrites,
    '  sys.persist: { id: no-ci, decision: needs_approval } # CI, hooks, build files say what runs unasked',
    ...movesAndDeletions,
    modes,
    '',
  ],
  research: [
    `  # Writes: notes. ${guarded}`,
    '  fs.write: # others ask',
    '    - { decision: pre_approved, match: { path: [./notes/**, ./research/**] } }',
    `    - { decision: pre_approved, match: ${gitIndex} } # \`git status\` notes what it saw`,
    deletions,
    '  sys: needs_approval # hooks, CI, build files and settings of agents run later, unwatched',
    '  content.untrusted: pre_approved # a page may lie: what it leads to is judged like any other call',
    '',
  ],
  locked: [
    `  # Writes: each one is for a person. ${guarded}`,
    '  fs.write:',
    `    - { decision: needs_approval, answer: person, except: ${gitIndex} } # no kept answer counts`,
    `    - { decision: pre_approved, match: ${gitIndex} } # \`git status\` notes what it saw`,
    '  fs.write.outside: blocked # other folders are out of reach',
    '',
  ],
};

const answers: Readonly<Record<Preset, readonly string[]>> = {
  coding: [
    'grants: { remember: always, reach: folder } # a person chooses how long; `ambit approvals kept` lists',
  ],
  ci: ['grants: { remember: call, unattended: false } # the mode `approve_all` answers nothing'],
  research: [
    '',
    '# Answers are kept for the run, and for a folder at most; the mode `approve_all` answers nothing.',
    'grants: { remember: run, reach: folder, unattended: false }',
  ],
  locked: ['', 'grants: { remember: call, unattended: false } # an answer holds for its call alone'],
};
