import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useEffect, useRef, useState } from 'react';
import { type ApiFailure, parsedBy } from '../../api/client.tsx';
import { type BulkAction, changeOf, firstRequestOf } from '../../model/bulk.tsx';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { dependantsOfAll } from '../../model/selection-dependants.tsx';
import { FailureAlert, refusalTitle } from '../../ui/failure-alert.tsx';
import { flash } from '../../ui/flash.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import { plural } from '../../ui/words.ts';
import { violationsOf } from '../form/add-form.tsx';
import { startBulk } from './bulk-run.tsx';
import { Consequences, NamedObjects } from './consequences.tsx';

export type BulkVerb = BulkAction['verb'];

const buttons: Readonly<Record<BulkVerb, string>> = {
  set_label: 'Set label',
  remove_label: 'Remove label',
  disable: 'Disable',
  enable: 'Enable',
  remove: 'Remove',
};

const done: Readonly<Record<BulkVerb, string>> = {
  set_label: 'The label was set on',
  remove_label: 'The label was removed from',
  disable: 'Disabled:',
  enable: 'Enabled:',
  remove: 'Removed:',
};

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  objects: readonly T[];
  verb: BulkVerb;
  close: () => void;
  /** Called when the action has ended, also after the dialog was closed. @param rest the objects that are left to do. */
  ended: (rest: readonly T[]) => void;
}

/** The dependants of a selection that is to be removed; of other actions there are none. */
function useDependants<T extends InventoryObject>(kind: Kind<T>, objects: readonly T[], verb: BulkVerb) {
  const key = verb === 'remove' ? `remove/${objects.map((object) => kind.idOf(object)).join(',')}` : verb;
  return useLoad(key, (signal) =>
    verb === 'remove'
      ? dependantsOfAll(kind, objects, signal)
      : Promise.resolve({ removed: [], changed: [], more: false }),
  );
}

/** A refusal (4xx) of the first request has no effect; of other failures that is not known. */
const titleOf = (failure: ApiFailure) =>
  failure.status >= 400 && failure.status < 500 ? 'Nothing was changed' : refusalTitle(failure);

/** Whether the dialog is still shown. */
function useIsShown() {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

/** Confirms one action on several objects. The dialog closes after the first reply of the server, and the action continues without it. */
export function BulkDialog<T extends InventoryObject>({ kind, objects, verb, close, ended }: Props<T>) {
  const [label, setLabel] = useState('');
  const [value, setValue] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const isShown = useIsShown();
  const dependants = useDependants(kind, objects, verb);
  const count = (dependants.value?.removed.length ?? 0) + (dependants.value?.changed.length ?? 0);
  const what = plural(objects.length, kind.noun);
  const isLabel = verb === 'set_label' || verb === 'remove_label';

  const actionOf = (): BulkAction => {
    if (verb === 'set_label') return { verb, label: label.trim(), value };
    if (verb === 'remove_label') return { verb, label: label.trim() };
    return verb === 'remove' ? { verb, force: count > 0 || dependants.value?.more === true } : { verb };
  };
  const action = actionOf();
  const violations =
    action.verb === 'remove' ? [] : violationsOf(() => parsedBy(kind.contracts.change.body, changeOf(action)));
  const said = (isOfName: boolean) =>
    tried ? violations.find(({ reason }) => (reason === 'invalid_label_name') === isOfName)?.message : undefined;
  const submit = async () => {
    setTried(true);
    if (violations.length > 0) return;
    setBusy(true);
    setFailure(undefined);
    const refusal = await startBulk({
      kind,
      objects,
      action,
      title: buttons[verb],
      done: done[verb],
      ended,
    });
    if (refusal === undefined) close();
    else if (isShown.current) setFailure(refusal);
    else flash.add({ type: 'error', header: titleOf(refusal), content: refusal.message }, { pages: Infinity });
    setBusy(false);
  };
  const { request, count: requested } = firstRequestOf(kind, objects, action);
  return (
    <FormDialog
      header={`${buttons[verb]}: ${what}`}
      submitText={buttons[verb]}
      busy={busy}
      disabled={dependants.value === undefined}
      submit={() => void submit()}
      close={close}
      request={request}
      note={requested < objects.length ? `The first request, with ${requested} of ${what}.` : undefined}
    >
      <NamedObjects title={`Selected (${objects.length}):`} names={objects.map((object) => kind.nameOf(object))} />
      {isLabel && (
        <FormField label="Label" description="Letters, digits and underscores." errorText={said(true)}>
          <Input value={label} spellcheck={false} onChange={({ detail }) => setLabel(detail.value)} />
        </FormField>
      )}
      {verb === 'set_label' && (
        <FormField
          label="Value"
          description="Replaces the value of objects that already have the label."
          errorText={said(false)}
        >
          <Input value={value} spellcheck={false} onChange={({ detail }) => setValue(detail.value)} />
        </FormField>
      )}
      {verb === 'remove' && (
        <div>No running program is stopped or deleted. Removed objects can be restored for 7 days.</div>
      )}
      {dependants.failure !== undefined && (
        <FailureAlert failure={dependants.failure} what="The dependent objects are unknown" retry={dependants.reload} />
      )}
      {verb === 'remove' &&
        (dependants.value === undefined ? (
          dependants.failure === undefined && (
            <StatusIndicator type="loading">Loading dependent objects</StatusIndicator>
          )
        ) : (
          <Consequences dependants={dependants.value} what={what} />
        ))}
      {failure !== undefined && <FailureAlert failure={failure} what={titleOf(failure)} />}
    </FormDialog>
  );
}
