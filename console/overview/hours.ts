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

const totalOf = ({ counts }: Hour): number => changeActions.reduce((sum, action) => sum + counts[action], 0);

/** An hour with less changes than this is never an import. */
const MIN_IMPORT = 100;

/** An import has this many times the changes of the busiest other hour. */
const IMPORT_FACTOR = 10;

export interface HoursWithoutImports {
  /** With 0 for the hours of imports. */
  hours: readonly Hour[];
  /** The hours whose changes are not among `hours`. */
  imports: readonly Hour[];
}

/** Separates the hours with very many changes, beside which the others could not be seen. */
export function withoutImports(hours: readonly Hour[]): HoursWithoutImports {
  const sorted = hours.toSorted((left, right) => totalOf(right) - totalOf(left));
  const last = sorted.findLastIndex((hour, index) => {
    const next = sorted[index + 1];
    const rest = next === undefined ? 0 : totalOf(next);
    return totalOf(hour) >= MIN_IMPORT && rest > 0 && totalOf(hour) >= IMPORT_FACTOR * rest;
  });
  const imports = new Set(sorted.slice(0, last + 1));
  const none = { added: 0, changed: 0, removed: 0 };
  return {
    hours: hours.map((hour) => (imports.has(hour) ? { ...hour, counts: none } : hour)),
    imports: hours.filter((hour) => imports.has(hour)),
  };
}
