import { createEmptyTestResult, type TestResult } from '@jest/test-result';

/** The result of a file that could not tell its own: one failed test. */
export function failedResult(testFilePath: string, message: string, runtimeMs: number): TestResult {
  const title = 'the file runs to its end';
  const failureMessage = `${title}\n    ${message}\n`;
  const test = {
    ancestorTitles: [],
    failureDetails: [],
    failureMessages: [failureMessage],
    fullName: title,
    numPassingAsserts: 0,
    title,
  };
  return {
    ...createEmptyTestResult(),
    failureMessage,
    numFailingTests: 1,
    perfStats: {
      start: 0,
      end: runtimeMs,
      runtime: Math.round(runtimeMs),
      slow: false,
      loadTestEnvironmentStart: 0,
      loadTestEnvironmentEnd: 0,
      setupFilesStart: 0,
      setupFilesEnd: 0,
      setupAfterEnvStart: 0,
      setupAfterEnvEnd: 0,
    },
    testFilePath,
    testResults: [{ ...test, duration: runtimeMs, status: 'failed' }],
  };
}
