/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/shared/testing/environment.js',
  // Node itself strips the types (erasable syntax only), so tests run the very source that is deployed.
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  testMatch: ['<rootDir>/{functions,shared,local,tests,infra,console}/**/*.test.ts'],
  maxWorkers: '100%',
  // Ends a test that hangs. It is the only time limit of a test: how long a step takes on a busy machine proves nothing.
  testTimeout: 600_000,
};
