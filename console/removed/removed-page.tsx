import Box from '@cloudscape-design/components/box';
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
import {
  byRequest,
  inOrder,
  nameOfRemoved,
  type Removal,
  type RemovedObject,
  type RequestRemovals,
} from '../model/removal.ts';
import { plural, numberText } from '../ui/words.ts';
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

/** More than the removals of most requests: a request is one row. */
const PAGE_SIZE = 100;

/** Maximum number of links in a message. */
const MAX_LINKS = 5;

/** The objects that a request has removed: the first one, and the others in a collapsed section. */
function What({ of: { removals, objects } }: { of: RequestRemovals }) {
  const [first, ...others] = objects;
  if (first === undefined) return <>-</>;
  const more = removals.length === 1 ? plural(others.length, 'dependent object') : `${numberText(others.length)} more`;
  return (
    <>
      <RemovedName object={first} />
      {others.length > 0 && (
        <ExpandableSection
          variant="inline"
          headerText={<Box variant="span">and {more}</Box>}
          headerAriaLabel={`and ${more}: ${first.kind} ${nameOfRemoved(first)}`}
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
      {objects.length === 1 ? 'Restored: ' : `${numberText(objects.length)} objects were restored: `}
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
      {more > 0 && ` and ${numberText(more)} more`}.
    </>
  );
}

type Restore = (removals: readonly Removal[]) => void;

function RestoreButton({ of: { removals, objects }, restore }: { of: RequestRemovals; restore: Restore }) {
  const [first] = objects;
  const name = first === undefined ? '' : `${first.kind} ${nameOfRemoved(first)}`;
  const all = `all ${numberText(objects.length)}`;
  return (
    <Button
      variant="inline-link"
      ariaLabel={removals.length === 1 ? `Restore ${name}` : `Restore ${all}: ${name}`}
      onClick={() => restore(removals)}
    >
      {removals.length === 1 ? 'Restore' : `Restore ${all}`}
    </Button>
  );
}

function columnsOf(restore: Restore | undefined): BaseColumn<RequestRemovals>[] {
  return [
    { id: 'time', header: 'Removed', cell: ({ removals: [last] }) => <When time={last.removed_at} />, minWidth: 175 },
    { id: 'what', header: 'Objects', isRowHeader: true, cell: (request) => <What of={request} />, minWidth: 240 },
    { id: 'who', header: 'Removed by', cell: ({ removals: [last] }) => <Who actor={last.actor} />, minWidth: 120 },
    {
      id: 'until',
      header: 'Restorable',
      cell: ({ removals }) => (
        <>
          until <Moment time={removals.at(-1)?.restorable_until ?? ''} exact />
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
            cell: (request: RequestRemovals) => <RestoreButton of={request} restore={restore} />,
            minWidth: 100,
          },
        ]),
  ];
}

const nameOfRequest = ({ objects: [first] }: RequestRemovals) => (first === undefined ? '' : nameOfRemoved(first));

const objectsIn = (requests: readonly RequestRemovals[]) =>
  requests.reduce((count, { objects }) => count + objects.length, 0);

/** Inventory > Removed: the removals of the last days by request, with buttons that restore their objects. */
export function RemovedPage() {
  usePageTitle('Removed');
  const [restoring, setRestoring] = useState<readonly Removal[]>();
  const [selected, setSelected] = useState<readonly RequestRemovals[]>([]);
  const mayRestore = useMay(restoreRemoved);
  const older = useOlder('removed', async (token, signal) => {
    const query = { page_size: PAGE_SIZE, page_token: token };
    const { removals: objects, next_page_token: next } = await call(listRemoved, { query }, { signal });
    return { objects, next };
  });
  const restore = mayRestore ? setRestoring : undefined;
  const reload = () => {
    setRestoring(undefined);
    setSelected([]);
    older.restart();
  };
  const meaning = `Removals of the last ${RESTORE_DAYS} days with their dependent objects. A restore keeps ids and history.`;

  return (
    <>
      <OlderTable
        older={{ ...older, items: byRequest(older.items) }}
        variant="full-page"
        title="Removed"
        description={mayRestore ? meaning : `${meaning} To restore objects, you need the role ${restoreRemoved.role}.`}
        noun="removals"
        idField="request_id"
        columns={columnsOf(restore)}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            {restore !== undefined && (
              <Button
                disabled={selected.length === 0}
                onClick={() => restore(selected.flatMap(({ removals }) => removals))}
              >
                {selected.length === 0 ? 'Restore selected' : `Restore ${plural(objectsIn(selected), 'object')}`}
              </Button>
            )}
            <Button
              iconName="refresh"
              ariaLabel="Reload the removals"
              loading={older.loading && older.items.length > 0}
              onClick={reload}
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
        {...(mayRestore && { selection: { selected, select: setSelected, nameOf: nameOfRequest } })}
      />
      {restoring !== undefined && (
        <RestoreDialog
          removals={restoring}
          close={(isChanged) => {
            if (isChanged) reload();
            else setRestoring(undefined);
          }}
          restored={(objects) => {
            flash.add({ type: 'success', content: <Back objects={objects} /> });
            reload();
          }}
        />
      )}
    </>
  );
}
