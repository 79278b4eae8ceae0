import { describe, expect, it } from 'vitest';
import {
  isCapabilityName,
  isSimpleName,
  isToolName,
  isWithin,
  isWorkerName,
  namesTool,
  toolsetOf,
} from '../../src/index.js';

const hard = ['', ' a', 'a ', 'a\n', 'A', '1a', '_a', '-a', 'ä', '__proto__', 'a/b', 'a*', '*'];

describe('a name', () => {
  it.each([...hard, 'a.b', 'a'.repeat(101)])('%j is not a simple name', (text) => {
    expect(isSimpleName(text)).toBe(false);
  });

  it.each(['a', 'a1', 'a-b_c', 'constructor', 'a'.repeat(100)])('%j is a simple name', (text) => {
    expect(isSimpleName(text)).toBe(true);
  });

  it.each<readonly [string, boolean]>([
    ['helper', true],
    ['created:helper', true],
    ['created', true],
    ['created:', false],
    ['created:created:x', false],
    ['created:A', false],
    ['other:helper', false],
  ])('%j is a worker name: %s', (text, isName) => {
    expect(isWorkerName(text)).toBe(isName);
  });

  it.each<readonly [string, boolean]>([
    ['box.put', true],
    ['box.Put_2', true],
    ['mcp-github.repos.list', true],
    ['mcp-github.ns:tool-1', true],
    ['box', false],
    ['box.', false],
    ['.put', false],
    ['Box.put', false],
    ['box.*', false],
    ['box.pu t', false],
    ['box.-x', false],
    ['box.put\n', false],
  ])('%j is a tool name: %s', (text, isName) => {
    expect(isToolName(text)).toBe(isName);
  });

  it.each<readonly [string, boolean]>([
    ['fs', true],
    ['fs.write.outside', true],
    ['a1.b_2', true],
    ['fs.', false],
    ['.fs', false],
    ['fs..write', false],
    ['fs.1', false],
    ['fs-x', false],
    ['fs.*', false],
    ['fs.write\n', false],
    ['a'.repeat(201), false],
  ])('%j is a capability name: %s', (text, isName) => {
    expect(isCapabilityName(text)).toBe(isName);
  });

  it.each<readonly [string, string, boolean]>([
    ['fs.write', 'fs.write', true],
    ['fs.write.outside', 'fs.write', true],
    ['fs.write.outside', 'fs', true],
    ['fs.writeback', 'fs.write', false],
    ['fs', 'fs.write', false],
    ['fsx', 'fs', false],
  ])('%s is within %s: %s', (name, ancestor, isIn) => {
    expect(isWithin(name, ancestor)).toBe(isIn);
  });

  it.each<readonly [string, string, boolean]>([
    ['box.put', 'box.put', true],
    ['box.*', 'box.put', true],
    ['box.*', 'box.deep.put', true],
    ['box.*', 'boxer.put', false],
    ['box.*', 'box', false],
    ['bo.*', 'box', false],
    ['box.put', 'box.puts', false],
    ['*', 'box.put', false],
  ])('the key %s names the tool %s: %s', (key, tool, isNamed) => {
    expect(namesTool(key, tool)).toBe(isNamed);
  });

  it.each<readonly [string, string]>([
    ['box.put', 'box'],
    ['box.deep.put', 'box'],
    ['box', ''],
  ])('%s is of the toolset %j', (tool, toolset) => {
    expect(toolsetOf(tool)).toBe(toolset);
  });
});
