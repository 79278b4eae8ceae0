/** What kind of value a fact is. */
export type FactKind = 'text' | 'number' | 'boolean' | 'list';

/** The definition of a capability name: its facts and its words. */
export interface CapabilityDefinition {
  readonly name: string;
  readonly facts: Readonly<Record<string, FactKind>>;
  /** `write {path}`; a fact in braces is filled in, or marked as unknown. */
  readonly words: string;
}

const file = { path: 'text', by: 'text' } as const;
const read = { path: 'text', sha256: 'text', mount: 'text', by: 'text' } as const;
const changed = { path: 'text', what: 'text', by: 'text' } as const;
const written = {
  path: 'text',
  sha256: 'text',
  bytes: 'number',
  exists: 'boolean',
  links: 'number',
  by: 'text',
} as const;
const shown = { path: 'text', sha256: 'text', by: 'text' } as const;
const connection = {
  host: 'text',
  port: 'number',
  scheme: 'text',
  method: 'text',
  url: 'text',
  by: 'text',
} as const;
const serverCall = {
  server: 'text',
  tool: 'text',
  read_only: 'boolean',
  destructive: 'boolean',
  open_world: 'boolean',
} as const;

/** Version 1 of the shared capability names. */
export const vocabulary: readonly CapabilityDefinition[] = [
  { name: 'fs.read', facts: read, words: 'read {path}' },
  { name: 'fs.list', facts: file, words: 'list {path}' },
  { name: 'fs.write', facts: written, words: 'write {path}' },
  { name: 'fs.meta', facts: changed, words: 'change the {what} of {path}' },
  { name: 'fs.delete', facts: shown, words: 'delete {path}' },
  { name: 'fs.read.outside', facts: read, words: 'read {path}, outside every root' },
  { name: 'fs.list.outside', facts: file, words: 'list {path}, outside every root' },
  { name: 'fs.write.outside', facts: written, words: 'write {path}, outside every root' },
  {
    name: 'fs.meta.outside',
    facts: changed,
    words: 'change the {what} of {path}, outside every root',
  },
  { name: 'fs.delete.outside', facts: shown, words: 'delete {path}, outside every root' },
  {
    name: 'proc.exec',
    facts: { program: 'text', argv: 'list', cwd: 'text', path: 'text' },
    words: 'run the program {program}',
  },
  {
    name: 'proc.exec.opaque',
    facts: { program: 'text', argv: 'list', cwd: 'text', text: 'text', files: 'list', why: 'text' },
    words: 'do something that cannot be known before: {why}',
  },
  {
    name: 'vcs.read',
    facts: { path: 'text', revision: 'text' },
    words: 'read version history',
  },
  {
    name: 'proc.signal',
    facts: { pid: 'number', program: 'text' },
    words: 'send a signal to another process',
  },
  {
    name: 'env.set',
    facts: { variable: 'text', value: 'text' },
    words: 'set the environment variable {variable}',
  },
  { name: 'env.read', facts: { variable: 'text' }, words: 'read the environment' },
  {
    name: 'code.eval',
    facts: { language: 'text', text: 'text', by: 'text' },
    words: 'run {language} code given as text',
  },
  { name: 'code.load', facts: shown, words: 'load code from {path}' },
  { name: 'priv.escalate', facts: { program: 'text' }, words: 'gain privileges through {program}' },
  { name: 'sys.admin', facts: { what: 'text' }, words: 'administer the system: {what}' },
  {
    name: 'sys.persist',
    facts: { what: 'text', path: 'text' },
    words: 'leave something that outlives the run: {what}',
  },
  {
    name: 'sys.guard',
    facts: { what: 'text', path: 'text', program: 'text' },
    words: 'change or operate what guards this run: {what}',
  },
  { name: 'vcs.push', facts: { remote: 'text', branch: 'text' }, words: 'publish to {remote}' },
  { name: 'net.connect', facts: connection, words: 'connect to {host}' },
  { name: 'net.connect.private', facts: connection, words: 'connect to {host}, a private address' },
  { name: 'net.listen', facts: { port: 'number', by: 'text' }, words: 'listen on port {port}' },
  { name: 'secret.read', facts: { secret: 'text', path: 'text', by: 'text' }, words: 'read a secret' },
  {
    name: 'worker.call',
    facts: { worker: 'text', attachments: 'number' },
    words: 'call the worker {worker}',
  },
  { name: 'worker.create', facts: { worker: 'text', toolsets: 'list' }, words: 'create the worker {worker}' },
  {
    name: 'data.share',
    facts: { path: 'text', bytes: 'number', worker: 'text', sha256: 'text' },
    words: 'hand {path} ({bytes} bytes) to the worker {worker}',
  },
  { name: 'content.untrusted', facts: { source: 'text' }, words: 'bring in text from outside: {source}' },
  { name: 'message.send', facts: { to: 'text', channel: 'text' }, words: 'send a message to {to}' },
  { name: 'mcp.call', facts: serverCall, words: 'call {tool} of the MCP server {server}' },
  {
    name: 'mcp.call.changed',
    facts: serverCall,
    words: 'call {tool} of the MCP server {server}, whose definition has changed',
  },
  {
    name: 'mcp.call.sampling',
    facts: serverCall,
    words: 'let the MCP server {server} ask your model, with text of its choice',
  },
  { name: 'tool.call', facts: { tool: 'text' }, words: 'call {tool}, which says nothing about what it does' },
];
