import { escapeText } from '@ambit/policy';
import { describe, expect, it } from 'vitest';
import { quote } from '../../src/text/escape.js';
import { nearest } from '../../src/text/suggest.js';

describe('escapeText', () => {
  it.each([
    ['a\nb\r\tc', 'a\\nb\\r\\tc'],
    ['\u001b[2J\u0000\u007f\u009b', '\\u001b[2J\\u0000\\u007f\\u009b'],
    ['\u202eabc\u2066', '\\u202eabc\\u2066'],
    ['a\u200bb\u2060\ufeff\u00ad', 'a\\u200bb\\u2060\\ufeff\\u00ad'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['a\u00a0b\u2003c\u3000', 'a\\u00a0b\\u2003c\\u3000'],
    ['\u3164\u115f\u034f', '\\u3164\\u115f\\u034f'],
    ['\u{e0041}\ufe0f', '\\u{e0041}\\ufe0f'],
    ['\ud800', '\\ud800'],
    ['/w/ä日😀 b', '/w/ä日😀 b'],
  ])('%j is %j', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });
});

describe('quote', () => {
  it('marks where it cut the text', () => {
    expect(quote('x'.repeat(100))).toBe(`\`${'x'.repeat(79)}…\``);
  });
});

describe('nearest', () => {
  const known = ['path', 'host', 'program', 'pre_approved', 'blocked'];
  it.each([
    ['paht', 'path'],
    ['pth', 'path'],
    ['paths', 'path'],
    ['Path', 'path'],
    ['progarm', 'program'],
    ['preapproved', 'pre_approved'],
    ['pre-approved', 'pre_approved'],
    ['block', 'blocked'],
    ['port', null],
    ['deny', null],
    ['', null],
    ['x'.repeat(1000), null],
  ])('of %j is %j', (text, name) => {
    expect(nearest(text, known)).toBe(name);
  });

  it.each([
    ['k', null],
    ['h', 'h'],
    ['H', 'h'],
    ['rx', null],
    ['.', null],
    ['R_O', 'ro'],
  ])('of %j among short names is %j: another letter is another name', (text, name) => {
    expect(nearest(text, ['h', 'ro', 'rw'])).toBe(name);
  });
});
