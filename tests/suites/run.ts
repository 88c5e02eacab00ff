/*
 * Runs suites, as many at once as the machine has room for, and prints a table of them and a line with the sum.
 *
 * node tests/suites/run.ts gate | full | NAME ... | --since REV
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { killTree, readProcesses } from '../runner/process-tree.ts';
import { watchFile } from '../runner/watch.ts';
import { readChoice, suitesChangedBy } from './choose.ts';
import { type Machine, startable } from './schedule.ts';
import { type Suite, suites } from './suites.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const logs = join(root, 'dist/suites');

/** A suite downloads programs, and waits for them. */
const IDLE_SECONDS = 300;

interface Outcome {
  readonly suite: Suite;
  readonly seconds: number;
  readonly passed: number;
  readonly failures: readonly string[];
}

/** The results of the test files of a suite. A suite without such counts as one. */
async function readResults(
  file: string,
  name: string,
  exit: string | undefined,
): Promise<Pick<Outcome, 'passed' | 'failures'>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { file: string; passed: number; failures: string[] });
  const failures = lines.flatMap((line) => line.failures.map((test) => `${line.file}: ${test}`));
  if (exit !== undefined && failures.length === 0) failures.push(`${name}: ${exit}`);
  const passed = lines.reduce((sum, line) => sum + line.passed, 0);
  return { failures, passed: lines.length === 0 && exit === undefined ? 1 : passed };
}

const print = (text: string) => process.stdout.write(`${text}\n`);

/** Runs the command in a shell, with its output in a file, and ends it when it hangs. @returns how it failed, if it did. */
async function runCommand({ command, usualSeconds }: Suite, log: string, results: string): Promise<string | undefined> {
  const output = openSync(log, 'w');
  const child = spawn('bash', ['-c', command], {
    cwd: root,
    env: { ...process.env, TEST_RESULTS: results },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const begin = performance.now();
  const look = watchFile({ usualSeconds, idleSeconds: IDLE_SECONDS });
  let why: string | undefined;
  const watch = setInterval(() => {
    if (child.pid === undefined || why !== undefined) return;
    why = look({
      processorSeconds: readProcesses().processorSeconds(child.pid),
      wallSeconds: (performance.now() - begin) / 1000,
      load: (loadavg()[0] ?? 0) / availableParallelism(),
    });
    if (why !== undefined) killTree(child.pid);
  }, 1000);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearInterval(watch);
  return code === 0 ? undefined : (why ?? signal ?? `exit code ${code}`);
}

async function runSuite(suite: Suite): Promise<Outcome> {
  const { name, command } = suite;
  const begin = performance.now();
  const log = join(logs, `${name}.log`);
  const results = join(logs, `${name}.jsonl`);
  print(`== ${name} begins: ${command}`);
  const exit = await runCommand(suite, log, results);
  const seconds = Math.round((performance.now() - begin) / 1000);
  const outcome = { suite, seconds, ...(await readResults(results, name, exit)) };
  const { passed, failures } = outcome;
  print(`\n== ${name}\n${await readFile(log, 'utf8')}`);
  print(`== ${name}: ${seconds} s, ${passed} passed, ${failures.length} failed`);
  return outcome;
}

/** Installs the programs of suites. */
const installOf = (chosen: readonly Suite[]): Suite => ({
  name: 'install',
  command: `.ci/install ${[...new Set(chosen.flatMap((suite) => suite.programs ?? []))].join(' ')}`,
  in: 'full',
  needs: { processors: 0, memoryMb: 500 },
  usualSeconds: 120,
  changedBy: [],
});

/** Starts each suite as soon as there is room for it, and its programs are installed. */
async function runSuites(chosen: readonly Suite[], machine: Machine): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const running = new Map<Suite, Promise<void>>();
  const install = installOf(chosen);
  let waiting = [install, ...chosen];
  while (waiting.length > 0 || running.size > 0) {
    const isInstalled = outcomes.some(({ suite }) => suite === install);
    const ready = waiting.filter((suite) => isInstalled || suite.programs === undefined);
    const started = startable(ready, [...running.keys()], machine);
    waiting = waiting.filter((suite) => !started.includes(suite));
    for (const suite of started)
      running.set(
        suite,
        runSuite(suite).then((outcome) => {
          outcomes.push(outcome);
          running.delete(suite);
        }),
      );
    await Promise.race(running.values());
  }
  return outcomes;
}

async function changedSince(revision: string): Promise<string[]> {
  const git = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('git', args, { cwd: root, maxBuffer: 2 ** 26 });
    return stdout.split('\n').filter(Boolean);
  };
  return [
    ...(await git('diff', '--name-only', revision)),
    ...(await git('ls-files', '--others', '--exclude-standard')),
  ];
}

async function choose(args: readonly string[]): Promise<Suite[]> {
  const choice = readChoice(args);
  if ('since' in choice) return suitesChangedBy(await changedSince(choice.since));
  return suites.filter((suite) => ('run' in choice ? suite.in === choice.run : choice.names.includes(suite.name)));
}

function printTable(outcomes: readonly Outcome[]): void {
  print('\n| suite | seconds | passed | failed | failures |\n|---|---|---|---|---|');
  for (const { suite, seconds, passed, failures } of outcomes)
    print(`| ${suite.name} | ${seconds} | ${passed} | ${failures.length} | ${failures.join('; ')} |`);
}

await mkdir(logs, { recursive: true });
const chosen = await choose(process.argv.slice(2));
for (const { name } of chosen) await rm(join(logs, `${name}.jsonl`), { force: true });
// No test of the gate depends on the load of the machine, so that its suites share the processors.
const isGate = chosen.every((suite) => suite.in === 'gate');
const machine = { processors: isGate ? Infinity : availableParallelism(), memoryMb: totalmem() / 2 ** 20 };
const outcomes = await runSuites(chosen, machine);
printTable(outcomes);
const failed = outcomes.reduce((sum, { failures }) => sum + failures.length, 0);
print(`\n${outcomes.reduce((sum, { passed }) => sum + passed, 0)} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
