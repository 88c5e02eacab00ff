import Alert from '@cloudscape-design/components/alert';
import Link from '@cloudscape-design/components/link';
import { Fragment, useState } from 'react';
import { endpoint as restoreRemoved } from '../../functions/api/removals/restore/endpoint.ts';
import { requestOf } from '../api/client.tsx';
import { type Restoration, restoreRemovals } from '../model/restore.tsx';
import { inOrder, nameOfRemoved, type Removal, type RemovedObject } from '../model/removal.ts';
import { FirstItems, KindAndName } from '../ui/first-items.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { href } from '../ui/route.tsx';
import { useAction } from '../ui/use-submit.tsx';
import { plural, numberText } from '../ui/words.ts';

const failureTitles: Readonly<Record<number, string>> = {
  400: 'A referenced object does not exist',
  404: 'The removal was already restored, or has expired',
  409: 'A name is taken',
};

export const RemovedName = ({ object }: { object: RemovedObject }) => (
  <KindAndName kind={object.kind} name={nameOfRemoved(object)} />
);

/** The result of a restore that was too large for one transaction and restored only some of the objects. */
function Partly({ result: { restored, left } }: { result: Restoration }) {
  return (
    <Alert type="warning" header={`${numberText(restored.length)} restored, ${numberText(left.length)} not`}>
      <FirstItems
        items={left.map(({ message, ...object }) => (
          <Fragment key={object.id}>
            <RemovedName object={object} />: <bdi className="any-word">{message}</bdi>
          </Fragment>
        ))}
      />
      {restored.slice(0, 1).map((object) => (
        <div key={object.id}>
          Restored, for example: <Link href={href([`${object.kind}s`, object.id])}>{nameOfRemoved(object)}</Link>.
        </div>
      ))}
    </Alert>
  );
}

interface Props {
  removals: readonly Removal[];
  /** @param isChanged whether the list must be loaded again. */
  close: (isChanged: boolean) => void;
  restored: (objects: readonly RemovedObject[]) => void;
}

/** Restores the objects of removals, after it has listed them. */
export function RestoreDialog({ removals, close, restored }: Props) {
  const [partly, setPartly] = useState<Restoration>();
  const objects = inOrder(removals.flatMap(({ objects: all }) => all));
  const form = useAction(async () => {
    if (isGone) {
      close(true);
      return;
    }
    const open = new Set(partly?.left.map(({ id }) => id));
    const isOpen = (removal: Removal) => partly === undefined || removal.objects.some(({ id }) => open.has(id));
    const next = await restoreRemovals(removals.filter(isOpen));
    const all = [...(partly?.restored ?? []), ...next.restored];
    if (next.left.length === 0) restored(all);
    else setPartly({ restored: all, left: next.left });
  });
  const status = form.failure?.status;
  const isGone = status === 404;
  const isFirst = partly === undefined && status === undefined;
  const [first] = removals;

  return (
    <FormDialog
      header="Restore"
      submitText={isGone ? 'Reload the list' : isFirst ? 'Restore' : 'Try again'}
      form={form}
      failureTitle={failureTitles[status ?? 0] ?? 'The restore failed'}
      close={() => close(isGone || partly !== undefined)}
      request={first && requestOf(restoreRemoved, { params: { removal_id: first.removal_id } })}
      note={removals.length > 1 ? `The first of ${removals.length} requests.` : undefined}
    >
      {partly === undefined ? (
        <div>
          Restore {objects.length === 1 ? 'this object' : `these ${plural(objects.length, 'object')}`}?
          <FirstItems
            items={objects.map((object) => (
              <RemovedName key={object.id} object={object} />
            ))}
          />
        </div>
      ) : (
        <Partly result={partly} />
      )}
    </FormDialog>
  );
}
