import type { BaseColumn } from '../../ui/base-column.ts';
import type { Change, InventoryObject, Kind } from '../../model/kinds.tsx';
import { requestOf } from '../../api/client.tsx';
import { ShowCurl } from '../../ui/show-curl.tsx';
import { ChangeDifferences } from './change-differences.tsx';
import { RequestId, When, Who } from './happening.tsx';
import { OlderTable } from '../../ui/older-table.tsx';
import { useOlder } from '../../ui/use-older.tsx';
import { Small } from '../../ui/small.tsx';
import { useRetentionDays } from '../../model/server-version.tsx';

/** The server reads the changes one after the other. */
const PAGE_SIZE = 10;

const actions: Readonly<Record<Change['action'], string>> = { added: 'Added', changed: 'Changed', removed: 'Removed' };

const actionText = ({ action, restored }: Change) => (restored === true ? 'Restored' : actions[action]);

function What({ change }: { change: Change }) {
  const { revision } = change;
  return (
    <>
      {actionText(change)}
      <Small>Revision {revision}</Small>
    </>
  );
}

const columns: readonly BaseColumn<Change>[] = [
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

/** The reason why no older changes are shown. A short, complete history needs none. */
function endOf(changes: readonly Change[], days: number) {
  if (changes.at(-1)?.action !== 'added') return `Changes are kept for ${days} days. Older changes were removed.`;
  return changes.length > PAGE_SIZE ? 'No earlier changes: the object was added here.' : undefined;
}

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  id: string;
}

/** The changes of an object, newest first. */
export function ObjectHistory<T extends InventoryObject>({ kind, id }: Props<T>) {
  const days = useRetentionDays();
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
      none={`No changes in the last ${days} days.`}
      end={endOf(older.items, days)}
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
