/* The process in which test files run: jest-light-runner's code for a worker. */
import type { TestResult } from '@jest/test-result';

interface LightWorker {
  default: (file: string) => Promise<TestResult>;
  setWorkerData: (data: unknown) => void;
}

// A module of the package that its index does not export.
const { default: run, setWorkerData } = (await import(
  new URL('worker-runner.js', import.meta.resolve('jest-light-runner')).href
)) as LightWorker;

process.once('message', (workerData) => {
  setWorkerData(workerData);
  process.on('message', ({ file }: { file: string }) => {
    run(file).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
    );
  });
});

// Files leave timers and connections.
process.once('disconnect', () => process.exit());
