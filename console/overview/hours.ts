import type { Summary } from './links.ts';

const HOUR_MS = 3_600_000;

export const changeActions = ['added', 'changed', 'removed'] as const;

type Action = (typeof changeActions)[number];

export interface Hour {
  begin: Date;
  counts: Readonly<Record<Action, number>>;
}

/** The hours of the last day up to a time, the oldest first, with the changes in each: also those without changes. */
export function hoursOf(changes: Summary['changes'], end: Date, count: number): Hour[] {
  const last = end.getTime() - (end.getTime() % HOUR_MS);
  return Array.from({ length: count }, (_, index) => {
    const begin = new Date(last - (count - 1 - index) * HOUR_MS);
    const counts = { added: 0, changed: 0, removed: 0 };
    for (const change of changes)
      if (Date.parse(change.hour) === begin.getTime()) counts[change.action] += change.count;
    return { begin, counts };
  });
}

export function sumOf(hours: readonly Hour[], action: Action): number {
  return hours.reduce((sum, { counts }) => sum + counts[action], 0);
}
