import BarChart from '@cloudscape-design/components/bar-chart';
import Box from '@cloudscape-design/components/box';
import { type State, states } from '../../functions/domain/fields/liveness.ts';
import { CHANGE_HOURS } from '../../functions/domain/records/summary.ts';
import { stateWords } from '../model/health.ts';
import { clockText } from '../ui/time-format.ts';
import { changeActions, hoursOf, sumOf } from './hours.ts';
import { countedKinds, kindTitles, type Summary } from './links.ts';

/** In pixels. The page keeps room for the charts, which are loaded after it. */
const HEIGHT = 200;

const actionTitles = { added: 'Added', changed: 'Changed', removed: 'Removed' } as const;

const empty = (
  <Box textAlign="center" color="text-body-secondary">
    No changes in the last {CHANGE_HOURS} hours.
  </Box>
);

/** The changes of each hour of the last day. */
export function ChangesChart({ summary }: { summary: Summary }) {
  // The hour in which the last day begins is counted as a whole.
  const hours = hoursOf(summary.changes, new Date(summary.computed_at), CHANGE_HOURS + 1);
  const total = changeActions.reduce((sum, action) => sum + sumOf(hours, action), 0);
  const series = changeActions.map((action) => ({
    type: 'bar' as const,
    title: actionTitles[action],
    data: hours.map(({ begin, counts }) => ({ x: begin, y: counts[action] })),
  }));
  return (
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
      i18nStrings={{ xTickFormatter: clockText }}
    />
  );
}

/** Colours of the states: those of status indicators, which a style sheet states for light and dark. */
const colours: Readonly<Record<State, string>> = {
  live: 'var(--state-live)',
  stale: 'var(--state-stale)',
  offline: 'var(--state-offline)',
  never_seen: 'var(--state-never-seen)',
};

/** Which part of each kind is in which state, in percent: the kinds differ too much in number for one scale. */
export function StatesChart({ summary }: { summary: Summary }) {
  const kinds = countedKinds.filter((kind) => summary[kind].total > 0);
  const series = states.map((state) => ({
    type: 'bar' as const,
    title: stateWords[state].word,
    color: colours[state],
    data: kinds.map((kind) => ({
      x: kindTitles[kind],
      y: (100 * (summary[kind].by_state[state] ?? 0)) / summary[kind].total,
    })),
    valueFormatter: (percent: number, title: string) => {
      const kind = kinds.find((one) => kindTitles[one] === title);
      const count = kind === undefined ? 0 : (summary[kind].by_state[state] ?? 0);
      return `${count} (${percent.toFixed(1)} %)`;
    },
  }));
  return (
    <BarChart
      series={series}
      stackedBars
      horizontalBars
      xScaleType="categorical"
      xDomain={kinds.map((kind) => kindTitles[kind])}
      yDomain={[0, 100]}
      height={HEIGHT}
      hideFilter
      empty={empty}
      ariaLabel="States by kind, in percent"
      yTitle="Percent"
    />
  );
}
