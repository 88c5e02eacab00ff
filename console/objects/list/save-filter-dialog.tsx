import Checkbox from '@cloudscape-design/components/checkbox';
import { endpoint as addSavedFilter } from '../../../functions/api/saved-filters/add/endpoint.ts';
import { roleAllows } from '../../../shared/auth/roles.ts';
import { type FilteredList, mayChangeFilter, saveFilter, useSavedFilters } from '../../model/saved-filters.tsx';
import { useCaller } from '../../ui/caller-context.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useRequestForm } from '../../ui/use-request-form.tsx';

interface Props {
  list: FilteredList;
  parameters: Readonly<Record<string, string>>;
  close: () => void;
}

const start = { name: '', shared: false, pinned: false };

/** Asks for the name of a filter. A filter with this name that the user may change is replaced. */
export function SaveFilterDialog({ list, parameters, close }: Props) {
  const caller = useCaller();
  const filters = useSavedFilters();
  const mayShare = roleAllows(caller.role, 'Editor');
  const bodyOf = ({ name, shared }: typeof start) => ({
    name: name.trim(),
    list,
    parameters: { ...parameters },
    shared,
  });
  const replacedBy = ({ name, shared }: ReturnType<typeof bodyOf>) =>
    filters.find(
      (filter) =>
        filter.name === name &&
        filter.list === list &&
        filter.shared === shared &&
        (shared || filter.own) &&
        mayChangeFilter(filter, caller),
    );
  const form = useRequestForm({
    endpoint: addSavedFilter,
    start,
    bodyOf,
    send: async (body) => {
      await saveFilter({ ...body, pinned: pinned.value }, replacedBy(body));
      close();
    },
    unique: 'name',
  });
  const { name, shared, pinned } = form.fields;
  return (
    <FormDialog
      header="Save the filter"
      submitText={replacedBy(bodyOf(form.draft)) === undefined ? 'Save' : 'Replace'}
      form={form}
      failureTitle="The filter could not be saved"
      close={close}
    >
      <TextField label="Name" description="With the filters of the list, its order and its groups." {...name} />
      <Checkbox
        checked={shared.value}
        disabled={!mayShare}
        description={mayShare ? undefined : 'Requires the role Editor.'}
        onChange={({ detail }) => shared.onChange(detail.checked)}
      >
        Share it with everybody
      </Checkbox>
      <Checkbox checked={pinned.value} onChange={({ detail }) => pinned.onChange(detail.checked)}>
        Pin it to my menu and my overview
      </Checkbox>
    </FormDialog>
  );
}
