import { defineTool, defineToolset } from '@ambit/core';
import * as z from 'zod';

/** A mail box with received and sent messages. */
export function mailToolset(inbox: readonly string[], sent: string[]) {
  return defineToolset({
    name: 'mail',
    tools: [
      defineTool({
        name: 'read_mail',
        description: 'Reads the newest mail.',
        input: z.strictObject({}),
        describe: () => ({ capabilities: [{ name: 'content.untrusted', source: 'mail' }] }),
        execute: () => inbox[0] ?? 'there is none',
      }),
      defineTool({
        name: 'send_mail',
        description: 'Sends a mail.',
        input: z.strictObject({ to: z.string(), text: z.string() }),
        describe: ({ to }) => ({ capabilities: [{ name: 'message.send', to, channel: 'mail' }] }),
        execute: ({ to, text }) => sent.push(`${to}: ${text}`),
      }),
    ],
  });
}
