import { type ChildProcess, fork } from 'node:child_process';
import { url as inspectorUrl } from 'node:inspector';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Test, TestResult } from '@jest/test-result';
import { failedResult } from './failed-result.ts';
import { killTree, readProcesses } from './process-tree.ts';
import { limitsOf } from './limits.ts';
import { watchFile } from './watch.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

const LOOK_MS = 1000;

/** What a worker sends: the test that begins, or how its file ended. */
type Message = { test: string } | { result: TestResult } | { error: string };

/** A process that runs test files, one at a time. */
export interface WorkerProcess {
  /** Runs a file to its end, or ends it when it hangs: then this process is of no more use. */
  run(test: Test): Promise<TestResult>;
  readonly isUsable: boolean;
  stop(): Promise<void>;
}

/** @param workerData what jest-light-runner tells its workers: the settings of the run. */
export function startWorker(workerData: object): WorkerProcess {
  const child: ChildProcess = fork(WORKER, {
    serialization: 'advanced',
    // Pages make and drop many objects: they are collected less often with more room for young ones.
    execArgv: [...process.execArgv, '--max-semi-space-size=64'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code ?? 'unknown'}`));
  });
  child.send(workerData);
  let isUsable = true;

  return {
    get isUsable() {
      return isUsable;
    },

    async run(test) {
      const begin = performance.now();
      const { pid = 0 } = child;
      // The process has worked for other files.
      const before = readProcesses().processorSeconds(pid) ?? 0;
      const look = watchFile(limitsOf(test));
      let running = 'the import of the file';
      let watch: NodeJS.Timeout | undefined;
      const failure = (why: string) =>
        failedResult(test.path, `${why} (while running: ${running})`, performance.now() - begin);
      const finished = new Promise<TestResult>((resolve) => {
        child.removeAllListeners('message');
        child.on('message', (message: Message) => {
          if ('test' in message) running = message.test;
          else resolve('result' in message ? message.result : failure(message.error));
        });
        // A debugger stops a file for as long as a person looks at it.
        if (inspectorUrl() === undefined)
          watch = setInterval(() => {
            const seconds = readProcesses().processorSeconds(pid);
            const why = look({
              processorSeconds: seconds === undefined ? undefined : seconds - before,
              wallSeconds: (performance.now() - begin) / 1000,
              load: (loadavg()[0] ?? 0) / availableParallelism(),
            });
            if (why === undefined) return;
            isUsable = false;
            killTree(pid);
            resolve(failure(`The file was ended: it ${why}`));
          }, LOOK_MS);
        void ended.then((how) => {
          isUsable = false;
          resolve(failure(`The process of the file ended: ${how}`));
        });
      });
      child.send({ file: test.path });
      try {
        return await finished;
      } finally {
        clearInterval(watch);
      }
    },

    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
