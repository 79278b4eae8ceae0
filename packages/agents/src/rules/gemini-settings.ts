import { type Json, type JsonObject, objectOf } from '@ambit/core';
import { settingsOf } from './read-settings.js';
import { looser, type RuleNote, type SettingsText, stricter } from './static-rule.js';

/** Names of tools in older settings. */
const classNames: ReadonlyMap<string, string> = new Map(
  (
    'ShellTool=run_shell_command ReadFileTool=read_file ReadManyFilesTool=read_many_files LSTool=list_directory ' +
    'GlobTool=glob GrepTool=grep_search RipGrepTool=grep_search WriteFileTool=write_file EditTool=replace ' +
    'WebFetchTool=web_fetch WebSearchTool=google_web_search AgentTool=invoke_agent'
  )
    .split(' ')
    .map((each) => each.split('=') as [string, string]),
);

/**
 * What the settings of Gemini refuse or ask about, as rules; their permissions are left out. A name with words of a command is asked
 * about as a whole. `known`: the tools that `core` may leave out.
 */
export function restrictionsIn(
  file: SettingsText,
  known: readonly string[],
  notes: RuleNote[],
): readonly JsonObject[] {
  const { tools: own, mcp, mcpServers, excludeTools, coreTools, ...others } = settingsOf(file);
  notes.push(stricter(file.file, 'what these settings permit is left out'));
  for (const key of ['policyPaths', 'adminPolicyPaths'].filter((each) => Object.hasOwn(others, each)))
    notes.push(looser(key, 'these files are read only if you give them to `ambit import`'));
  const { core = coreTools, exclude, allowed, confirmationRequired } = objectOf(own);
  const { excluded, allowed: servers } = objectOf(mcp);
  const rule = (toolName: string, decision: string, more: JsonObject = {}) => ({
    ...more,
    toolName,
    decision,
    priority: 0,
  });
  const asking = (toolName: string, more?: JsonObject) => {
    notes.push(looser(JSON.stringify({ toolName, ...more }), 'what the settings refuse of it asks'));
    return rule(toolName, 'ask_user', more);
  };
  const named = (list: Json | undefined, decision: string) =>
    textsIn(list).map((each) => {
      const [first = '', part] = each.split('(');
      const name = classNames.get(first) ?? first;
      return part === undefined ? rule(name, decision) : asking(name);
    });
  const listed = named(core, 'allow');
  const isListed = (tool: string) => listed.some(({ toolName }) => toolName === tool);
  return [
    ...[excludeTools, exclude].flatMap((each) => named(each, 'deny')),
    ...named(confirmationRequired, 'ask_user'),
    // A command in these lists refuses all others.
    ...[...listed, ...named(allowed, 'allow')].filter(({ decision }) => decision !== 'allow'),
    ...(core === undefined ? [] : known.filter((tool) => !isListed(tool))).map((tool) => rule(tool, 'deny')),
    ...(core === undefined && (servers === undefined || textsIn(servers).includes('*'))
      ? []
      : [asking('*', { mcpName: '*' })]),
    ...textsIn(excluded).map((mcpName) => rule('*', 'deny', { mcpName })),
    ...Object.entries(objectOf(mcpServers)).flatMap(([mcpName, each]) => {
      const { includeTools, excludeTools: off } = objectOf(each);
      const inPart = includeTools === undefined ? [] : [asking('*', { mcpName })];
      return [...inPart, ...textsIn(off).map((tool) => rule(tool, 'deny', { mcpName }))];
    }),
  ];
}

export function textsIn(value: Json | undefined): readonly string[] {
  const list: readonly Json[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.filter((each) => typeof each === 'string');
}
