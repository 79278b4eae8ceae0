/** Agents whose tool calls Ambit can judge through their hooks, by their names in policies. */
export const clientNames = ['claude-code', 'codex', 'gemini', 'copilot', 'opencode'] as const;
export type ClientName = (typeof clientNames)[number];
