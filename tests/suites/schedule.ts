import type { Needs } from './suites.ts';

export interface Machine {
  readonly processors: number;
  readonly memoryMb: number;
}

interface Needing {
  readonly needs: Needs;
}

/**
 * The suites to start now, in order, so that what runs never needs more than the machine has. A suite that needs more than that runs
 * alone.
 */
export function startable<Item extends Needing>(
  waiting: readonly Item[],
  running: readonly Needing[],
  machine: Machine,
): Item[] {
  const started: Item[] = [];
  for (const item of waiting) {
    const beside = [...running, ...started];
    const all = [...beside, item];
    const sum = (need: 'processors' | 'memoryMb') => all.reduce((total, { needs }) => total + needs[need], 0);
    const fits = sum('processors') <= machine.processors && sum('memoryMb') <= machine.memoryMb;
    const isAlone = all.some(({ needs }) => needs.alone === true);
    if (beside.length === 0 || (fits && !isAlone)) started.push(item);
  }
  return started;
}
