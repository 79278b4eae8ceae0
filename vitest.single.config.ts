import base from './vitest.config.js';
export default {
  ...base,
  test: {
    ...base.test,
    projects: undefined,
    name: 'all',
    root: '.',
    include: ['packages/*/test/**/*.test.ts', 'docs/test/**/*.test.ts', 'test/**/*.test.ts'],
  },
};
