import { describe, expect, it } from 'vitest';
import { newMark, processesOf } from '../../src/processes/reach.js';

describe('processesOf', () => {
  it('refuses arguments that would match every process', () => {
    const { name } = newMark();
    for (const leader of [-1, 0, 1, Number.NaN])
      expect(() => processesOf({ leader, mark: newMark() })).toThrow(TypeError);
    // An environment ends with a NUL, and so with an empty entry.
    for (const value of ['', '0', 'x'.repeat(32)])
      expect(() => processesOf({ leader: 2, mark: { name, value } })).toThrow(TypeError);
  });

  it('never contains its own process', () => {
    expect(processesOf({ leader: process.pid, mark: newMark() })).not.toContain(process.pid);
  });
});
