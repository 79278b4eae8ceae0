import { describe, expect, it } from 'vitest';
import { codesIn } from './findings.js';

/** What is found, but for other codes. */
async function found(...lines: readonly string[]): Promise<readonly string[]> {
  const codes = await codesIn(['version: 1', ...lines, ''].join('\n'));
  return codes.filter((code) => code.endsWith('OPACITY_NOT_DECIDED'));
}

describe('undecided opaque programs are reported', () => {
  it('for a default that permits, beside a restriction', async () => {
    const open = 'default: pre_approved';
    const net = 'capabilities: { net: blocked }';
    expect(await found(open, net)).toEqual(['2:1 OPACITY_NOT_DECIDED']);
    expect(await found(open, 'tools: { http.fetch: needs_approval }')).toEqual(['2:1 OPACITY_NOT_DECIDED']);
    expect(await found(open, 'capabilities: { net: { decision: blocked, observe: true } }')).toEqual([]);
    expect(await found(open, 'capabilities: { net: blocked, proc.exec.opaque: pre_approved }')).toEqual([]);
    expect(await found('default: needs_approval', net)).toEqual([]);
  });

  it('for a file that decides about them for some workers only', async () => {
    const workers = 'workers: { w: { capabilities: { proc.exec.opaque: pre_approved } } }';
    expect(await found('default: pre_approved', 'capabilities: { net: blocked }', workers)).toEqual([
      '2:1 OPACITY_NOT_DECIDED',
    ]);
  });

  it('for a permission of everything under `proc` or `proc.exec`', async () => {
    const below = (name: string) => `capabilities: { ${name}: { decision: pre_approved, below: true } }`;
    const standard = 'default: needs_approval';
    expect(await found(standard, below('proc'))).toEqual(['3:35 OPACITY_NOT_DECIDED']);
    expect(await found(standard, below('proc.exec'))).toEqual(['3:40 OPACITY_NOT_DECIDED']);
    expect(await found(standard, below('proc.signal'))).toEqual([]);
    expect(
      await found(standard, below('proc').replace(' }', '}, proc.exec.opaque: blocked').slice(0)),
    ).toEqual([]);
  });

  it('for a combination that an opaque program could complete', async () => {
    const of = (list: string) => [
      'default: needs_approval',
      `together: [{ decision: blocked, capabilities: ${list} }]`,
    ];
    expect(await found(...of('[secret.read, net.connect]'))).toEqual(['3:12 OPACITY_NOT_DECIDED']);
    expect(await found(...of('[secret.read, proc.exec.opaque]'))).toEqual([]);
    expect(await found(...of('[worker.call, mcp.call]'))).toEqual([]);
    const rule = 'capabilities: { proc.exec.opaque: needs_approval }';
    expect(await found(...of('[secret.read, net.connect]'), rule)).toEqual([]);
  });
});
