import { decidesOpacity, impliesOpacity, isOpen, isWithin, opaque } from '@ambit/core';
import type { WrittenCombination } from '@ambit/policy';
import { heardSites, type Lint, type LintedFile, type Report } from './subject/scope.js';
import type { RuleSite } from './subject/sites.js';

export const opacity: Lint = ({ file }, report) => {
  const sites = heardSites(file);
  if (sites.some(({ rule }) => decidesOpacity(rule))) return;
  checkDefault(file, sites, report);
  for (const site of sites) checkRule(site, report);
};

function checkDefault(file: LintedFile, sites: readonly RuleSite[], report: Report): void {
  if (!impliesOpacity(file.policy)) return;
  const message = `this file restricts something and has no rule for \`${opaque}\`, so programs that could do anything need approval`;
  report('OPACITY_NOT_DECIDED', file.sites.default, { message, help: decide(sites) });
}

function checkRule({ rule, decision, name }: RuleSite, report: Report): void {
  const isWide = rule.about === 'capability' && rule.below && rule.name !== opaque;
  if (rule.about === 'combination' && isCompletedUnseen(rule))
    report('OPACITY_NOT_DECIDED', name, {
      message: 'an opaque program could do a part of this combination, and the rule would not see it',
      help: decide([]),
    });
  else if (isWide && isWithin(opaque, rule.name))
    report('OPACITY_NOT_DECIDED', decision, {
      message: `\`below: true\` also permits \`${opaque}\`: programs that could do anything`,
      help: decide([]),
    });
}

/** Whether a program could do one of its members, and opaque programs are not among them. */
function isCompletedUnseen({ members }: WrittenCombination): boolean {
  return (
    !members.some(({ name }) => isWithin(opaque, name)) &&
    members.some(({ name }) => families.some((family) => isWithin(name, family)))
  );
}

const families = ['fs', 'net', 'secret', 'code', 'env', 'vcs', 'sys', 'priv', 'proc', 'message', 'content'];

function decide(sites: readonly RuleSite[]): string {
  const isSpoken = sites.some(({ rule }) => rule.about === 'capability' && rule.name === opaque);
  return `\`${opaque}: needs_approval\` under \`capabilities:\`${isSpoken ? ', for everybody' : ''}; or blocked, or pre_approved`;
}

export const openDefault: Lint = ({ file, files }, report) => {
  const [first, ...others] = files.map(({ policy }) => policy);
  if (first === undefined || first !== file.policy || !isOpen([first, ...others])) return;
  const whole = others.length === 0 ? 'this file' : 'this file, and each that it extends,';
  report('OPEN_DEFAULT', file.sites.default, {
    message: `${whole} permits every call without a matching rule: as the only policy it is refused without \`--open\``,
    help: '`default: needs_approval`; check a layer together with the policies that it belongs to',
  });
};
