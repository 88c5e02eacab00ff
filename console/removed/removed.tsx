import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { BaseColumn } from '../ui/base-column.ts';
import { useState } from 'react';
import { RESTORE_DAYS } from '../../functions/domain/records/retention.ts';
import { endpoint as listRemoved } from '../../functions/api/removals/list/endpoint.ts';
import { endpoint as restoreRemoved } from '../../functions/api/removals/restore/endpoint.ts';
import { call, requestOf } from '../api/client.tsx';
import { FirstItems } from '../ui/first-items.tsx';
import { flash } from '../ui/flash.ts';
import { inOrder, nameOfRemoved, type Removal, type RemovedObject } from '../model/removal.ts';
import { plural } from '../ui/words.ts';
import { href } from '../ui/route.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { RequestId, When, Who } from '../objects/history/happening.tsx';
import { Moment } from '../ui/moment.tsx';
import { OlderTable } from '../ui/older-table.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { RemovedName, RestoreDialog } from './restore-dialog.tsx';
import { ShowCurl } from '../ui/show-curl.tsx';
import { useOlder } from '../ui/use-older.tsx';
import { Words } from '../ui/breakable-text.tsx';

const PAGE_SIZE = 25;

/** Maximum number of links in a message. */
const MAX_LINKS = 5;

/** The first object of a removal, and the others in a collapsed section. */
function What({ removal }: { removal: Removal }) {
  const [first, ...others] = inOrder(removal.objects);
  if (first === undefined) return <>-</>;
  return (
    <>
      <RemovedName object={first} />
      {others.length > 0 && (
        <ExpandableSection
          variant="inline"
          headerText={`and ${plural(others.length, 'dependent object')}`}
          headerAriaLabel={`and ${plural(others.length, 'dependent object')}: ${first.kind} ${nameOfRemoved(first)}`}
        >
          <FirstItems
            max={Infinity}
            items={others.map((object) => (
              <RemovedName key={object.id} object={object} />
            ))}
          />
        </ExpandableSection>
      )}
    </>
  );
}

/** The restored objects as links. */
function Back({ objects }: { objects: readonly RemovedObject[] }) {
  const more = objects.length - MAX_LINKS;
  return (
    <>
      {objects.length === 1 ? 'Restored: ' : `${objects.length} objects were restored: `}
      {inOrder(objects)
        .slice(0, MAX_LINKS)
        .map((object, index) => (
          <span key={object.id}>
            {index > 0 && ', '}
            <Link href={href([`${object.kind}s`, object.id])} color="inverted">
              <Words text={nameOfRemoved(object)} />
            </Link>
          </span>
        ))}
      {more > 0 && ` and ${more} more`}.
    </>
  );
}

function RestoreButton({ removal, restore }: { removal: Removal; restore: (removal: Removal) => void }) {
  const [first] = inOrder(removal.objects);
  return (
    <Button
      variant="inline-link"
      ariaLabel={`Restore ${first === undefined ? '' : `${first.kind} ${nameOfRemoved(first)}`}`}
      onClick={() => restore(removal)}
    >
      Restore
    </Button>
  );
}

function columnsOf(restore: ((removal: Removal) => void) | undefined): BaseColumn<Removal>[] {
  return [
    { id: 'time', header: 'Removed', cell: ({ removed_at: time }) => <When time={time} />, minWidth: 175 },
    { id: 'what', header: 'Objects', isRowHeader: true, cell: (removal) => <What removal={removal} />, minWidth: 240 },
    { id: 'who', header: 'Removed by', cell: ({ actor }) => <Who actor={actor} />, minWidth: 120 },
    {
      id: 'until',
      header: 'Restorable',
      cell: ({ restorable_until: until }) => (
        <>
          until <Moment time={until} exact />
        </>
      ),
      minWidth: 150,
    },
    { id: 'request', header: 'Request ID', cell: ({ request_id: id }) => <RequestId id={id} short />, minWidth: 140 },
    ...(restore === undefined
      ? []
      : [
          {
            id: 'restore',
            header: 'Actions',
            cell: (removal: Removal) => <RestoreButton removal={removal} restore={restore} />,
            minWidth: 100,
          },
        ]),
  ];
}

/** Inventory > Removed: the removals of the last days, with buttons that restore their objects. */
export function RemovedPage() {
  usePageTitle('Removed');
  const [restoring, setRestoring] = useState<Removal>();
  const mayRestore = useMay(restoreRemoved);
  const older = useOlder('removed', async (token, signal) => {
    const query = { page_size: PAGE_SIZE, page_token: token };
    const { removals: objects, next_page_token: next } = await call(listRemoved, { query }, { signal });
    return { objects, next };
  });
  const restore = mayRestore ? setRestoring : undefined;
  const meaning = `Removals of the last ${RESTORE_DAYS} days with their dependent objects. A restore keeps ids and history.`;

  return (
    <>
      <OlderTable
        older={older}
        variant="full-page"
        title="Removed"
        description={mayRestore ? meaning : `${meaning} To restore objects, you need the role ${restoreRemoved.role}.`}
        noun="removals"
        idField="removal_id"
        columns={columnsOf(restore)}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <Button
              iconName="refresh"
              ariaLabel="Reload the removals"
              loading={older.loading && older.items.length > 0}
              onClick={older.restart}
            />
            <ShowCurl what="Removed" request={requestOf(listRemoved, { query: { page_size: PAGE_SIZE } })} />
          </SpaceBetween>
        }
        none={
          <SpaceBetween size="s">
            <b>No removals to restore</b>
            <span>Removed objects can be restored for {RESTORE_DAYS} days.</span>
          </SpaceBetween>
        }
        end="No more removals can be restored."
      />
      {restoring !== undefined && (
        <RestoreDialog
          removal={restoring}
          close={(isChanged) => {
            setRestoring(undefined);
            if (isChanged) older.restart();
          }}
          restored={(objects) => {
            setRestoring(undefined);
            flash.add({ type: 'success', content: <Back objects={objects} /> });
            older.restart();
          }}
        />
      )}
    </>
  );
}
