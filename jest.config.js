/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  // Node itself strips the types (erasable syntax only), so tests run the very source that is deployed.
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  testMatch: ['<rootDir>/{functions,shared,local,tests,infra,console}/**/*.test.ts'],
  maxWorkers: '100%',
  // Ends what hangs. How long something takes on a busy machine is no matter of tests.
  testTimeout: 30_000,
};
