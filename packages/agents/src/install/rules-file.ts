import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@ambit/core';
import { codexDenials } from '../rules/codex-rules.js';
import { copilotDenials } from '../rules/copilot-rules.js';
import { geminiDenials } from '../rules/gemini-rules.js';
import { opencodeDenials } from '../rules/opencode-rules.js';
import { edited, InstallError, jsonSettings } from './merged-settings.js';
import type { Installing } from './settings.js';

/** The file with the client's own rules, where it is another than that of the hook; null where there is none. */
export function rulesFile({ client, scope, home, project }: Installing): string | null {
  const folder = scope === 'user' ? home : project;
  switch (client) {
    case 'claude-code':
      return null;
    case 'codex':
      return scope === 'managed' ? null : join(folder, '.codex/rules/ambit.rules');
    case 'gemini':
      return scope === 'managed'
        ? '/etc/gemini-cli/policies/ambit.toml'
        : join(folder, '.gemini/policies/ambit.toml');
    case 'copilot':
      return scope === 'user' ? join(home, '.copilot/settings.json') : null;
    case 'opencode':
      return scope === 'user' ? join(home, '.config/opencode/opencode.json') : join(project, 'opencode.json');
  }
}

/** That file with the denials in it; null where none can be said there. Throws `InstallError`. */
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
      const denied = opencodeDenials(denials, project);
      return denied.length === 0 ? null : withPatterns(before, denied);
    }
  }
}

const head =
  '# Written by `ambit hook install`, from what the policy blocks; `ambit hook uninstall` takes it out.';

/** A file that only Ambit writes. */
function ownText(before: string | null, lines: readonly string[]): string | null {
  if (before !== null && !before.startsWith(head))
    throw new InstallError('the file for its rules is there, and Ambit did not write it');
  return lines.length === 0 ? null : [head, ...lines, ''].join('\n');
}

/** The last pattern that matches counts, so they stand behind all others. */
function withPatterns(
  before: string | null,
  denied: readonly (readonly [tool: string, pattern: string])[],
): string {
  const { permission = {} } = before === null ? {} : jsonSettings(before);
  const all: JsonObject = isJsonObject(permission) ? permission : { '*': permission };
  const next: Record<string, JsonObject[string]> = { ...all };
  for (const [tool, pattern] of denied) {
    const there = next[tool] ?? {};
    const { [pattern]: _, ...others } = isJsonObject(there) ? there : { '*': there };
    next[tool] = { ...others, [pattern]: 'deny' };
  }
  return edited(before, [{ path: ['permission'], value: next }]);
}
