import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { CHANGE_DAYS } from '../../functions/domain/records/retention.ts';
import { agents, nodes, services, shortId } from '../model/kinds.tsx';
import { Who } from '../objects/history/happening.tsx';
import { ObjectLink } from '../objects/cells/object-link.tsx';
import { Moment } from '../ui/moment.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { labelOf } from '../ui/words.ts';
import type { Summary } from './links.ts';

type Change = Summary['latest'][number];

const actions: Readonly<Record<Change['action'], string>> = { added: 'Added', changed: 'Changed', removed: 'Removed' };

const actionText = ({ action, restored }: Change) => (restored === true ? 'Restored' : actions[action]);

function Subject({ change: { kind, id, action } }: { change: Change }) {
  if (action === 'removed') return <>{`${kind} ${shortId(id)}`}</>;
  if (kind === 'node') return <ObjectLink kind={nodes} id={id} />;
  if (kind === 'service') return <ObjectLink kind={services} id={id} />;
  return <ObjectLink kind={agents} id={id} />;
}

const columns: TableProps.ColumnDefinition<Change>[] = [
  {
    id: 'object',
    header: 'Object',
    isRowHeader: true,
    cell: (change) => (
      <>
        <div className="one-line">
          <Subject change={change} />
        </div>
        <Box variant="small" display="block">
          {labelOf(change.kind)}
        </Box>
      </>
    ),
  },
  {
    id: 'action',
    header: 'Action',
    cell: actionText,
  },
  { id: 'who', header: 'Caller', cell: ({ actor }) => <Who actor={actor} /> },
  { id: 'time', header: 'Time', cell: ({ time }) => <Moment time={time} /> },
];

/** Where there is little room: all of a change in one cell. */
const narrowColumns: TableProps.ColumnDefinition<Change>[] = [
  {
    id: 'change',
    header: 'Change',
    isRowHeader: true,
    cell: (change) => (
      <>
        <div>
          <Subject change={change} /> ({change.kind})
        </div>
        <Box variant="small" display="block">
          {actionText(change)} by <span className="any-word">{change.actor.name}</span>, <Moment time={change.time} />
        </Box>
      </>
    ),
  },
];

/** The last changes with their authors, newest first. */
export function LatestChanges({ changes }: { changes: Summary['latest'] }) {
  const narrow = useNarrow();
  return (
    <Table
      items={changes}
      trackBy="change_id"
      wrapLines
      ariaLabels={{ tableLabel: 'Latest changes' }}
      columnDefinitions={narrow ? narrowColumns : columns}
      header={<Header variant="h2">Latest changes</Header>}
      empty={<Box color="text-body-secondary">No changes in the last {CHANGE_DAYS} days.</Box>}
    />
  );
}
