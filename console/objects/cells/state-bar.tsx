import { states } from '../../../functions/domain/fields/liveness.ts';
import { type StateCounts, totalOf } from '../../model/health.ts';

/** In pixels. */
const WIDTH = 72;
const HEIGHT = 8;

/** Of the bar and the gap before its text, in pixels. */
export const STATE_BAR_ROOM = WIDTH + 8;

/** A small bar with the share of each state. The text beside it has the numbers. */
export function StateBar({ counts }: { counts: StateCounts }) {
  const total = totalOf(counts);
  let end = 0;
  const parts = states.map((state) => {
    const begin = end;
    end += total === 0 ? 0 : ((counts[state] ?? 0) * WIDTH) / total;
    return { state, begin, width: end - begin };
  });
  return (
    <svg className="state-bar" width={WIDTH} height={HEIGHT} aria-hidden="true">
      {parts.map(({ state, begin, width }) => (
        <rect key={state} className={`state-${state}`} x={begin} width={width} height={HEIGHT} />
      ))}
    </svg>
  );
}
