export type FactKind = 'text' | 'number' | 'boolean' | 'list';

export interface CapabilityDefinition {
  readonly name: string;
  readonly facts: Readonly<Record<string, FactKind>>;
  /** `write {path}`; a fact in braces is filled in, or marked as unknown. */
  readonly words: string;
}

const file = 'path by';
const read = 'path sha256 mount by';
const changed = 'path what by';
const written = 'path sha256 bytes:number exists:boolean links:number numbered:boolean by';
const shown = 'path sha256 by';
const connection = 'host port:number scheme method url by';
const serverCall = 'server tool read_only:boolean destructive:boolean open_world:boolean';
const program = 'program argv:list cwd';

/** The facts and words of each name. A fact without a kind is text. */
const table: Readonly<Record<string, readonly [facts: string, words: string]>> = {
  'fs.read': [read, 'read {path}'],
  'fs.list': [file, 'list {path}'],
  'fs.write': [written, 'write {path}'],
  'fs.meta': [changed, 'change the {what} of {path}'],
  'fs.delete': [shown, 'delete {path}'],
  'fs.read.outside': [read, 'read {path}, outside every root'],
  'fs.list.outside': [file, 'list {path}, outside every root'],
  'fs.write.outside': [written, 'write {path}, outside every root'],
  'fs.meta.outside': [changed, 'change the {what} of {path}, outside every root'],
  'fs.delete.outside': [shown, 'delete {path}, outside every root'],
  'proc.exec': [`${program} path`, 'run the program {program}'],
  'proc.exec.opaque': [`${program} text files:list why`, 'do something that cannot be known before: {why}'],
  'vcs.read': ['path revision', 'read version history'],
  'vcs.discard': ['path', 'discard work in {path} that no branch holds'],
  'proc.signal': ['pid:number program', 'send a signal to another process'],
  'env.set': ['variable value', 'set the environment variable {variable}'],
  'env.read': ['variable', 'read the environment'],
  'code.eval': ['language text by', 'run {language} code given as text'],
  'code.load': [shown, 'load code from {path}'],
  'priv.escalate': ['program', 'gain privileges through {program}'],
  'sys.admin': ['what', 'administer the system: {what}'],
  'sys.persist': ['what path', 'leave something that outlives the run: {what}'],
  'sys.guard': ['what path program', 'change or operate what guards this run: {what}'],
  'vcs.push': ['remote branch', 'publish to {remote}'],
  'net.connect': [connection, 'connect to {host}'],
  'net.connect.private': [connection, 'connect to {host}, a private address'],
  'net.listen': ['port:number by', 'listen on port {port}'],
  'secret.read': ['secret path by', 'read a secret'],
  'worker.call': ['worker named attachments:number', 'call the worker {worker}'],
  'worker.create': ['worker toolsets:list', 'create the worker {worker}'],
  'data.share': ['path bytes:number worker sha256', 'hand {path} ({bytes} bytes) to the worker {worker}'],
  'content.untrusted': ['source', 'bring in text from outside: {source}'],
  'message.send': ['to channel', 'send a message to {to}'],
  'mcp.call': [serverCall, 'call {tool} of the MCP server {server}'],
  'mcp.call.changed': [serverCall, 'call {tool} of the MCP server {server}, whose definition has changed'],
  'mcp.call.sampling': [serverCall, 'let the MCP server {server} ask your model, with text of its choice'],
  'tool.call': ['tool named', 'call {tool}, which says nothing about what it does'],
};

export const vocabulary: readonly CapabilityDefinition[] = Object.entries(table).map(
  ([name, [facts, words]]) => ({ name, facts: factsIn(facts), words }),
);

function factsIn(text: string): CapabilityDefinition['facts'] {
  const facts = text.split(' ').map((each) => each.split(':') as [string, FactKind?]);
  return Object.fromEntries(facts.map(([fact, kind = 'text']) => [fact, kind]));
}

/** The values of `what` that this program's own toolsets report. */
export const whatValues: Readonly<Record<string, readonly string[]>> = {
  'sys.admin': (
    'clock|device|disks|firewall|host name|hostname|kernel|kernel-log|mounts|network|packages|power|programs' +
    '|services|time|users'
  ).split('|'),
  'sys.persist': (
    'at|cron|ssh-keys|units|CI definitions|build definitions|code that interpreters load by themselves' +
    '|environments whose programs shells find first|git hooks and settings' +
    '|instructions, settings and servers of agents|scheduled jobs|services|shell start-up files' +
    '|tasks and settings that editors run|what starts with a session|who may log in'
  ).split('|'),
};
