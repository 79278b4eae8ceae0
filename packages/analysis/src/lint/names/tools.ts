import { isToolName, reservedToolsets, toolsetOf, vocabulary } from '@ambit/core';
import { agentTool, editDistance, nearest, quote } from '@ambit/policy/internal';
import type { Lint } from '../subject/scope.js';
import { entriesOf, entryOf } from '../subject/sites.js';
import { definedNames, type ToolsetDefinition } from '../subject/toolset-definition.js';
import { capabilityNames, isDefined, listedNames } from './capability-names.js';

/** What the built-in tools report, by full name. */
export const builtInTools: Readonly<Record<string, readonly string[]>> = {
  'filesystem.list_files': ['fs.list'],
  'filesystem.read_file': ['fs.read'],
  'filesystem.read_bytes': ['fs.read'],
  'filesystem.search_files': ['fs.list', 'fs.read'],
  'filesystem.write_file': ['fs.write'],
  'filesystem.edit_file': ['fs.read', 'fs.write'],
  'filesystem.copy_file': ['fs.read', 'fs.write'],
  'filesystem.move_file': ['fs.read', 'fs.write', 'fs.delete'],
  'filesystem.delete_file': ['fs.delete'],
  'delegation.worker_call': ['worker.call', 'data.share'],
  'delegation.worker_create': ['worker.create'],
  'toolset.start': ['code.load'],
  'http.fetch': ['net.connect', 'content.untrusted'],
  'shell.run': `proc.exec proc.exec.opaque proc.signal code.eval code.load env.set env.read fs.read fs.list
  fs.write fs.meta fs.delete secret.read net.connect net.listen vcs.push message.send priv.escalate
  sys.admin sys.persist`.split(/\s+/),
};

export const unknownTools: Lint = ({ file: { sites }, toolsets }, report) => {
  const workers = entriesOf(sites.section('workers'));
  const keys = [
    sites.section('tools'),
    sites.section('carries'),
    ...workers.map(({ value }) => entryOf(value, 'tools')),
  ].flatMap((section) => entriesOf(section).map(({ key, keySpan }) => ({ name: key, span: keySpan })));
  for (const { name, span } of [
    ...keys,
    ...listedNames(entryOf(sites.section('grants')?.value ?? null, 'workers')),
  ]) {
    const help = toolHelp(name, toolsets);
    if (help === null) continue;
    report('NO_SUCH_TOOL', span, { message: `no known tool is called ${quote(name)}`, help });
  }
};

/** Null for known tools, and for those of unknown toolsets. */
function toolHelp(name: string, given: readonly ToolsetDefinition[]): string | null {
  const isGiven = given.some((each) => each.name === toolsetOf(name));
  const capability = name.replace(/\.\*$/, '');
  if (!isGiven && vocabulary.some((shared) => `${shared.name}.`.startsWith(`${capability}.`)))
    return `\`${capability}\` is a capability: write the rule under \`capabilities:\``;
  const near = agentTool(name) ?? nearTool(name, given);
  return near === null ? null : `did you mean \`${near}\`?`;
}

/** Rules under `capabilities:` that name a tool or a toolset: no tool reports such a name. */
export const toolsAsCapabilities: Lint = ({ file, toolsets }, report) => {
  const defined = definedNames(toolsets);
  for (const { name, span } of capabilityNames(file)) {
    const toolset = name.split('.', 1)[0] ?? name;
    const isShared = vocabulary.some((shared) => shared.name.startsWith(`${toolset}.`));
    if (!reservedToolsets.includes(toolset) || isShared || isDefined(name, defined)) continue;
    report('UNKNOWN_CAPABILITY', span, {
      message: `no known capability is called \`${name}\`: \`${toolset}\` is a toolset`,
      help: `rules about its tools are under \`tools:\`, for example \`${toolset}.*\``,
    });
  }
};

function nearTool(name: string, given: readonly ToolsetDefinition[]): string | null {
  const defined = given.flatMap(({ name, tools }) => tools.map((tool) => `${name}.${tool.name}`));
  const known = [...Object.keys(builtInTools), ...defined];
  const toolsets = [...new Set(known.map(toolsetOf))];
  if (known.includes(name)) return null;
  const toolset = toolsetOf(name);
  if (toolsets.includes(toolset)) {
    const own = known.filter((tool) => toolsetOf(tool) === toolset);
    return isToolName(name) && !name.endsWith('.*') ? nearest(name, own) : null;
  }
  const meant = toolsets.find((each) => each.length > 4 && editDistance(toolset, each) === 1);
  const tool = meant === undefined ? null : `${meant}${name.slice(toolset.length)}`;
  return tool !== null && (tool.endsWith('.*') || known.includes(tool)) ? tool : null;
}
