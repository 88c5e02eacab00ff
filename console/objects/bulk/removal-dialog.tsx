import { useState } from 'react';
import { requestOf } from '../../api/client.tsx';
import { dependantsOf } from '../../model/dependants.tsx';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { flash } from '../../ui/flash.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { go, href } from '../../ui/route.tsx';
import { failureOf, useLoad } from '../../ui/use-load.tsx';
import { useAction } from '../../ui/use-submit.tsx';
import { useObjectName } from '../cells/object-name.tsx';
import { countOf, RemovalConsent, RemovalConsequences } from './consequences.tsx';
import { offerUndo } from './undo-removal.tsx';

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  object: T;
  /** Loads the object again after another user has changed it. */
  reloadObject: () => void;
  close: () => void;
}

/** Confirms the removal of one object, after the user has seen which other objects it affects. */
export function RemovalDialog<T extends InventoryObject>({ kind, object, reloadObject, close }: Props<T>) {
  const { noun, folder } = kind;
  const id = kind.idOf(object);
  const name = useObjectName(kind, object) ?? kind.nameOf(object);
  const dependants = useLoad(['dependants', id], (signal) => dependantsOf(object, signal));
  const [agreed, setAgreed] = useState(false);
  const isForced = dependants.value !== undefined && countOf(dependants.value) > 0;

  const remove = async () => {
    try {
      await kind.remove(id, { force: isForced }, { ifMatch: object.revision });
      const what = `The ${noun} ${name} was removed${isForced ? ' with its dependent objects' : ''}.`;
      offerUndo({ folder, noun, id, name }, what);
    } catch (error) {
      const { status } = failureOf(error);
      if (status !== 404) {
        setAgreed(false);
        dependants.reload();
        if (status === 412) reloadObject();
        throw error;
      }
      flash.add({ type: 'success', content: `The ${noun} ${name} was already removed.` }, { pages: 1 });
    }
    go(href([folder]));
  };
  const form = useAction(remove);
  const request = requestOf(kind.contracts.remove, { params: { [kind.idField]: id }, query: { force: isForced } });

  return (
    <FormDialog
      header={`Remove ${noun}`}
      submitText="Remove"
      form={form}
      failureTitle={
        form.failure?.status === 412
          ? `The ${noun} was changed by another user. Check its current state on its page`
          : `The ${noun} could not be removed`
      }
      disabled={dependants.value === undefined || (isForced && !agreed)}
      close={close}
      request={dependants.value && { ...request, revision: object.revision }}
    >
      <div>
        Remove the {noun}{' '}
        <b>
          <bdi className="any-word">{name}</bdi>
        </b>{' '}
        from the inventory? No running program is stopped or deleted.
      </div>
      <RemovalConsequences dependants={dependants} what={noun} />
      {dependants.value !== undefined && isForced && (
        <RemovalConsent dependants={dependants.value} agreed={agreed} agree={setAgreed} />
      )}
    </FormDialog>
  );
}
