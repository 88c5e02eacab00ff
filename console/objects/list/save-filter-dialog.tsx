import Checkbox from '@cloudscape-design/components/checkbox';
import { useState } from 'react';
import { endpoint as addSavedFilter } from '../../../functions/api/saved-filters/add/endpoint.ts';
import { roleAllows } from '../../../shared/auth/roles.ts';
import { requestOf, violationsOf } from '../../api/client.tsx';
import { type FilteredList, mayChangeFilter, saveFilter, useSavedFilters } from '../../model/saved-filters.tsx';
import { useCaller } from '../../ui/caller-context.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSubmit } from '../../ui/use-submit.tsx';

interface Props {
  list: FilteredList;
  parameters: Readonly<Record<string, string>>;
  close: () => void;
}

/** Asks for the name of a filter. A filter with this name that the user may change is replaced. */
export function SaveFilterDialog({ list, parameters, close }: Props) {
  const caller = useCaller();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const [pinned, setPinned] = useState(false);
  const filters = useSavedFilters();
  const mayShare = roleAllows(caller.role, 'Editor');
  const body = { name: name.trim(), list, parameters: { ...parameters }, shared };
  const present = filters.find(
    (one) =>
      one.name === body.name &&
      one.list === list &&
      one.shared === shared &&
      (shared || one.own) &&
      mayChangeFilter(one, caller),
  );
  const form = useSubmit({
    check: () => violationsOf(addSavedFilter.body, body),
    unique: 'name',
    send: async () => {
      await saveFilter({ ...body, pinned }, present);
      close();
    },
  });
  return (
    <FormDialog
      header="Save the filter"
      submitText={present === undefined ? 'Save' : 'Replace'}
      form={form}
      failureTitle="The filter could not be saved"
      close={close}
      request={requestOf(addSavedFilter, { body })}
    >
      <TextField
        label="Name"
        description="With the filters of the list, its order and its groups."
        value={name}
        error={form.said('name')}
        onChange={setName}
      />
      <Checkbox
        checked={shared}
        disabled={!mayShare}
        description={mayShare ? undefined : 'Requires the role Editor.'}
        onChange={({ detail }) => setShared(detail.checked)}
      >
        Share it with everybody
      </Checkbox>
      <Checkbox checked={pinned} onChange={({ detail }) => setPinned(detail.checked)}>
        Pin it to my menu and my overview
      </Checkbox>
    </FormDialog>
  );
}
