import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { CHANGE_DAYS } from '../../functions/catalogue/change-record.ts';
import { differencesOf } from '../inventory/differences.ts';
import type { Change, InventoryObject, Kind } from '../inventory/kinds.tsx';
import { labelOf, plural } from '../inventory/words.ts';
import { DifferenceList } from './difference-list.tsx';
import { FailureAlert } from './failure-alert.tsx';
import { Moment } from './moment.tsx';
import { type History, useHistory } from './use-history.tsx';
import { useNarrow } from './use-narrow.tsx';

const actions: Readonly<Record<Change['action'], string>> = { added: 'Added', changed: 'Changed', removed: 'Removed' };

function When({ change: { time } }: { change: Change }) {
  return (
    <>
      <Moment time={time} exact />
      <Box variant="small" display="block">
        <Moment time={time} />
      </Box>
    </>
  );
}

function Who({ change: { actor } }: { change: Change }) {
  return (
    <>
      <span className="any-word">{actor.name}</span>
      <Box variant="small" display="block">
        {labelOf(actor.kind)}
      </Box>
    </>
  );
}

function What({ change: { action, revision } }: { change: Change }) {
  return (
    <>
      {actions[action]}
      <Box variant="small" display="block">
        Revision {revision}
      </Box>
    </>
  );
}

function Differences({ change }: { change: Change }) {
  const differences = differencesOf(change);
  if (differences.length === 0) return <>-</>;
  if (change.action === 'changed') return <DifferenceList differences={differences} show="both" />;
  return (
    <ExpandableSection variant="inline" headerText={plural(differences.length, 'field')}>
      <DifferenceList differences={differences} show={change.action === 'added' ? 'after' : 'before'} />
    </ExpandableSection>
  );
}

function RequestId({ change: { request_id: id } }: { change: Change }) {
  return (
    <CopyToClipboard
      variant="inline"
      textToCopy={id}
      textToDisplay={<span className="object-id">{id}</span>}
      copyButtonAriaLabel={`Copy the request ID ${id}`}
      copySuccessText="Copied"
      copyErrorText="Could not copy"
    />
  );
}

type Column = TableProps.ColumnDefinition<Change>;

const columns: readonly Column[] = [
  { id: 'time', header: 'Time', isRowHeader: true, cell: (change) => <When change={change} />, minWidth: 150 },
  { id: 'what', header: 'What', cell: (change) => <What change={change} />, minWidth: 110 },
  { id: 'difference', header: 'Before and after', cell: (change) => <Differences change={change} />, minWidth: 260 },
  { id: 'who', header: 'Who', cell: (change) => <Who change={change} />, minWidth: 110 },
  { id: 'request', header: 'Request ID', cell: (change) => <RequestId change={change} /> },
];

/** Where there is little room: all of a change in one cell. */
const narrowColumns: readonly Column[] = [
  {
    id: 'change',
    header: 'Change',
    isRowHeader: true,
    cell: (change) => (
      <SpaceBetween size="xs">
        <div>
          <b>{actions[change.action]}</b> <Moment time={change.time} exact />
        </div>
        <Differences change={change} />
        <Box variant="small" display="block">
          Revision {change.revision}, by <span className="any-word">{change.actor.name}</span> (
          {labelOf(change.actor.kind)})
        </Box>
        <div>
          <Box variant="small" display="block">
            Request ID
          </Box>
          <RequestId change={change} />
        </div>
      </SpaceBetween>
    ),
  },
];

/** What comes below the changes: more of them, or why there are none. */
function endOf({ changes, loading, failure, showOlder, retry }: History) {
  if (changes.length === 0) return undefined;
  if (failure !== undefined)
    return <FailureAlert failure={failure} what="Older changes could not be loaded" retry={retry} />;
  if (loading || showOlder !== undefined)
    return (
      <Box textAlign="center">
        <Button loading={loading} onClick={() => showOlder?.()}>
          Show older
        </Button>
      </Box>
    );
  if (changes.at(-1)?.action === 'added') return undefined;
  return (
    <Box textAlign="center" color="text-body-secondary">
      Changes are kept for {CHANGE_DAYS} days: older ones are gone.
    </Box>
  );
}

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  id: string;
}

/** How an object came to be what it is: its changes, the last one first. */
export function ObjectHistory<T extends InventoryObject>({ kind, id }: Props<T>) {
  const narrow = useNarrow();
  const history = useHistory(kind, id);
  const { changes, loading, failure, showOlder, retry } = history;
  const isEmpty = changes.length === 0;
  const more = showOlder === undefined ? '' : '+';

  return (
    <Table
      variant="container"
      items={changes}
      columnDefinitions={narrow ? narrowColumns : columns}
      trackBy="change_id"
      wrapLines
      loading={loading && isEmpty}
      loadingText="Loading the history"
      {...(loading && isEmpty ? { skeleton: { totalRows: 2 } } : {})}
      ariaLabels={{ tableLabel: 'History' }}
      renderAriaLive={({ firstIndex, lastIndex }) =>
        isEmpty ? 'No changes are shown.' : `Changes ${firstIndex} to ${lastIndex} are shown.`
      }
      header={
        <Header
          variant="h2"
          counter={isEmpty ? undefined : `(${changes.length}${more})`}
          description="What was changed, by whom and in which request; the last change first."
        >
          History
        </Header>
      }
      empty={
        failure === undefined ? (
          <Box textAlign="center" color="text-body-secondary">
            No change in the last {CHANGE_DAYS} days.
          </Box>
        ) : (
          <FailureAlert failure={failure} what="The history could not be loaded" retry={retry} />
        )
      }
      footer={endOf(history)}
    />
  );
}
