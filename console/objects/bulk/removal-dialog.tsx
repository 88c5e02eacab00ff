import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { type ApiFailure, requestOf } from '../../api/client.tsx';
import { flash } from '../../ui/flash.ts';
import { type Dependant, type Dependants, dependantsOf } from '../../model/dependants.tsx';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { plural } from '../../ui/words.ts';
import { go, href } from '../../ui/route.tsx';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import { CurlSection } from '../../ui/show-curl.tsx';
import { offerUndo } from './undo-removal.tsx';
import { failureOf, useLoad } from '../../ui/use-load.tsx';

const MAX_NAMED = 10;

function Named({ title, dependants }: { title: string; dependants: readonly Dependant[] }) {
  if (dependants.length === 0) return null;
  const more = dependants.length - MAX_NAMED;
  return (
    <div>
      <Box fontWeight="bold">{title}</Box>
      <ul className="named">
        {dependants.slice(0, MAX_NAMED).map(({ noun, id, name }) => (
          <li key={id}>
            {noun} <b className="any-word">{name}</b>
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </div>
  );
}

function Consequences({ dependants, noun }: { dependants: Dependants; noun: string }) {
  const { removed, changed, more } = dependants;
  if (removed.length + changed.length === 0) return <div>No objects depend on it.</div>;
  return (
    <Alert type="warning" header={`Other objects depend on this ${noun}`}>
      <SpaceBetween size="xs">
        <Named title="Also removed:" dependants={removed} />
        <Named title={`Kept, without this ${noun}:`} dependants={changed} />
        {more && <div>The list is incomplete: only the first objects were read.</div>}
      </SpaceBetween>
    </Alert>
  );
}

/** What is to be removed with a click has been seen before: the object and all that goes with it. */
export function RemovalDialog<T extends InventoryObject>({
  kind,
  object,
  reloadObject,
  close,
}: {
  kind: Kind<T>;
  object: T;
  /** For an object that is not any more as it is shown. */
  reloadObject: () => void;
  close: () => void;
}) {
  const { noun } = kind;
  const id = kind.idOf(object);
  const {
    value: dependants,
    failure: lookFailure,
    reload,
  } = useLoad(`dependants/${id}`, (signal) => dependantsOf(object, signal));
  const [agreed, setAgreed] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const count = dependants === undefined ? 0 : dependants.removed.length + dependants.changed.length;

  const name = kind.nameOf(object);
  const leave = () => go(href([kind.folder]));
  const remove = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await kind.remove(id, { force: count > 0 }, { ifMatch: object.revision });
      const what = `The ${noun} ${name} was removed${count > 0 ? ' with its dependent objects' : ''}.`;
      offerUndo({ folder: kind.folder, noun, id, name }, what);
      leave();
    } catch (error) {
      const known = failureOf(error);
      if (known.status === 404) {
        flash.add({ type: 'success', content: `The ${noun} ${name} was already removed.` }, { pages: 1 });
        leave();
        return;
      }
      setFailure(known);
      setBusy(false);
      setAgreed(false);
      reload();
      if (known.status === 412) reloadObject();
    }
  };

  return (
    <Modal
      visible
      header={`Remove ${noun}`}
      onDismiss={close}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={close}>
              Cancel
            </Button>
            <Button
              variant="primary"
              loading={busy}
              disabled={dependants === undefined || (count > 0 && !agreed)}
              onClick={() => void remove()}
            >
              Remove
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <div>
          Remove the {noun} <b className="any-word">{name}</b> from the inventory? No running program is stopped or
          deleted.
        </div>
        {failure !== undefined && (
          <FailureAlert
            failure={failure}
            what={
              failure.status === 412
                ? `The ${noun} was changed by another user. Check its current state on its page`
                : `The ${noun} could not be removed`
            }
          />
        )}
        {dependants === undefined ? (
          lookFailure === undefined ? (
            <StatusIndicator type="loading">Loading dependent objects</StatusIndicator>
          ) : (
            <FailureAlert failure={lookFailure} what="The dependent objects are unknown" retry={reload} />
          )
        ) : (
          <SpaceBetween size="m">
            <Consequences dependants={dependants} noun={noun} />
            {count > 0 && (
              <Checkbox checked={agreed} onChange={({ detail }) => setAgreed(detail.checked)}>
                Remove it although {plural(count, 'object')} {dependants.more ? 'and more ' : ''}
                {count === 1 ? 'depends' : 'depend'} on it
              </Checkbox>
            )}
            <CurlSection
              request={{
                ...requestOf(kind.contracts.remove, { params: { [kind.idField]: id }, query: { force: count > 0 } }),
                revision: object.revision,
              }}
            />
          </SpaceBetween>
        )}
      </SpaceBetween>
    </Modal>
  );
}
