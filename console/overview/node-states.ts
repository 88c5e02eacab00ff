import type { Summary } from './links.ts';

type NodeStates = NonNullable<Summary['node_states']>;

const drawnStates = ['live', 'stale', 'offline'] as const;

type DrawnState = (typeof drawnStates)[number];

/** The number of nodes in one state over the day. */
export interface StateRow {
  state: DrawnState;
  counts: readonly number[];
  now: number;
  most: number;
  /** The last time with the most nodes. */
  mostAt: Date;
}

const timeOf = ({ begin, step_seconds: step }: NodeStates, point: number) =>
  new Date(Date.parse(begin) + point * step * 1000);

export function stateRowsOf(states: NodeStates): StateRow[] {
  return drawnStates.map((state) => {
    const counts = states[state];
    const most = Math.max(0, ...counts);
    const mostAt = timeOf(states, counts.lastIndexOf(most));
    return { state, counts, now: counts.at(-1) ?? 0, most, mostAt };
  });
}

/** The numbers of one time. */
export interface NumbersAt extends Record<DrawnState, number> {
  time: Date;
}

const POINTS_PER_HOUR = 4;

/** The numbers of each hour, the latest first: the last point is that of a whole hour after the first one. */
export function hourlyOf(states: NodeStates): NumbersAt[] {
  return states.live
    .flatMap((live, point): NumbersAt[] => {
      if (point % POINTS_PER_HOUR !== 0) return [];
      const [stale = 0, offline = 0] = [states.stale[point], states.offline[point]];
      return [{ time: timeOf(states, point), live, stale, offline }];
    })
    .toReversed();
}

/** A part of a drawing: one unit wide for each point, and `height` for the number `most`. */
export function areaOf(counts: readonly number[], most: number, height: number): string {
  const top = (count: number) => height - (most === 0 ? 0 : (count * height) / most);
  return `M0 ${height}${counts.map((count, point) => `V${top(count)}H${point + 1}`).join('')}V${height}z`;
}
