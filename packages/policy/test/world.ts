import { loadPolicyText, type PolicyWorld } from '@ambit/policy';
import type { LoadedText } from '../src/document/load-text.js';
import type { Folders } from '../src/grammar/reading.js';

/** The folders of every test: no file of this machine is read. */
export const folders: Folders = { home: '/home/ada', root: '/w' };

/** A world with only these files. */
export function worldOf(files: Readonly<Record<string, string | Uint8Array>>): PolicyWorld {
  return {
    ...folders,
    read: (path) => {
      const content = Object.hasOwn(files, path) ? files[path] : undefined;
      if (content === undefined) return Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' }));
      return Promise.resolve(typeof content === 'string' ? new TextEncoder().encode(content) : content);
    },
  };
}

export function load(text: string): LoadedText {
  return loadPolicyText('policy.yaml', text, folders);
}

/** `line:column CODE` for each diagnostic; empty if the policy loads. */
export function mistakes(text: string): readonly string[] {
  const loaded = load(text);
  return loaded.ok ? [] : loaded.diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`);
}

/** A policy with these rules. */
export function withRules(rules: string): string {
  const lines = rules.split('\n').map((line) => `  ${line}`);
  return ['version: 1', 'default: needs_approval', 'capabilities:', ...lines, ''].join('\n');
}
