import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { CHANGE_HOURS } from '../../functions/domain/records/summary.ts';
import { stateWords } from '../model/health.ts';
import { useStore } from '../api/store.ts';
import { Small } from '../ui/small.tsx';
import { clockText, timeZone } from '../ui/time-format.ts';
import type { Summary } from './links.ts';
import { areaOf, hourlyOf, type NumbersAt, stateRowsOf, type StateRow } from './node-states.ts';
import './node-states.css';
import { numberText } from '../ui/words.ts';

const HEIGHT = 40;

/** `3 now, at most 42 at 03:15`. */
function textOf({ now, most, mostAt }: StateRow): string {
  return most === now
    ? `${numberText(now)} now`
    : `${numberText(now)} now, at most ${numberText(most)} at ${clockText(mostAt)}`;
}

function Row({ row, most }: { row: StateRow; most: number }) {
  const { state, counts } = row;
  const { look, word } = stateWords[state];
  return (
    <li aria-label={word}>
      <span>
        <StatusIndicator type={look}>{word}</StatusIndicator>
        <Small>{textOf(row)}</Small>
      </span>
      <svg className="area" viewBox={`0 0 ${counts.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className={`state-${state}`} d={areaOf(counts, most, HEIGHT)} />
      </svg>
    </li>
  );
}

const columns: TableProps.ColumnDefinition<NumbersAt>[] = [
  { id: 'time', header: 'Time', isRowHeader: true, cell: ({ time }) => clockText(time) },
  { id: 'live', header: 'Live', cell: ({ live }) => numberText(live) },
  { id: 'stale', header: 'Stale', cell: ({ stale }) => numberText(stale) },
  { id: 'offline', header: 'Offline', cell: ({ offline }) => numberText(offline) },
];

/** How many nodes were live, stale and offline over the day. Stale and offline have the same scale, live its own. */
export function NodeStates({ states }: { states: NonNullable<Summary['node_states']> }) {
  useStore(timeZone);
  const rows = stateRowsOf(states);
  const mostSilent = Math.max(...rows.map(({ state, most }) => (state === 'live' ? 0 : most)));
  return (
    <Container
      header={
        <Header variant="h2" description="Nodes that exist now, each from its first report on.">
          Nodes over the last {CHANGE_HOURS} hours
        </Header>
      }
    >
      <ul className="node-states">
        {rows.map((row) => (
          <Row key={row.state} row={row} most={row.state === 'live' ? row.most : mostSilent} />
        ))}
      </ul>
      <ExpandableSection headerText="Numbers of each hour">
        <Table
          variant="embedded"
          items={hourlyOf(states)}
          trackBy={({ time }) => time.toISOString()}
          ariaLabels={{ tableLabel: `Nodes by state in the last ${CHANGE_HOURS} hours` }}
          columnDefinitions={columns}
        />
      </ExpandableSection>
    </Container>
  );
}
