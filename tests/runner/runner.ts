import { appendFileSync } from 'node:fs';
import type { Test, TestResult } from '@jest/test-result';
import type { Config } from '@jest/types';
import { listedUnstable, type UnstableTest, unstableRow, whyNotAccepted } from './unstable.ts';
import { pathOf } from './limits.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

interface Watcher {
  isInterrupted(): boolean;
}

type OnStart = (test: Test) => Promise<void>;
type OnResult = (test: Test, result: TestResult) => Promise<void>;

/** More files that fail are no coincidence, and are not repeated. */
const MAX_REPEATED_FILES = 10;

const failedTests = (file: string, { testResults }: TestResult): UnstableTest[] =>
  testResults.flatMap(({ status, ancestorTitles, title }) =>
    status === 'failed' ? [{ file, test: [...ancestorTitles, title].join(' > ') }] : [],
  );

/** The first line that says what was wrong. */
function logLine({ failureMessage }: TestResult): string {
  const [, ...lines] = (failureMessage ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines[0] ?? '';
}

const write = (text: string) => process.stderr.write(`${text}\n`);

/**
 * Runs test files in processes, as many at once as Jest says. A file that hangs is ended. A file that fails runs once more, alone, when
 * all others have ended; if it passes then, it is unstable (tests/unstable.md).
 *
 * TEST_RESULTS is a file to which it appends a line for each test file, as JSON.
 */
export default class TestRunner {
  readonly #config: Config.GlobalConfig;
  #workerData: object = {};

  constructor(globalConfig: Config.GlobalConfig) {
    this.#config = globalConfig;
  }

  async runTests(tests: Test[], watcher: Watcher, onStart: OnStart, onResult: OnResult): Promise<void> {
    const [first] = tests;
    if (first === undefined) return;
    const { config } = first.context;
    this.#workerData = { globalConfig: this.#config, projectConfig: config, runtime: 'child_process' };
    const failed: { test: Test; result: TestResult }[] = [];
    const report: OnResult = async (test, result) => {
      record(test, result);
      await onResult(test, result);
    };
    await this.#runAll(tests, watcher, onStart, async (test, result) => {
      if (result.numFailingTests === 0 || tests.length === 1) await report(test, result);
      else failed.push({ test, result });
    });
    const listed = listedUnstable();
    for (const { test, result } of failed) {
      if (failed.length > MAX_REPEATED_FILES || watcher.isInterrupted()) await report(test, result);
      else await report(test, await this.#repeat(test, result, listed));
    }
  }

  async #runAll(tests: Test[], watcher: Watcher, onStart: OnStart, onResult: OnResult): Promise<void> {
    const waiting = tests.values();
    const runSome = async () => {
      let worker: WorkerProcess | undefined;
      for (const test of waiting) {
        if (watcher.isInterrupted()) break;
        await onStart(test);
        if (worker?.isUsable !== true) worker = startWorker(this.#workerData);
        await onResult(test, await worker.run(test));
      }
      await worker?.stop();
    };
    await Promise.all(Array.from({ length: Math.min(this.#config.maxWorkers, tests.length) }, runSome));
  }

  /** @returns the result that counts. */
  async #repeat(test: Test, first: TestResult, listed: UnstableTest[]): Promise<TestResult> {
    const file = pathOf(test);
    write(`\nFailed, and runs once more alone: ${file}\n${first.failureMessage}`);
    const worker = startWorker(this.#workerData);
    const second = await worker.run(test);
    await worker.stop();
    if (second.numFailingTests > 0) return second;
    const tests = failedTests(file, first);
    const why = whyNotAccepted(tests, listed);
    if (why !== undefined) return { ...first, failureMessage: `${why}\n\n${first.failureMessage}` };
    listed.push(...tests);
    write(`Unstable: it passed alone. Add to tests/unstable.md, with the suspected cause:`);
    for (const failure of tests) write(unstableRow(failure, logLine(first)));
    return second;
  }
}

function record(test: Test, result: TestResult): void {
  const { numPassingTests: passed, numFailingTests: failed, perfStats } = result;
  const file = pathOf(test);
  const seconds = Math.ceil(perfStats.runtime / 1000);
  const line = { file, seconds, passed, failed, failures: failedTests(file, result).map((failure) => failure.test) };
  if (process.env['TEST_RESULTS'] !== undefined)
    appendFileSync(process.env['TEST_RESULTS'], `${JSON.stringify(line)}\n`);
}
