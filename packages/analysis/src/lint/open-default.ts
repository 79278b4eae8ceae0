import { isOpen } from '@ambit/core';
import type { Lint } from './scope.js';

/** A file that lets pass what no rule speaks about, as all that it extends does. */
export const openDefault: Lint = ({ file, files }) => {
  const [first, ...others] = files.map(({ policy }) => policy);
  if (first === undefined || first !== file.policy || !isOpen([first, ...others])) return [];
  const whole = others.length === 0 ? 'this file' : 'this file, and each that it extends,';
  return [
    {
      code: 'OPEN_DEFAULT',
      span: file.sites.default,
      message: `${whole} lets pass whatever no rule speaks about: alone it is refused without \`--open\``,
      help: '`default: needs_approval`; check a layer together with the policies that it belongs to',
    },
  ];
};
