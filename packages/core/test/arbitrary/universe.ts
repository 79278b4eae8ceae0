/** A world small enough that random rules and random calls meet: refinements, look-alikes, chains, created workers. */
export const capabilityNames = [
  'fs',
  'fs.read',
  'fs.write',
  'fs.write.outside',
  'fs.writeback',
  'net.connect',
  'tool.call',
  'proc.exec.opaque',
] as const;

/** What rules are written about; `sys.guard` is in it because a rule about it must change nothing. */
export const ruleNames = [...capabilityNames, 'net', 'sys.guard'] as const;

export const tools = ['box.put', 'box.take', 'crate.put'] as const;

export const toolKeys = [...tools, 'box.*', 'crate.*'] as const;

/** Who calls. `created:helper` was made by a worker, and `helper` has a file. */
export const workers = ['main', 'helper', 'critic', 'created:helper'] as const;

/** Whom rules are written for, besides everybody. */
export const ruleWorkers = [...workers, 'created'] as const;

/** `w/a` is not canonical, so a rule that reads it finds no path. */
export const paths = ['/w/a', '/w/b', '/w/deep/c', 'w/a'] as const;
