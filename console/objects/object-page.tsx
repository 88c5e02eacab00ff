import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useState } from 'react';
import type { InventoryObject, Kind } from '../model/kinds.tsx';
import { forgetObjects } from '../model/object-cache.tsx';
import { labelOf } from '../ui/words.ts';
import { href, useRoute } from '../ui/route.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { useDashboards } from '../model/dashboards.tsx';
import { DashboardLinks } from './dashboard-links.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { HealthText } from './health.tsx';
import { STATES_MS } from '../ui/auto-refresh.tsx';
import { LoadedAtContext } from '../ui/loaded-at.tsx';
import { Moment } from '../ui/moment.tsx';
import { ObjectHistory } from './object-history.tsx';
import { PageLoading } from '../ui/page-loading.tsx';
import { RefreshControl } from '../ui/refresh-control.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { RemovalDialog } from './removal-dialog.tsx';
import { useLoad } from '../ui/use-load.tsx';
import { valueText } from '../ui/value-text.ts';

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  /** Fields that `details` or a section shows in a way of its own. */
  shown: readonly string[];
  details: (object: T) => readonly KeyValuePairsProps.Pair[];
  /** What it has to do with other objects, one section each. */
  sections: (object: T) => readonly ReactNode[];
}

/** What stands in a place of its own. */
const record = ['state', 'reported_at', 'removing', 'custom_labels', 'created_at', 'updated_at', 'revision'];

/** The page of one object: what it is, its labels, and what it has to do with others. */
export function ObjectPage<T extends InventoryObject>(props: Props<T>) {
  const { kind } = props;
  const [, id = ''] = useRoute().segments;
  const {
    value: object,
    loading,
    failure,
    loadedAt,
    reload,
  } = useLoad(`${kind.folder}/${id}`, (signal) => kind.get(id, { signal }), STATES_MS);
  const above = [{ text: kind.title, href: href([kind.folder]) }];
  const failed = failure?.status === 404 ? `This ${kind.noun} does not exist` : failure && kind.title;
  usePageTitle(failed ?? (object && kind.nameOf(object)), above);

  if (failure !== undefined)
    return (
      <SpaceBetween size="m">
        <Header variant="h1">{failed}</Header>
        <FailureAlert failure={failure} what={`The ${kind.noun} could not be loaded`} retry={reload} />
        <SpaceBetween direction="horizontal" size="xs">
          <Button href={href([kind.folder])}>All {kind.folder}</Button>
          {failure.status === 404 && <Button href={href(['removed'])}>Removed objects</Button>}
        </SpaceBetween>
      </SpaceBetween>
    );
  if (object === undefined) return <PageLoading />;
  return <Loaded {...props} object={object} loading={loading} loadedAt={loadedAt} reload={reload} />;
}

interface LoadedProps<T extends InventoryObject> extends Props<T> {
  object: T;
  loading: boolean;
  loadedAt: number | undefined;
  reload: () => void;
}

function Loaded<T extends InventoryObject>(props: LoadedProps<T>) {
  const { kind, shown, details, sections, object, loading, loadedAt, reload } = props;
  const [removing, setRemoving] = useState(false);
  const [looks, setLooks] = useState(0);
  const mayChange = useMay(kind.contracts.change);
  const mayRemove = useMay(kind.contracts.remove);
  const dashboards = useDashboards(object);
  const id = kind.idOf(object);
  const hidden = new Set([...shown, ...record, kind.idField, kind.typeField]);
  const others = Object.entries(object).filter(([name]) => !hidden.has(name));
  const labels = Object.entries(object.custom_labels);

  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={mayChange ? undefined : `To change or remove it, you need the role ${kind.contracts.change.role}.`}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <RefreshControl
              what={`the ${kind.noun}`}
              loading={loading}
              loadedAt={loadedAt}
              reload={() => {
                forgetObjects();
                setLooks(looks + 1);
                reload();
              }}
            />
            {mayChange && <Button href={href([kind.folder, id, 'change'])}>Change</Button>}
            {mayRemove && <Button onClick={() => setRemoving(true)}>Remove</Button>}
          </SpaceBetween>
        }
      >
        <span className="any-word">{kind.nameOf(object)}</span>
      </Header>
      <Container header={<Header variant="h2">Details</Header>}>
        <KeyValuePairs
          columns={3}
          items={[
            {
              label: 'Health',
              value: (
                <LoadedAtContext value={loadedAt}>
                  <HealthText object={object} />
                </LoadedAtContext>
              ),
            },
            { label: 'Type', value: kind.typeOf(object) },
            ...details(object),
            ...(dashboards.length === 0 ? [] : [{ label: 'Dashboards', value: <DashboardLinks links={dashboards} /> }]),
            ...others.map(([name, value]) => ({
              label: labelOf(name),
              value: <span className="any-word">{valueText(value)}</span>,
            })),
            {
              label: 'ID',
              value: (
                <CopyToClipboard
                  variant="inline"
                  textToCopy={id}
                  textToDisplay={<span className="object-id">{id}</span>}
                  copyButtonAriaLabel="Copy the ID"
                  copySuccessText="Copied"
                  copyErrorText="Could not copy"
                />
              ),
            },
            { label: 'Added', value: <Moment time={object.created_at} exact /> },
            { label: 'Changed', value: <Moment time={object.updated_at} exact /> },
            { label: 'Revision', value: object.revision },
          ]}
        />
      </Container>
      <Container
        header={
          <Header variant="h2" counter={`(${labels.length})`}>
            Labels
          </Header>
        }
      >
        {labels.length === 0 ? (
          <Box color="text-body-secondary">No labels.</Box>
        ) : (
          <KeyValuePairs
            columns={3}
            items={labels.map(([label, value]) => ({
              label,
              value: <span className="any-word">{value === '' ? '-' : value}</span>,
            }))}
          />
        )}
      </Container>
      {sections(object).map((section, index) => (
        <div key={`${index}/${looks}`}>{section}</div>
      ))}
      <ObjectHistory key={`${id}/${object.revision}/${looks}`} kind={kind} id={id} />
      {removing && <RemovalDialog kind={kind} object={object} reloadObject={reload} close={() => setRemoving(false)} />}
    </SpaceBetween>
  );
}
