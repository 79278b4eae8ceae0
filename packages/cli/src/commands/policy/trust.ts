import { realpath } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { workTreeOf } from '@ambit/agents';
import { diffPolicies, formatDiff, type PolicyDifference, policyFindings } from '@ambit/analysis';
import { counted, printable } from '@ambit/core';
import {
  formatDiagnostics,
  formatShow,
  type PolicyFile,
  type PolicyWorld,
  showNotes,
  showPolicies,
} from '@ambit/policy';
import { keepTrust, listTrust, revokeTrust, type Trust, trustOf } from '@ambit/runtime';
import { type Exit, exits, UnusableError } from '../../failure.js';
import { type Host, print, write } from '../../host.js';
import { confirm, personOf, requirePerson } from '../../questions/person.js';
import { looksOf } from '../../view/text.js';
import { type GivenPolicies, loadedPolicies, policyWorld } from '../given/policies.js';
import type { OptionsOf } from '../table/table.js';

export async function trust(
  host: Host,
  files: readonly string[],
  options: OptionsOf<'trust'>,
): Promise<Exit> {
  const { list = false, revoke, json = false } = options;
  if (Number(list) + Number(revoke !== undefined) + Number(files.length > 0) > 1)
    throw new UnusableError('FILE, --list and --revoke exclude each other', 'give one of them');
  if (list) return printTrusted(host, json);
  if (revoke !== undefined) return revoked(host, revoke, json);
  await requirePerson(host);
  const results: unknown[] = [];
  let exit: Exit = exits.done;
  for (const file of files.length > 0 ? files : [await projectPolicy(host)]) {
    const { isTrusted, ...result } = await trustOne(host, file);
    results.push({ ...result, trusted: isTrusted });
    if (!isTrusted) exit = exits.bad;
  }
  if (json) await print(host, results);
  return exit;
}

/** Of the project, as the hook of an agent finds it. */
async function projectPolicy({ folder }: Host): Promise<string> {
  return relative(folder, join(workTreeOf(folder), 'policy.yaml'));
}

async function trustOne(host: Host, file: string) {
  const world = await policyWorld(host, {});
  const now = await loadedPolicies([file], world);
  const path = await realpath(resolve(host.folder, file));
  const before = await trustOf(host.environment, path);
  const [names, identities] = [now.files.map(({ name }) => name), now.files.map(identityOf)];
  if (before !== null && before.files.map(identityOf).join() === identities.join()) {
    await write(
      host.stderr,
      `${printable(`${file} is unchanged since ${before.person} trusted it at ${before.at}`)}\n`,
    );
    return { file: path, files: names, difference: null, isTrusted: true };
  }
  const difference = await differenceFrom(before, now, { file, world });
  const { width } = looksOf(host.stderr, host.environment);
  const since =
    before === null
      ? `${file} is not trusted yet; this is what it decides`
      : `changes in ${file} since ${before.person} trusted it at ${before.at}`;
  const shown =
    before === null
      ? formatShow(showPolicies(now.policies, {}), showNotes(now.policies, {}), width).trimEnd()
      : formatDiff(difference);
  const texts = `texts: ${names.join(', ')}`;
  const findings = policyFindings(now, { now: Date.now() });
  const found =
    findings.length === 0
      ? ''
      : `${counted(findings.length, 'finding')} of \`ambit check\`, so a rule may not do what it says\n\n${formatDiagnostics(findings)}\n\n`;
  await write(host.stderr, `${printable(since)}\n${printable(texts)}\n\n${shown}\n\n${found}`);
  const isTrusted = await confirm(host, `trust ${printable(file)}? [y/N] `);
  if (isTrusted) {
    // The texts that were shown, since the files may have changed meanwhile.
    const at = new Date().toISOString();
    await keepTrust(host.environment, { path, person: personOf(host), at, files: now.files });
  }
  await write(host.stderr, `${isTrusted ? 'trusted' : 'not trusted'}: ${printable(path)}\n`);
  return { file: path, files: names, difference, isTrusted };
}

/** Looser classes of calls first. */
async function differenceFrom(
  before: Trust | null,
  now: GivenPolicies,
  { file, world }: { readonly file: string; readonly world: PolicyWorld },
): Promise<PolicyDifference> {
  const old = await loadedPolicies([file], worldOf(before, { file, world }));
  const difference = diffPolicies(old.policies, now.policies);
  const order = ['looser', 'other', 'stricter'];
  const changes = difference.changes.toSorted(
    (one, other) => order.indexOf(one.direction) - order.indexOf(other.direction),
  );
  return { ...difference, changes };
}

/** As they were trusted last; a policy that blocks everything if they never were. */
function worldOf(
  before: Trust | null,
  { file, world }: { readonly file: string; readonly world: PolicyWorld },
): PolicyWorld {
  const sources = before?.files ?? [];
  const of = (name: string) => sources.find((one) => one.name === name || one.path === name);
  return {
    ...world,
    realpath: async (name) => of(name)?.path ?? name,
    read: async (name) => {
      const found = before === null && name === file ? { source: nothing } : (of(name) ?? first(name));
      if (found === undefined) throw new Error('its text was not kept when the file was trusted');
      return Buffer.from(found.source);
    },
  };

  /** The file may have been trusted under another name. */
  function first(name: string): PolicyFile | undefined {
    return name === file ? sources[0] : undefined;
  }
}

const nothing = 'version: 1\ndefault: blocked\n';

function identityOf({ path, sha256 }: PolicyFile): string {
  return `${path} ${sha256}`;
}

async function printTrusted(host: Host, json: boolean): Promise<Exit> {
  const all = await listTrust(host.environment);
  const lines = all.map(
    ({ path, person, at, files }) => `${at}  ${person}  ${path}  ${counted(files.length, 'text')}`,
  );
  const told = all.map(({ files, ...rest }) => ({
    ...rest,
    files: files.map(({ name, sha256 }) => ({ name, sha256 })),
  }));
  const text = lines.length === 0 ? 'no policy file is trusted' : lines.map(printable).join('\n');
  await print(host, json ? told : text);
  return exits.done;
}

async function revoked(host: Host, file: string, json: boolean): Promise<Exit> {
  const named = resolve(host.folder, file);
  const path = await realpath(named).catch(() => named);
  const isRevoked = await revokeTrust(host.environment, path);
  if (json) await print(host, { file: path, revoked: isRevoked });
  else if (isRevoked) await print(host, `${printable(path)} is no longer trusted`);
  else await write(host.stderr, `${printable(path)} was not trusted\n`);
  return isRevoked ? exits.done : exits.bad;
}
