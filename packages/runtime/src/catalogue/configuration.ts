import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere, readRegular } from '@ambit/audit';
import { messageOf } from '@ambit/core';
import { largestFile } from '@ambit/policy/yaml';
import { asProblem, fileProblem, type Problem } from '../host/problem.js';
import { type Configuration, readConfiguration } from './configuration-file.js';

/** The settings of a project for all its runs, from the root of a run. It permits nothing. */
export const configurationFile = 'ambit.yaml';

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  /** In hex; null without a file. */
  readonly sha256: string | null;
  readonly problems: readonly Problem[];
}

/** Empty without a file, or for a policy of that name. */
export async function loadConfiguration(root: string): Promise<LoadedConfiguration> {
  const path = join(root, configurationFile);
  const nothing = { configuration: emptyConfiguration, sha256: null };
  try {
    if ((await ifThere(lstat(path))) === null) return { ...nothing, problems: [] };
    const bytes = await readRegular(path, largestFile + 1);
    const { configuration, diagnostics, isPolicy } = readConfiguration(configurationFile, bytes);
    if (isPolicy) return { ...nothing, problems: [] };
    return {
      configuration: configuration ?? emptyConfiguration,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      problems: diagnostics.map(asProblem),
    };
  } catch (error) {
    const message = messageOf(error);
    return { ...nothing, problems: [fileProblem(configurationFile, message)] };
  }
}

export const emptyConfiguration: Configuration = {
  created: { model: null, maxDepth: null, toolsets: {}, roots: null, attachments: null },
  prices: null,
};
