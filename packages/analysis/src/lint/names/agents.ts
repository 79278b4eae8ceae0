import type { ClientName } from '@ambit/policy';
import { quote } from '@ambit/policy/internal';
import type { Lint } from '../subject/scope.js';
import { entriesOf } from '../subject/sites.js';

/** The names in policies of the agents and the gateway that Ambit guards, and what else they are called, without hyphens and underscores. */
const agents: Readonly<Record<ClientName | 'gateway', RegExp>> = {
  'claude-code': /^(?:anthropic)?claude(?:codes?|cli)?$/,
  codex: /^(?:openai)?codex(?:cli)?$/,
  gemini: /^(?:google)?gemini(?:cli|code)?$/,
  copilot: /^(?:github)?copilot(?:cli)?$/,
  opencode: /^opencode(?:cli)?$/,
  gateway: /^(?:mcp)?gateway$/,
};

/** Rules for a worker of another name concern nobody, so a wrong name restricts nothing. */
export const unknownAgents: Lint = ({ file: { sites } }, report) => {
  for (const { key, keySpan } of entriesOf(sites.section('workers'))) {
    const letters = key.replaceAll(/[-_]/g, '');
    const [name] = Object.entries(agents).find(([, also]) => also.test(letters)) ?? [key];
    if (name === key) continue;
    report('NO_SUCH_AGENT', keySpan, {
      message: `no agent that Ambit guards is called ${quote(key)} in policies`,
      help: `did you mean \`${name}\`? Give a worker of your own another name`,
    });
  }
};
