import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { CHANGE_DAYS } from '../../../functions/domain/records/retention.ts';
import type { Change, InventoryObject, Kind } from '../../model/kinds.tsx';
import { requestOf } from '../../api/client.tsx';
import { ShowCurl } from '../../ui/show-curl.tsx';
import { actorKindText } from '../../ui/words.ts';
import { ChangeDifferences } from './change-differences.tsx';
import { RequestId, When, Who } from './happening.tsx';
import { Moment } from '../../ui/moment.tsx';
import { OlderTable } from '../../ui/older-table.tsx';
import { useOlder } from '../../ui/use-older.tsx';

/** The server reads each change on its own, one after the other. */
const PAGE_SIZE = 10;

const actions: Readonly<Record<Change['action'], string>> = { added: 'Added', changed: 'Changed', removed: 'Removed' };

const actionText = ({ action, restored }: Change) => (restored === true ? 'Restored' : actions[action]);

function What({ change }: { change: Change }) {
  const { revision } = change;
  return (
    <>
      {actionText(change)}
      <Box variant="small" display="block">
        Revision {revision}
      </Box>
    </>
  );
}

type Column = TableProps.ColumnDefinition<Change>;

const columns: readonly Column[] = [
  { id: 'time', header: 'Time', isRowHeader: true, cell: ({ time }) => <When time={time} />, minWidth: 150 },
  { id: 'what', header: 'Action', cell: (change) => <What change={change} />, minWidth: 110 },
  {
    id: 'difference',
    header: 'Before and after',
    cell: (change) => <ChangeDifferences change={change} />,
    minWidth: 260,
  },
  { id: 'who', header: 'Caller', cell: ({ actor }) => <Who actor={actor} />, minWidth: 110 },
  { id: 'request', header: 'Request ID', cell: ({ request_id: id }) => <RequestId id={id} />, minWidth: 290 },
];

const narrowColumn: Column = {
  id: 'change',
  header: 'Change',
  isRowHeader: true,
  cell: (change) => (
    <SpaceBetween size="xs">
      <div>
        <b>{actionText(change)}</b> <Moment time={change.time} exact />
      </div>
      <ChangeDifferences change={change} />
      <Box variant="small" display="block">
        Revision {change.revision}, by <span className="any-word">{change.actor.name}</span> (
        {actorKindText(change.actor.kind)})
      </Box>
      <div>
        <Box variant="small" display="block">
          Request ID
        </Box>
        <RequestId id={change.request_id} />
      </div>
    </SpaceBetween>
  ),
};

/** Why there is nothing older. A short history that is whole speaks for itself. */
function endOf(changes: readonly Change[]) {
  if (changes.at(-1)?.action !== 'added')
    return `Changes are kept for ${CHANGE_DAYS} days. Older changes were removed.`;
  return changes.length > PAGE_SIZE ? 'No earlier changes: the object was added here.' : undefined;
}

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  id: string;
}

/** How an object came to be what it is: its changes, the last one first. */
export function ObjectHistory<T extends InventoryObject>({ kind, id }: Props<T>) {
  const older = useOlder(['history', kind.folder, id], (token, signal) =>
    kind.history(id, { page_size: PAGE_SIZE, page_token: token }, { signal }),
  );
  return (
    <OlderTable
      older={older}
      variant="container"
      title="History"
      description="Changes with their callers and requests, newest first."
      noun="changes"
      idField="change_id"
      columns={columns}
      narrowColumn={narrowColumn}
      none={`No changes in the last ${CHANGE_DAYS} days.`}
      end={endOf(older.items)}
      actions={
        <ShowCurl
          what="History"
          request={requestOf(kind.contracts.history, {
            params: { [kind.idField]: id },
            query: { page_size: PAGE_SIZE },
          })}
        />
      }
    />
  );
}
