declare module 'jest-light-runner' {
  /** A runner of Jest, which Jest makes itself. */
  const runner: unknown;
  export default runner;
}
