import type { ApiKey } from '../model/api-keys.tsx';
import { Moment } from '../ui/moment.tsx';
import { Small } from '../ui/small.tsx';
import { type UsesOfDay, weekOf } from './last-use.ts';

/** Pixels. */
const BAR = { width: 7, gap: 2, height: 16 };

/** The authorizations of the last seven days as bars, and in words; nothing without any. */
function Uses({ uses = [] }: { uses: readonly UsesOfDay[] | undefined }) {
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

function UsedAt({ time, from }: { time: string; from: string | undefined }) {
  return (
    <>
      <Moment time={time} />
      {from !== undefined && ` from ${from}`}
    </>
  );
}

/** The last use of the current secret, and after a rotation of the former ones. */
export function LastUse({ apiKey }: { apiKey: ApiKey }) {
  const { last_used_at: used, last_used_from: from, former_last_used_at: former, former_last_used_from } = apiKey;
  return (
    <>
      {used === undefined ? 'Never' : <UsedAt time={used} from={from} />}
      {former !== undefined && (
        <Small>
          Former secret: <UsedAt time={former} from={former_last_used_from} />
        </Small>
      )}
      <Uses uses={apiKey.uses_by_day} />
    </>
  );
}
