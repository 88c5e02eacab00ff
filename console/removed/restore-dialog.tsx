import Alert from '@cloudscape-design/components/alert';
import Link from '@cloudscape-design/components/link';
import { useState } from 'react';
import { endpoint as restoreRemoved } from '../../functions/api/removals/restore/endpoint.ts';
import { type ApiFailure, requestOf } from '../api/client.tsx';
import { restoreRemoval, type RestoreReply } from '../model/restore.tsx';
import { inOrder, nameOfRemoved, type Removal, type RemovedObject } from '../model/removal.ts';
import { plural } from '../ui/words.ts';
import { href } from '../ui/route.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { failureOf } from '../ui/use-load.tsx';

const MAX_NAMED = 10;

const headers: Readonly<Record<number, string>> = {
  400: 'A referenced object does not exist',
  404: 'The removal was already restored, or has expired',
  409: 'A name is taken',
};

function Named({ objects }: { objects: readonly RemovedObject[] }) {
  const more = objects.length - MAX_NAMED;
  return (
    <ul className="named">
      {objects.slice(0, MAX_NAMED).map((object) => (
        <li key={object.id}>
          {object.kind} <b className="any-word">{nameOfRemoved(object)}</b>
        </li>
      ))}
      {more > 0 && <li>and {more} more</li>}
    </ul>
  );
}

/** What is back and what is not: of a removal that was too large for one transaction. */
function Partly({ reply: { restored, not_restored: left } }: { reply: RestoreReply }) {
  return (
    <Alert type="warning" header={`${restored.length} restored, ${left.length} not`}>
      <ul className="named">
        {left.slice(0, MAX_NAMED).map(({ message, ...object }) => (
          <li key={object.id}>
            {object.kind} <b className="any-word">{nameOfRemoved(object)}</b>:{' '}
            <span className="any-word">{message}</span>
          </li>
        ))}
        {left.length > MAX_NAMED && <li>and {left.length - MAX_NAMED} more</li>}
      </ul>
      {restored.slice(0, 1).map((object) => (
        <div key={object.id}>
          Restored, for example: <Link href={href([`${object.kind}s`, object.id])}>{nameOfRemoved(object)}</Link>.
        </div>
      ))}
    </Alert>
  );
}

interface Props {
  removal: Removal;
  /** @param isChanged whether the list is not as it was. */
  close: (isChanged: boolean) => void;
  restored: (objects: readonly RemovedObject[]) => void;
}

/** Brings back what one removal took away, after a look at all of it. */
export function RestoreDialog({ removal, close, restored }: Props) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const [partly, setPartly] = useState<RestoreReply>();
  const objects = inOrder(removal.objects);
  const isGone = failure?.status === 404;

  const restore = async () => {
    if (isGone) {
      close(true);
      return;
    }
    setBusy(true);
    setFailure(undefined);
    try {
      const reply = await restoreRemoval(removal.removal_id);
      if (reply.not_restored.length === 0) {
        restored([...(partly?.restored ?? []), ...reply.restored]);
        return;
      }
      setPartly(reply);
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
  };

  return (
    <FormDialog
      header="Restore"
      submitText={isGone ? 'Reload the list' : partly === undefined && failure === undefined ? 'Restore' : 'Try again'}
      busy={busy}
      submit={() => void restore()}
      close={() => close(isGone || partly !== undefined)}
      request={requestOf(restoreRemoved, { params: { removal_id: removal.removal_id } })}
    >
      {partly === undefined && (
        <div>
          Restore {objects.length === 1 ? 'this object' : `these ${plural(objects.length, 'object')}`}?
          <Named objects={objects} />
        </div>
      )}
      {partly !== undefined && <Partly reply={partly} />}
      {failure !== undefined && (
        <FailureAlert failure={failure} what={headers[failure.status] ?? 'The restore failed'} />
      )}
    </FormDialog>
  );
}
