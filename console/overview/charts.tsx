import BarChart from '@cloudscape-design/components/bar-chart';
import Box from '@cloudscape-design/components/box';
import { CHANGE_HOURS } from '../../functions/domain/records/summary.ts';
import { clockText } from '../ui/time-format.ts';
import { changeActions, type Hour, hoursOf, sumOf, withoutImports } from './hours.ts';
import type { Summary } from './links.ts';
import { numberText } from '../ui/words.ts';

/** In pixels. The page keeps room for the charts, which are loaded after it. */
const HEIGHT = 200;

const actionTitles = { added: 'Added', changed: 'Changed', removed: 'Removed' } as const;

const empty = (
  <Box textAlign="center" color="text-body-secondary">
    No changes in the last {CHANGE_HOURS} hours.
  </Box>
);

const colours = { added: 'var(--state-live)', changed: 'var(--accent)', removed: 'var(--state-offline)' } as const;

/** `13:00: 19,876 added`. */
const importText = ({ begin, counts }: Hour) =>
  `${clockText(begin)}: ${changeActions
    .filter((action) => counts[action] > 0)
    .map((action) => `${numberText(counts[action])} ${action}`)
    .join(', ')}`;

/** The changes of each hour of the last day. Imports, beside which the others could not be seen, are named below. */
export function ChangesChart({ summary }: { summary: Summary }) {
  // The hour in which the last day begins is counted as a whole.
  const all = hoursOf(summary.changes, new Date(summary.computed_at), CHANGE_HOURS + 1);
  const { hours, imports } = withoutImports(all);
  const total = changeActions.reduce((sum, action) => sum + sumOf(hours, action), 0);
  const series = changeActions.map((action) => ({
    type: 'bar' as const,
    title: actionTitles[action],
    color: colours[action],
    data: hours.map(({ begin, counts }) => ({ x: begin, y: counts[action] })),
  }));
  return (
    <>
      <BarChart
        series={total === 0 ? [] : series}
        stackedBars
        xScaleType="categorical"
        xDomain={hours.map(({ begin }) => begin)}
        height={HEIGHT}
        hideFilter
        empty={empty}
        ariaLabel={`Changes of the last ${CHANGE_HOURS} hours`}
        xTitle="Hour"
        yTitle="Changes"
        xTickFormatter={clockText}
      />
      {imports.length > 0 && <Box variant="small">Not drawn: {imports.map(importText).join('; ')}.</Box>}
    </>
  );
}
