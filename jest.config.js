/** @type {import('jest').Config} */
export default {
  // Node itself runs the tests: it strips the types (erasable syntax only), so that they run the very source that is deployed,
  // and test files in one process share what they import.
  runner: '<rootDir>/tests/runner/runner.ts',
  testSequencer: '<rootDir>/tests/runner/order.ts',
  transform: {},
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json', 'node'],
  setupFiles: ['<rootDir>/tests/support/compile-cache.ts', '<rootDir>/console/testing/loader.ts'],
  setupFilesAfterEnv: ['<rootDir>/tests/runner/name-running-test.ts'],
  testMatch: ['<rootDir>/{functions,shared,local,tests,infra,console,bench,clients,gateway}/**/*.test.{ts,tsx}'],
  // What `npm run package` writes has a package of the same name.
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  maxWorkers: '100%',
};
