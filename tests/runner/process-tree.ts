import { readdirSync, readFileSync } from 'node:fs';

/** The unit of times in /proc, which Linux gives to programs as 1/100 s on every platform of Node. */
const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  readonly parent: number;
  readonly seconds: number;
}

function timesOf(pid: number): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program stands in brackets, and may contain spaces. After it: state, parent, ...
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // utime, stime, and those of the children that have ended
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined; // it has ended
  }
}

/** The processes below one another, as the system has them now. */
export interface ProcessTree {
  /** The process and all that it started, directly or not; without it if it has ended. */
  descendants(pid: number): number[];
  /** User and system time of the process and of all that it started; undefined where the system does not tell. */
  processorSeconds(pid: number): number | undefined;
}

/** Reads all processes of a Linux. Elsewhere there are none. */
export function readProcesses(): ProcessTree {
  const processes = new Map<number, ProcessTimes>();
  if (process.platform === 'linux')
    for (const name of readdirSync('/proc')) {
      const times = /^\d+$/.test(name) ? timesOf(Number(name)) : undefined;
      if (times !== undefined) processes.set(Number(name), times);
    }
  const children = Map.groupBy(processes.keys(), (pid) => processes.get(pid)?.parent);
  const descendants = (pid: number): number[] =>
    processes.has(pid) ? [pid, ...(children.get(pid) ?? []).flatMap(descendants)] : [];
  return {
    descendants,
    processorSeconds(pid) {
      const pids = descendants(pid);
      return pids.length === 0 ? undefined : pids.reduce((sum, child) => sum + (processes.get(child)?.seconds ?? 0), 0);
    },
  };
}

/** Ends a process and all that it started. */
export function killTree(pid: number): void {
  for (const processId of [pid, ...readProcesses().descendants(pid)])
    try {
      process.kill(processId, 'SIGKILL');
    } catch {
      // It has ended.
    }
}
