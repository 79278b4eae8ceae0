import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject, matchesWildcards } from '@ambit/core';
import { codexDenials } from '../rules/codex-rules.js';
import { copilotDenials } from '../rules/copilot-rules.js';
import { geminiDenials } from '../rules/gemini-rules.js';
import { opencodeDenials } from '../rules/opencode-patterns.js';
import { edited, InstallError, jsonSettings } from './merged-settings.js';
import type { Installing } from './settings.js';

/** The file with the client's own rules, if it is not the file of the hook; null otherwise. */
export function rulesFile({ client, scope, home, project }: Installing): string | null {
  const folder = scope === 'user' ? home : project;
  switch (client) {
    case 'claude-code':
      return null;
    case 'codex':
      return scope === 'managed' ? null : join(folder, '.codex/rules/ambit.rules');
    case 'gemini':
      // Gemini does not load policies of a project.
      if (scope === 'project') return null;
      return join(scope === 'managed' ? '/etc/gemini-cli' : join(home, '.gemini'), 'policies/ambit.toml');
    case 'copilot':
      return scope === 'user' ? join(home, '.copilot/settings.json') : null;
    case 'opencode':
      return scope === 'user' ? join(home, '.config/opencode/opencode.json') : join(project, 'opencode.json');
  }
}

/** The file with the denials; null if it can express none of them. Throws `InstallError`. */
export function withDenials(before: string | null, installing: Installing): string | null {
  const { client, denials = [], project } = installing;
  switch (client) {
    case 'claude-code':
      return null;
    case 'codex':
      return ownText(before, codexDenials(denials));
    case 'gemini':
      return ownText(before, geminiDenials(denials));
    case 'copilot': {
      const hosts = copilotDenials(denials);
      return hosts.length === 0 ? null : edited(before, [{ path: ['deniedUrls'], more: hosts }]);
    }
    case 'opencode': {
      const denied = opencodeDenials(denials, { root: project, home: installing.home });
      return denied.length === 0 ? null : withPatterns(before, denied);
    }
  }
}

const head =
  '# Written by `ambit hook install`, from what the policy blocks; `ambit hook uninstall` takes it out.';

/** A file that only Ambit writes. */
function ownText(before: string | null, lines: readonly string[]): string | null {
  if (before !== null && !before.startsWith(head))
    throw new InstallError('the file for its rules already exists, and Ambit did not write it');
  return lines.length === 0 ? null : [head, ...lines, ''].join('\n');
}

/**
 * The last matching pattern counts, even in a later member whose name has wildcards. So a tool with denials
 * is placed after all others, with its previous rules first.
 */
function withPatterns(
  before: string | null,
  denied: readonly (readonly [tool: string, pattern: string])[],
): string {
  const { permission = {} } = before === null ? {} : jsonSettings(before);
  const all: JsonObject = isJsonObject(permission) ? permission : { '*': permission };
  const patternsIn = (value: Json) => Object.entries(isJsonObject(value) ? value : { '*': value });
  const tools = [...new Set(denied.map(([tool]) => tool))];
  const moved = tools.map((tool) => {
    const held = Object.entries(all).flatMap(([name, value]) =>
      matchesWildcards(name, tool) ? patternsIn(value) : [],
    );
    const own = denied.flatMap(([each, pattern]) => (each === tool ? [[pattern, 'deny'] as const] : []));
    // A repeated pattern keeps only its last position.
    const patterns = new Map<string, Json>();
    for (const [pattern, decision] of [...held, ...own]) {
      patterns.delete(pattern);
      patterns.set(pattern, decision);
    }
    return [tool, Object.fromEntries(patterns)] as const;
  });
  const others = Object.entries(all).filter(([name]) => !tools.includes(name));
  const next = Object.fromEntries<Json>([...others, ...moved]);
  return edited(before, [{ path: ['permission'], value: next }]);
}
