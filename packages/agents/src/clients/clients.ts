import { claudeCode } from './claude-code.js';
import type { Client } from './client.js';
import { type ClientName, clientNames } from './client-call.js';
import { codex } from './codex.js';
import { copilot } from './copilot.js';
import { gemini } from './gemini.js';
import { opencode } from './opencode.js';

const all: Readonly<Record<ClientName, Client>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  copilot,
  opencode,
};

export function clientOf(name: ClientName): Client {
  return all[name];
}

export function isClientName(name: string): name is ClientName {
  return (clientNames as readonly string[]).includes(name);
}
