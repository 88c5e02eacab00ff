import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useState } from 'react';
import { selectorOf } from '../../model/silences.tsx';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { foreignReason, useOwnerLimit } from '../../model/own-objects.tsx';
import { reloadShown } from '../../api/queries.tsx';
import { href, useRoute } from '../../ui/route.tsx';
import { useMay } from '../../ui/caller-context.tsx';
import { type Details, ObjectDetails, ObjectLabels } from './object-details.tsx';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import { STATES_MS } from '../../ui/auto-refresh.tsx';
import { ObjectHistory } from '../history/object-history.tsx';
import { PageLoading } from '../../ui/page-loading.tsx';
import { RefreshControl } from '../../ui/refresh-control.tsx';
import { usePageTitle } from '../../ui/page-title.tsx';
import { useObjectName } from '../cells/object-name.tsx';
import { SilenceButton } from '../bulk/silence-button.tsx';
import { ObjectSilenceMarks } from '../bulk/silence-marks.tsx';
import { RemovalDialog } from '../bulk/removal-dialog.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import { numberText } from '../../ui/words.ts';

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  details: Details<T>;
  /** The states of the last day. */
  states?: (object: T) => ReactNode;
  /** The tables of related objects. */
  sections: (object: T) => readonly ReactNode[];
}

/** The page of one object: its fields, its labels, and its relations to others. */
export function ObjectPage<T extends InventoryObject>(props: Props<T>) {
  const { kind } = props;
  const [, id = ''] = useRoute().segments;
  const {
    value: object,
    loading,
    failure,
    loadedAt,
    reload,
  } = useLoad(['object', kind.folder, id], (signal) => kind.get(id, { signal }), STATES_MS);
  const above = [{ text: kind.title, href: href([kind.folder]) }];
  const failed = failure?.status === 404 ? `This ${kind.noun} does not exist` : failure && kind.title;
  const name = useObjectName(kind, object);
  usePageTitle(failed ?? name, above);

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
  const { kind, details, states, sections, object, loading, loadedAt, reload } = props;
  const [removing, setRemoving] = useState(false);
  const isAllowed = useMay(kind.contracts.change);
  const foreign = foreignReason(useOwnerLimit(), kind, object);
  const mayChange = isAllowed && foreign === undefined;
  const mayRemove = useMay(kind.contracts.remove) && foreign === undefined;
  const id = kind.idOf(object);
  const labels = Object.entries(object.custom_labels);

  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={isAllowed ? foreign : `To change or remove it, you need the role ${kind.contracts.change.role}.`}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <RefreshControl
              what={`the ${kind.noun}`}
              loading={loading}
              loadedAt={loadedAt}
              reload={() => {
                reload();
                reloadShown();
              }}
            />
            {mayChange && <Button href={href([kind.folder, id, 'change'])}>Change</Button>}
            {foreign === undefined && <SilenceButton selector={selectorOf(kind.idField, [id])} />}
            {mayRemove && <Button onClick={() => setRemoving(true)}>Remove</Button>}
          </SpaceBetween>
        }
      >
        <bdi className="any-word">{useObjectName(kind, object)}</bdi>
      </Header>
      <ObjectSilenceMarks kind={kind} object={object} />
      <Container header={<Header variant="h2">Details</Header>}>
        <ObjectDetails kind={kind} object={object} details={details} loadedAt={loadedAt} columns={3} />
      </Container>
      {states?.(object)}
      <Container
        header={
          <Header variant="h2" counter={`(${numberText(labels.length)})`}>
            Labels
          </Header>
        }
      >
        {labels.length === 0 ? (
          <Box color="text-body-secondary">No labels.</Box>
        ) : (
          <ObjectLabels labels={object.custom_labels} columns={3} />
        )}
      </Container>
      {sections(object).map((section, index) => (
        <div key={index}>{section}</div>
      ))}
      <ObjectHistory key={`${id}/${object.revision}`} kind={kind} id={id} />
      {removing && <RemovalDialog kind={kind} object={object} reloadObject={reload} close={() => setRemoving(false)} />}
    </SpaceBetween>
  );
}
