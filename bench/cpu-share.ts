import { existsSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Lambda gives one processor at this much memory, and below it a share in proportion. https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const MB_OF_A_PROCESSOR = 1769;

const PERIOD_US = 20_000;

/** A group of processes with a share of a processor, made with the control groups of Linux. */
export interface CpuShare {
  /** What a shell does to move itself into the group before it becomes a program. */
  enter: string;
  remove: () => Promise<void>;
}

/**
 * The share of a processor that a function of this size gets on Lambda.
 *
 * @throws Error when this process may not make control groups: it takes root on Linux.
 */
export async function cpuShareOf(memoryMb: number): Promise<CpuShare> {
  const quota = Math.round((PERIOD_US * memoryMb) / MB_OF_A_PROCESSOR);
  const isUnified = existsSync('/sys/fs/cgroup/cgroup.controllers');
  const folder = join(isUnified ? '/sys/fs/cgroup' : '/sys/fs/cgroup/cpu', `bench-${process.pid}-${memoryMb}`);
  await mkdir(folder);
  if (isUnified) await writeFile(join(folder, 'cpu.max'), `${quota} ${PERIOD_US}`);
  else {
    await writeFile(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US));
    await writeFile(join(folder, 'cpu.cfs_quota_us'), String(quota));
  }
  return { enter: `echo $$ > '${join(folder, 'cgroup.procs')}'`, remove: () => rmdir(folder) };
}
