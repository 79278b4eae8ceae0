import type { Decision } from '@ambit/core';
import { describe, expect, it } from 'vitest';
import { compileRules, importRules } from '../src/index.js';
import type { RuleNote } from '../src/rules/static-rule.js';
import {
  callOf,
  clients,
  decidedOf,
  loaded,
  modelOf,
  policyText,
  settings,
  settingsIn,
  tryDrawn,
} from './drawn-rules.js';
import { type Drawn, onlyReads, parts, type Said } from './matchers.js';
import { HookPlace } from './place.js';

const rankOfDecision: Readonly<Record<Decision, number>> = { pre_approved: 0, needs_approval: 1, blocked: 2 };
const rankOfSaid: Readonly<Record<Said, number>> = { allow: 0, ask: 1, deny: 2 };

const isKind =
  (...kinds: readonly Drawn['kind'][]) =>
  ({ kind }: Drawn) =>
    kinds.includes(kind);

/** Notes about calls that a client runs whatever its rules say. */
const runs: Readonly<Record<string, (call: Drawn) => boolean>> = {
  'other tools': isKind('read', 'write', 'web', 'agent', 'server'),
  reads: isKind('read'),
  'sub-agents': isKind('agent'),
  'commands that only read': (call) => call.kind === 'shell' && parts(call.command).some(onlyReads),
  'hosts of documentation': (call) => call.kind === 'web' && call.host === 'docs.python.org',
};

/** The notes about a call. One that says only that calls ask does not cover a call that runs. */
function notesAbout(notes: readonly RuleNote[], call: Drawn, ids: readonly string[], said: Said) {
  const named = notes.filter(({ rule }) => runs[rule]?.(call) === true);
  if (said === 'allow') return named;
  const names = [call.kind, 'tools, together, carries', ...ids];
  return [...named, ...notes.filter(({ rule }) => names.includes(rule))];
}

/** The rules of settings that may be about a kind of call. */
const names: Readonly<Record<Drawn['kind'], RegExp>> = {
  shell: /^(?:Bash|bash|b?\*|prefix_rule)|run_shell_command|"toolName":"\*"/,
  read: /^(?:Read|read|\*)|read_file|"toolName":"\*"/,
  write: /^(?:Edit|Write|edit|\*)|write_file|"toolName":"\*"/,
  web: /^(?:WebFetch|web|deny |\*)|web_fetch|"toolName":"\*"/,
  agent: /^(?:Agent|task|\*)|"toolName":"\*"/,
  server: /^(?:mcp__|tiny|\w*\*)|mcpName/,
};

const isLooser = ({ how }: RuleNote) => how === 'looser' || how === 'not_at_all';

/** Flags of a command line are no settings, so nothing reads them again. */
const imported = clients.filter((client) => client !== 'copilot');

describe('the report of compiled and imported rules', () => {
  it.each(clients)('names each rule that is looser or stricter in %s', async (client) => {
    const place = new HookPlace();
    await tryDrawn(policyText, async (text, calls) => {
      const policy = loaded(place, text);
      const written = compileRules(client, { policies: [policy], root: place.project });
      for (const each of calls) {
        const call = callOf(client, each, place.project);
        if (call === null) continue;
        const { decision, ids } = await decidedOf(place, policy, call);
        const said = modelOf[client](written.text, each, place.project);
        const difference = rankOfSaid[said] - rankOfDecision[decision];
        if (difference === 0) continue;
        const about = notesAbout(written.notes, each, ids, said);
        const isSaid = about.some((note) => (difference < 0 ? isLooser(note) : note.how === 'stricter'));
        expect({ each, decision, said, isSaid }).toEqual({ each, decision, said, isSaid: true });
      }
    });
  });

  it.each(clients)('says that the policy is looser than the settings of %s', async (client) => {
    const place = new HookPlace();
    await tryDrawn(settings[client], async (text, calls) => {
      const file = settingsIn(place, client, text);
      const read = importRules(client, [file]);
      const policy = loaded(place, read.text);
      for (const each of calls) {
        const call = callOf(client, each, place.project);
        if (call === null) continue;
        const { decision } = await decidedOf(place, policy, call);
        const said = modelOf[client](text, each, place.project);
        if (rankOfDecision[decision] >= rankOfSaid[said]) continue;
        // Never merely the note about another kind of call.
        const isSaid = read.notes.some((note) => isLooser(note) && names[each.kind].test(note.rule));
        expect({ each, decision, said, isSaid, text }).toMatchObject({ isSaid: true });
      }
    });
  });

  it.each(imported)('covers a policy that was compiled for %s and imported again', async (client) => {
    const place = new HookPlace();
    await tryDrawn(policyText, async (text, calls) => {
      const policy = loaded(place, text);
      const written = compileRules(client, { policies: [policy], root: place.project });
      const file = settingsIn(place, client, written.text);
      const read = importRules(client, [file]);
      const again = loaded(place, read.text);
      for (const each of calls) {
        const call = callOf(client, each, place.project);
        if (call === null) continue;
        const before = (await decidedOf(place, policy, call)).decision;
        const after = (await decidedOf(place, again, call)).decision;
        if (rankOfDecision[after] >= rankOfDecision[before]) continue;
        const isSaid = [...written.notes, ...read.notes].some(isLooser);
        expect({ each, before, after, isSaid }).toMatchObject({ isSaid: true });
        expect(after).not.toBe('pre_approved');
      }
    });
  });

  it.each(imported)('covers settings of %s that were imported and compiled again', async (client) => {
    const place = new HookPlace();
    await tryDrawn(settings[client], async (text, calls) => {
      const file = settingsIn(place, client, text);
      const read = importRules(client, [file]);
      const policies = [loaded(place, read.text)];
      const written = compileRules(client, { policies, root: place.project });
      for (const each of calls) {
        const before = modelOf[client](text, each, place.project);
        const after = modelOf[client](written.text, each, place.project);
        if (rankOfSaid[after] >= rankOfSaid[before]) continue;
        const isSaid = [...written.notes, ...read.notes].some(isLooser);
        expect({ each, before, after, isSaid }).toMatchObject({ isSaid: true });
      }
    });
  });
});
