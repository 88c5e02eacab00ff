import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { stateWords, worstFirst, worstOf } from '../model/health.ts';
import { Words } from '../ui/breakable-text.tsx';
import { placeHref, type Summary } from './links.ts';

type Zone = Summary['zones'][number];

const totalOf = ({ by_state: counts }: Zone) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The number of nodes in each state, the worst first. */
function Counts({ zone }: { zone: Zone }) {
  return (
    <SpaceBetween size="s" direction="horizontal">
      {worstFirst.flatMap((state) => {
        const count = zone.by_state[state] ?? 0;
        if (count === 0) return [];
        return [
          <StatusIndicator key={state} type={stateWords[state].look}>
            <Link href={placeHref(zone, state)}>{`${count} ${stateWords[state].word.toLowerCase()}`}</Link>
          </StatusIndicator>,
        ];
      })}
    </SpaceBetween>
  );
}

const columns: TableProps.ColumnDefinition<Zone>[] = [
  {
    id: 'zone',
    header: 'Region and zone',
    isRowHeader: true,
    cell: (zone) => (
      <Link href={placeHref(zone)}>
        <Words text={zone.az === undefined ? zone.region : `${zone.region} / ${zone.az}`} />
      </Link>
    ),
  },
  {
    id: 'nodes',
    header: 'Nodes',
    cell: (zone) => (
      <Link href={placeHref(zone)} ariaLabel={`${totalOf(zone)} nodes in ${zone.az ?? zone.region}`}>
        {totalOf(zone)}
      </Link>
    ),
  },
  { id: 'health', header: 'Health', cell: (zone) => <Counts zone={zone} /> },
];

const rankOf = ({ by_state: counts }: Zone) => worstFirst.indexOf(worstOf(counts) ?? 'live');

/** Regions and zones with the states of their nodes, the worst first. */
export function Zones({ zones }: { zones: readonly Zone[] }) {
  const sorted = [...zones].sort((left, right) => rankOf(left) - rankOf(right));
  return (
    <Table
      items={sorted}
      trackBy={({ region, az }) => `${region}\0${az ?? ''}`}
      wrapLines
      ariaLabels={{ tableLabel: 'Regions and zones' }}
      columnDefinitions={columns}
      header={<Header variant="h2">Regions and zones</Header>}
      empty={<Box color="text-body-secondary">No node has a region.</Box>}
    />
  );
}
