import { isAskedFor, isNonEmpty, isOpen, isSimpleName, messageOf, namesTool, type Policy } from '@ambit/core';
import { incompatibleModels } from '../catalogue/effective-model.js';
import type { WorkerRegistry } from '../catalogue/worker-registry.js';
import { type Problem, problem } from '../host/problem.js';
import type { ReadPolicies } from '../policies/read-policies.js';
import { providerToolsIn } from '../worker-file/built-in-references.js';
import { type GivenByKind, isReserved } from '../worker-file/given-toolsets.js';
import type { WorkerDefinition } from '../worker-file/worker-definition.js';
import { entryInput } from '../worker-file/worker-input.js';
import type { OpenOptions } from './open-options.js';

export function policyProblems(
  { policies, problems }: ReadPolicies,
  { open }: OpenOptions,
): readonly Problem[] {
  if (problems.length > 0) return [];
  if (!isNonEmpty(policies)) {
    const help = 'write one with `ambit init`, and give it with --policy';
    return [problem('NO_POLICY', 'no policy is given', help)];
  }
  const twice = twiceNamed(policies).map((name) =>
    problem('TWO_POLICIES', `two policies are called \`${name}\``, 'give each a different name'),
  );
  if (!isOpen(policies) || open === true || isAskedFor(policies)) return twice;
  const message = 'every policy has `default: pre_approved`, so calls without a matching rule would run';
  const help = 'write `default: needs_approval`, or ask for it with --open';
  return [...twice, problem('OPEN_DEFAULT', message, help)];
}

export function modelProblems({ entry, workers }: WorkerRegistry, options: OpenOptions): readonly Problem[] {
  const { model = null } = options;
  const worker = workers.get(options.entry?.worker ?? entry ?? '');
  if (worker === undefined) return [];
  if (worker.model === null && model === null) {
    const help = 'state `model:` in its file, or give --model anthropic:NAME, openai:NAME or script:FILE';
    return [problem('NO_MODEL', `no model for the worker ${worker.name}`, help)];
  }
  const help = 'give another with --model, or state `model:` in the file of one of them';
  return incompatibleModels(worker, workers, model).map((why) => problem('BAD_MODEL', why, help));
}

export function inputProblems(
  { workers, problems, entry }: WorkerRegistry,
  { entry: given }: OpenOptions,
): readonly Problem[] {
  const worker = workers.get(given?.worker ?? entry ?? '');
  if (given === undefined || problems.length > 0 || worker === undefined) return [];
  try {
    entryInput(worker, given);
    return [];
  } catch (error) {
    return [problem('BAD_INPUT', messageOf(error), 'see `input` in its file')];
  }
}

/** An unknown root would leave the intended one unchanged. */
export function folderProblems(
  { workers, problems }: Pick<WorkerRegistry, 'workers' | 'problems'>,
  { folders = {} }: Pick<OpenOptions, 'folders'>,
): readonly Problem[] {
  if (problems.length > 0) return [];
  const roots = [...new Set([...workers.values()].flatMap((worker) => worker.roots.map(({ name }) => name)))];
  const help =
    roots.length === 0 ? 'see `sandbox.paths` in the worker file' : `the roots are ${roots.join(', ')}`;
  return Object.keys(folders)
    .filter((name) => !roots.includes(name))
    .map((name) => problem('UNKNOWN_ROOT', `no worker has a root \`${name}\``, help));
}

/** Duplicate or reserved names made in code. Workers of two folders are checked where they are read. */
export function toolsetProblems(
  { workers }: WorkerRegistry,
  { instances, factories, others }: GivenByKind,
): readonly Problem[] {
  const none = others.map((other) =>
    typeof other === 'object' && other !== null && 'asToolset' in other
      ? problem('NO_TOOLSET', 'a worker is given as a toolset', '`worker.asToolset()` makes it one')
      : problem(
          'NO_TOOLSET',
          'a given toolset is invalid',
          'an instance (`defineToolset`), a factory (`{ name, configure }`), or `worker.asToolset()`',
        ),
  );
  const toolsets = [...instances, ...factories];
  const odd = toolsets
    .filter(({ name }) => !isSimpleName(name) || isReserved(name))
    .map(({ name }) => problem('BAD_TOOLSET_NAME', `no toolset may be called \`${name}\``, null));
  const twice = [
    ...twiceNamed(toolsets).map((name) => ({ name, other: 'another that the program gives' })),
    ...toolsets.flatMap(({ name }) => {
      const worker = workers.get(name);
      return worker === undefined ? [] : [{ name, other: `the worker of ${worker.file}` }];
    }),
  ];
  const help = 'rules and grants know a toolset by its name';
  return [
    ...none,
    ...odd,
    ...twice.map(({ name, other }) =>
      problem(
        'TWO_TOOLSETS',
        `there is another toolset or worker called \`${name}\`: one that the program gives, and ${other}`,
        help,
      ),
    ),
  ];
}

/** Rules could not tell two servers of one name apart. */
export function serverProblems({ workers }: WorkerRegistry): readonly Problem[] {
  const stated = [...workers.values()].flatMap(({ toolsets }) =>
    toolsets.flatMap((reference) => (reference.server === undefined ? [] : [reference])),
  );
  return stated.flatMap((reference, index) => {
    const before = stated.slice(0, index).find(({ key }) => key === reference.key);
    if (before === undefined || before.sha256 === reference.sha256) return [];
    const message = `${reference.at} states a different server as \`${reference.key}\` than ${before.at}`;
    return [
      problem('TWO_TOOLSETS', message, 'rules and grants know a toolset by its name: rename one of them'),
    ];
  });
}

export function providerProblems(
  workers: ReadonlyMap<string, WorkerDefinition>,
  policies: readonly Policy[],
): readonly Problem[] {
  return [...workers.values()].flatMap(({ toolsets }) =>
    toolsets
      .filter(({ key }) => key === 'provider')
      .flatMap(({ at, configuration }) =>
        providerToolsIn(configuration)
          .map((name) => `provider.${name}`)
          .filter((tool) => !policies.some((policy) => speaksAbout(policy, tool)))
          .map((tool) =>
            problem(
              'PROVIDER_TOOL',
              `${at} \`${tool}\` runs at the model’s provider, where nothing can guard it, and no policy mentions it`,
              `say under \`tools:\` of a policy what \`${tool}\` is: pre_approved, needs_approval or blocked; or leave it out`,
            ),
          ),
      ),
  );
}

function speaksAbout({ rules }: Policy, tool: string): boolean {
  return rules.some(({ about, observe, ...rule }) => {
    return about === 'tool' && !observe && 'name' in rule && namesTool(rule.name, tool);
  });
}

function twiceNamed(list: readonly Pick<Policy, 'name'>[]): readonly string[] {
  const names = list.map(({ name }) => name);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
