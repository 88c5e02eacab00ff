/** @type {import('jest').Config} */
export default {
  // Node itself runs the tests: it strips the types (erasable syntax only), so that they run the very source that is deployed,
  // and test files in one process share what they import. This runner has no time limit: `.ci/run` ends a suite that hangs.
  runner: ['<rootDir>/tests/support/test-runner.ts', { runtime: 'child_process' }],
  transform: {},
  setupFiles: ['<rootDir>/tests/support/compile-cache.ts'],
  testMatch: ['<rootDir>/{functions,shared,local,tests,infra,console,bench,clients,gateway}/**/*.test.ts'],
  maxWorkers: '100%',
};
