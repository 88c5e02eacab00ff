import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

interface Process {
  pid: number;
  parent: number;
  group: number;
}

/** Every process of this machine; not those that only wait to be reaped. */
async function processes(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=']);
  return stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state]) => state?.startsWith('Z') === false)
    .map(([pid, parent, group]) => ({ pid: Number(pid), parent: Number(parent), group: Number(group) }));
}

/** The processes that a process has started, and theirs. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const all = await processes();
  const below = (parent: number): number[] =>
    all.filter((entry) => entry.parent === parent).flatMap((entry) => [entry.pid, ...below(entry.pid)]);
  return below(pid);
}

export async function anyRuns(pids: readonly number[]): Promise<boolean> {
  return (await processes()).some(({ pid }) => pids.includes(pid));
}

/** @param interval between two looks, in milliseconds: longer where a look is work for a server. */
export async function eventually(
  condition: () => Promise<boolean> | boolean,
  milliseconds = 120_000,
  interval = 10,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${milliseconds} ms: ${String(condition)}`);
    await delay(interval);
  }
}
