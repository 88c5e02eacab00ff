import { severity, type State } from '../../domain/fields/liveness.ts';
import type { Group } from '../../domain/groups/groups.ts';

/** Counts objects by value; undefined: no value. */
export class Groups {
  private readonly counts = new Map<string | undefined, Partial<Record<State, number>>>();

  get size(): number {
    return this.counts.size;
  }

  add(values: readonly string[], state: State, count = 1): void {
    for (const value of values.length === 0 ? [undefined] : values) {
      const stateCounts = this.counts.get(value) ?? {};
      stateCounts[state] = (stateCounts[state] ?? 0) + count;
      this.counts.set(value, stateCounts);
    }
  }

  result(): Group[] {
    const groups = [...this.counts].map(([value, byState]): Group => {
      const present = severity.filter((state) => byState[state] !== undefined);
      return {
        ...(value === undefined ? {} : { value }),
        count: Object.values(byState).reduce((sum, count) => sum + count, 0),
        state: present.at(-1) ?? 'live',
        by_state: byState,
      };
    });
    const order = ({ value = '' }: Group) => value;
    return groups.sort((left, right) => right.count - left.count || (order(left) < order(right) ? -1 : 1));
  }
}
