import { Small } from '../ui/small.tsx';
import { type UsesOfDay, weekOf } from './last-use.ts';

/** Pixels. */
const BAR = { width: 7, gap: 2, height: 16 };

/** The authorizations of the last seven days as bars, and in words; nothing without any. */
export function Uses({ uses = [] }: { uses: readonly UsesOfDay[] | undefined }) {
  const week = weekOf(uses, new Date());
  const counts = week.map((day) => day.uses);
  const most = Math.max(...counts);
  if (most === 0) return null;
  return (
    <Small>
      <svg width={week.length * (BAR.width + BAR.gap)} height={BAR.height} fill="currentColor" aria-hidden="true">
        {week.map(({ date, uses: count }, index) => {
          // A pixel for a day without any, so that the place of each bar is visible.
          const height = Math.max(1, Math.round((count / most) * BAR.height));
          const left = index * (BAR.width + BAR.gap);
          return (
            <rect key={date} x={left} y={BAR.height - height} width={BAR.width} height={height}>
              <title>{`${date}: ${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <br />
      {counts.at(-1)} today, {counts.reduce((sum, count) => sum + count)} in 7 days
    </Small>
  );
}
