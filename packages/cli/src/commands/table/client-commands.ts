import { clientNames } from '@ambit/policy';
import { oneOf } from '@ambit/policy/yaml';
import { once, seconds } from './readers.js';
import { type Given, json, list, off, policies, read, type Table } from './spec.js';

const clients = oneOf(clientNames);
const client = ['<CLIENT>', clients] as const;
const approvals: Given<string | undefined> = {
  about: 'who answers questions: client (the default), ambit (the call waits) or defer',
  read: once,
};
const theProject = { '--root <DIR>': 'the project' } as const;

export const clientCommands = {
  hook: {
    about: 'answer one call of an agent’s hook, given on stdin in the agent’s own form',
    takes: [client],
    options: {
      '--policy <FILE>': list('policy file, absolute (repeatable)'),
      '--resident': 'let a resident process judge the call; without CLIENT, be that process',
      '--after': 'record the outcome of a call that ran',
      '--home <DIR>': 'home folder (default: the user’s)',
      '--state <DIR>': 'state folder',
      '--approvals <WHO>': read('who answers questions: client, ambit or defer', String, 'client'),
      '--path <FOLDERS>': 'search path for programs, folders separated by colons',
      '--timeout <S>': read('seconds before the call is refused', seconds, 24),
    },
    example: 'ambit hook install claude-code --dry-run',
  },
  'hook install': {
    about: 'write the hook into the settings of an agent, after showing what changes',
    takes: [client],
    options: {
      '--policy <FILE>': list('policy file (repeatable; default: the project’s own)'),
      '--managed': 'for the whole machine, where a repository cannot switch it off',
      '--project': 'for this project only',
      '--approvals <WHO>': approvals,
      '--dry-run': 'show what would change, and write nothing',
      '--any-version': 'accept a version of the agent whose hooks were not tested',
      ...json,
    },
    example: 'ambit hook install claude-code --dry-run',
  },
  'hook uninstall': {
    about: 'remove exactly what `hook install` wrote',
    takes: [client],
    options: {
      '--managed': 'the hook of the whole machine',
      '--project': 'the hook of this project',
      ...json,
    },
    example: 'ambit hook uninstall claude-code',
  },
  doctor: {
    about: 'prove that the hooks of agents work, and list gaps',
    takes: [['[CLIENT...]', `${clients} (default: all with a hook)`]],
    options: { '--timeout <S>': read('seconds before an agent’s turn is ended', seconds, 120), ...json },
    example: 'ambit doctor codex',
  },
  import: {
    about: 'translate the permission settings of an agent to a policy',
    takes: [client, ['[FILE...]', 'settings files (default: those of the user and the project)']],
    options: json,
    example: 'ambit import claude-code > policy.yaml',
  },
  compile: {
    about: 'translate policies to permission settings of an agent',
    takes: [client],
    options: { ...policies, ...json },
    example: 'ambit compile codex --policy policy.yaml',
  },
  gateway: {
    about: 'guard an MCP server: judge each call before it reaches it',
    takes: [['[COMMAND...]', 'the server’s program with its arguments, after `--`']],
    options: {
      '--config <FILE>': 'file that names several servers, instead of COMMAND',
      '--policy <FILE>': list('policy file (repeatable)'),
      '--name <NAME>': 'name of the server: `mcp-NAME` in policies',
      '--as <NAME>': read('name of the client in policies and the log', String, 'gateway'),
      '--root <DIR>': 'folder of the project (default: the working folder)',
      '--hold <SECONDS>': read('how long a call waits for `ambit approvals`', seconds, 50),
      '--no-hold': off<false>('refuse such a call at once; the next try has the answer'),
      '--start-timeout <SECONDS>': read(
        'how long the server may take to answer or to list (default: 60)',
        seconds,
      ),
      '--env <NAME>': list('variable that the server sees (repeatable)'),
      '--url <URL>': 'URL of a server over HTTP, instead of COMMAND',
      '--server-token <NAME>': 'variable with the bearer token that the server at --url gets',
      '--listen <HOST:PORT>': 'serve over HTTP at `/mcp` (default: stdin and stdout)',
      '--token <NAME>': 'variable with the bearer token that clients send to --listen',
      '--issuer <URL>': 'OAuth authorization server that issues access tokens for --listen',
      '--scope <NAME>': 'scope that an access token needs',
      '--resource <URL>': 'the URL that clients use for --listen: the audience of access tokens',
      '--isolate': 'run the server confined: it can read files, but has no network',
      '--write <DIR>': list('folder that a confined server may write in (repeatable)'),
      '--network': 'a confined server may connect to all hosts',
      '--host <HOST[:PORT]>': list('host that a confined server may connect to (repeatable)'),
      '--trusted': 'believe the server’s hints about its own tools',
      '--carries <FILE>': 'what the server’s tools do, from their arguments',
    },
    example: 'ambit gateway --name files -- npx some-server .',
  },
  'gateway pins': { about: 'list and accept definitions that servers changed' },
  'gateway pins list': {
    about: 'show what changed since a person accepted it',
    options: { ...theProject, ...json },
    example: 'ambit gateway pins list',
  },
  'gateway pins accept': {
    about: 'accept changed definitions',
    takes: [
      ['<SERVER>', 'its file, as `pins list` names it'],
      ['[NAME...]', 'their names, as `pins list` shows them (default: all)'],
    ],
    options: { ...theProject, ...json },
    example: 'ambit gateway pins accept SERVER',
  },
} as const satisfies Table;
