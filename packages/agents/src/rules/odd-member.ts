import { isJsonObject, type Json, type JsonObject, objectOf, ownMember } from '@ambit/core';
import type { ClientName } from '../clients/client-call.js';

/** The first setting because of which Claude Code or Codex would ignore all of these settings; null if none is known. */
export function oddMember(settings: JsonObject, client: ClientName): string | null {
  if (!areHooks(settings.hooks, client)) return 'hooks';
  const names = Object.keys(settings);
  if (client === 'codex') return names.find((name) => name !== 'hooks' && name !== 'description') ?? null;
  const odd = names.find((name) => forms.get(name)?.(settings[name] ?? null) === false);
  if (odd !== undefined) return odd;
  const permissions = objectOf(settings.permissions);
  const inside = ['allow', 'ask', 'deny', 'additionalDirectories'].find(
    (name) => Object.hasOwn(permissions, name) && !Array.isArray(permissions[name]),
  );
  return inside === undefined ? null : `permissions.${inside}`;
}

/** The form of some settings of Claude Code. */
const forms: ReadonlyMap<string, (value: Json) => boolean> = new Map(
  [
    [
      (value: Json) => typeof value === 'string',
      '$schema apiKeyHelper autoUpdatesChannel awsAuthRefresh awsCredentialExport language model outputStyle plansDirectory',
    ] as const,
    [
      (value: Json) => typeof value === 'boolean',
      'alwaysThinkingEnabled enableAllProjectMcpServers includeCoAuthoredBy respectGitignore spinnerTipsEnabled',
    ] as const,
    [(value: Json) => Array.isArray(value), 'availableModels companyAnnouncements'] as const,
    [isJsonObject, 'attribution enabledPlugins env fileSuggestion permissions sandbox statusLine'] as const,
  ].flatMap(([isForm, names]) => names.split(' ').map((name) => [name, isForm] as const)),
);

/** The texts that each type of hook needs. */
const handlers: ReadonlyMap<Json | undefined, readonly string[]> = new Map([
  ['command', ['command']],
  ['http', ['url']],
  ['prompt', ['prompt']],
  ['agent', ['prompt']],
  ['mcp_tool', ['server', 'tool']],
]);

/** Whether Claude Code or Codex accepts all of these hooks. */
function areHooks(hooks: Json | undefined, client: ClientName): boolean {
  const isText = (value: Json | undefined) => typeof value === 'string';
  const isHandler = (of: Json) => {
    if (!isJsonObject(of) || (client === 'codex' && of.type === 'http')) return false;
    const { type, timeout = 1, async = false, args = [] } = of;
    const isTimed = Number.isInteger(timeout) && Number(timeout) > 0 && typeof async === 'boolean';
    const isComplete = handlers.get(type)?.every((name) => isText(ownMember(of, name))) === true;
    return isTimed && isComplete && Array.isArray(args) && args.every(isText);
  };
  const isGroup = (of: Json) =>
    isJsonObject(of) &&
    isText(of.matcher === undefined ? '' : of.matcher) &&
    Array.isArray(of.hooks) &&
    of.hooks.every(isHandler);
  const lists = isJsonObject(hooks) ? Object.values(hooks) : [null];
  return lists.every((list) => Array.isArray(list) && list.every(isGroup));
}
