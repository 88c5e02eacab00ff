import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { endpoint as listAudit } from '../../functions/api/audit/list/endpoint.ts';
import { shortId } from '../model/kinds.tsx';
import { Who } from '../objects/history/happening.tsx';
import { LinksByKind } from '../objects/cells/object-link.tsx';
import { Moment } from '../ui/moment.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { href } from '../ui/route.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import type { BaseColumn } from '../ui/base-column.ts';
import { stackedColumn } from '../ui/stacked-column.tsx';
import { labelOf } from '../ui/words.ts';
import type { Summary } from './links.ts';
import { Small } from '../ui/small.tsx';
import { useRetentionDays } from '../model/server-version.tsx';

type Change = Summary['latest'][number];

const actions: Readonly<Record<Change['action'], string>> = { added: 'Added', changed: 'Changed', removed: 'Removed' };

const actionText = ({ action, restored }: Change) => (restored === true ? 'Restored' : actions[action]);

function Subject({ change: { kind, id, action } }: { change: Change }) {
  if (action === 'removed') return <>{`${kind} ${shortId(id)}`}</>;
  return <LinksByKind kind={kind === 'state' ? 'agent' : kind} ids={[id]} />;
}

const columns: readonly BaseColumn<Change>[] = [
  {
    id: 'object',
    header: 'Object',
    isRowHeader: true,
    cell: (change) => (
      <>
        <div className="one-line">
          <Subject change={change} />
        </div>
        <Small>{labelOf(change.kind)}</Small>
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

/** The last changes with their authors, newest first. */
export function LatestChanges({ changes }: { changes: Summary['latest'] }) {
  const narrow = useNarrow();
  const days = useRetentionDays();
  const mayCompare = useMay(listAudit);
  return (
    <Table
      items={changes}
      trackBy="change_id"
      wrapLines
      ariaLabels={{ tableLabel: 'Latest changes' }}
      columnDefinitions={narrow ? [stackedColumn(columns)] : columns}
      header={
        <Header
          variant="h2"
          actions={mayCompare && <Button href={href(['configuration', 'audit', 'compare'])}>Compare two times</Button>}
        >
          Latest changes
        </Header>
      }
      empty={<Box color="text-body-secondary">No changes in the last {days} days.</Box>}
    />
  );
}
