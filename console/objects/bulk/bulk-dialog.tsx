import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type ApiFailure, violationsOf } from '../../api/client.tsx';
import { type BulkAction, type BulkKind, changeOf, firstRequestOf } from '../../model/bulk.tsx';
import { type InventoryObject, nodes } from '../../model/kinds.tsx';
import { dependantsOfAll } from '../../model/selection-dependants.tsx';
import { refusalTitle } from '../../ui/failure-alert.tsx';
import { flash } from '../../ui/flash.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSubmit } from '../../ui/use-submit.tsx';
import { numberText, plural } from '../../ui/words.ts';
import { startBulk } from './bulk-run.tsx';
import { countOf, RemovalConsequences, TitledItems } from './consequences.tsx';
import type { Dependants } from '../../model/dependants.tsx';
import { ObjectName } from '../cells/object-name.tsx';

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

export interface BulkProps<T extends InventoryObject> {
  kind: BulkKind<T>;
  objects: readonly T[];
  verb: BulkVerb;
  /** Where the objects are from, unless the user has selected them one by one. */
  from?: ReactNode;
  close: () => void;
  /** Called when the action has ended, also after the dialog was closed. @param rest the objects without a result. */
  ended: (rest: readonly T[]) => void;
  /** About the objects, above the fields. */
  children?: ReactNode;
}

/** The dependants of the selection for a removal. Other actions affect no dependants. */
function useDependants<T extends InventoryObject>(kind: BulkKind<T>, objects: readonly T[], verb: BulkVerb) {
  const key = verb === 'remove' ? `remove/${objects.map((object) => kind.idOf(object)).join(',')}` : verb;
  return useLoad(key, (signal) =>
    verb === 'remove'
      ? dependantsOfAll(kind, objects, signal)
      : Promise.resolve({ removed: [], changed: [], more: false }),
  );
}

/** The objects that go with the removed ones. */
function alsoRemoved({ removed, more }: Dependants = { removed: [], changed: [], more: false }): string {
  if (more) return ' with their dependent objects';
  return removed.length === 0 ? '' : ` with ${plural(removed.length, 'dependent object')}`;
}

/** A refusal (4xx) of the first request has no effect. The effect of other failures is unknown. */
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

/**
 * Confirms one action on several objects. After the first reply of the server, the action continues in the background.
 */
export function BulkDialog<T extends InventoryObject>(props: BulkProps<T>) {
  const { kind, objects, verb, from = 'Selected', close, ended, children } = props;
  const [label, setLabel] = useState('');
  const [value, setValue] = useState('');
  const isShown = useIsShown();
  const dependants = useDependants(kind, objects, verb);
  const count = dependants.value === undefined ? 0 : countOf(dependants.value);
  const what = plural(objects.length, kind.noun);
  const isLabel = verb === 'set_label' || verb === 'remove_label';

  const actionOf = (): BulkAction => {
    if (verb === 'set_label') return { verb, label: label.trim(), value };
    if (verb === 'remove_label') return { verb, label: label.trim() };
    return verb === 'remove' ? { verb, force: count > 0 || dependants.value?.more === true } : { verb };
  };
  const action = actionOf();
  const also = alsoRemoved(dependants.value);
  const form = useSubmit({
    // Labels have the same rules on all kinds of objects.
    check: () => ('label' in action ? violationsOf(nodes.contracts.change.body, changeOf(action)) : []),
    send: async () => {
      const refusal = await startBulk({ kind, objects, action, title: buttons[verb], done: done[verb], also, ended });
      if (refusal === undefined) close();
      else if (isShown.current) throw refusal;
      else flash.add({ type: 'error', header: titleOf(refusal), content: refusal.message }, { pages: Infinity });
    },
  });
  const said = (isOfName: boolean) =>
    form.violations.find(({ reason }) => (reason === 'invalid_label_name') === isOfName)?.message;
  const { request, count: requested } = firstRequestOf(objects, action);
  return (
    <FormDialog
      header={`${buttons[verb]}: ${what}`}
      submitText={buttons[verb]}
      form={{ ...form, failure: form.refusal }}
      failureTitle={form.refusal && titleOf(form.refusal)}
      disabled={dependants.value === undefined}
      close={close}
      request={request}
      note={requested < objects.length ? `The first request, with ${requested} of ${what}.` : undefined}
    >
      <TitledItems
        title={
          <>
            {from} ({numberText(objects.length)}):
          </>
        }
        items={objects.map((object) => (
          <ObjectName key={kind.idOf(object)} kind={kind} object={object} />
        ))}
      />
      {children}
      {isLabel && (
        <TextField
          label="Label"
          description="Letters, digits and underscores."
          value={label}
          error={said(true)}
          onChange={setLabel}
        />
      )}
      {verb === 'set_label' && (
        <TextField
          label="Value"
          description="Replaces the value of objects that already have the label."
          value={value}
          error={said(false)}
          onChange={setValue}
        />
      )}
      {verb === 'remove' && (
        <div>No running program is stopped or deleted. Removed objects can be restored for 7 days.</div>
      )}
      {verb === 'remove' && <RemovalConsequences dependants={dependants} what={what} />}
    </FormDialog>
  );
}
