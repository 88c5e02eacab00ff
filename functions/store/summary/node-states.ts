import * as z from 'zod/mini';
import type { State } from '../../domain/fields/liveness.ts';
import { STATE_POINTS, STATE_STEP_SECONDS } from '../../domain/records/summary.ts';
import type { Heartbeat } from '../heartbeats/heartbeat.ts';
import { intervalsBetween, timelineOf } from '../heartbeats/timeline.ts';

const STEP_MS = STATE_STEP_SECONDS * 1000;

/** The states that are counted: a node that has not reported is in none of them. */
const countedStates = ['live', 'stale', 'offline'] as const satisfies readonly State[];

const numbers = z.array(z.int());

export const nodeStatesSchema = z.object({
  /** The time of the first point, in milliseconds since 1970. */
  begin: z.number(),
  /** The number of nodes in each state at each point. */
  counts: z.object({ live: numbers, stale: numbers, offline: numbers }),
});

export type NodeStates = z.output<typeof nodeStatesSchema>;

/** No counts, at points of which the last one is now. */
export function newNodeStates(now: Date): NodeStates {
  const zeros = () => Array.from({ length: STATE_POINTS }, () => 0);
  return {
    begin: now.getTime() - (STATE_POINTS - 1) * STEP_MS,
    counts: { live: zeros(), stale: zeros(), offline: zeros() },
  };
}

/** Counts a node in its state at each point at which that is known. */
export function addNodeStates({ begin, counts }: NodeStates, heartbeat: Heartbeat): void {
  const pointFrom = (time: number) => Math.ceil((time - begin) / STEP_MS);
  const end = begin + STATE_POINTS * STEP_MS;
  for (const interval of intervalsBetween(timelineOf(heartbeat), begin, end)) {
    const state = countedStates.find((candidate) => candidate === interval.state);
    if (state === undefined) continue;
    for (let point = pointFrom(interval.begin); point < pointFrom(interval.end); point += 1)
      counts[state][point] = (counts[state][point] ?? 0) + 1;
  }
}
