import { endpoint as addRoleBinding } from '../../functions/api/role-bindings/add/endpoint.ts';
import { call } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useRequestForm } from '../ui/use-request-form.tsx';
import { BindingFields, emptyDraft, fieldsOf } from './binding-fields.tsx';
import { onlyProvider, ProviderField } from './provider-field.tsx';

interface Props {
  providers: readonly string[];
  close: () => void;
  done: () => void;
}

export function AddBindingDialog({ providers, close, done }: Props) {
  const form = useRequestForm({
    endpoint: addRoleBinding,
    start: { name: '', provider: onlyProvider(providers), ...emptyDraft },
    bodyOf: ({ name, provider, ...draft }) => ({ name, provider, ...fieldsOf(draft) }),
    send: async (body) => {
      await call(addRoleBinding, { body });
      flash.add({ type: 'success', content: `The role binding ${body.name} was added. It applies to later log-ins.` });
      done();
    },
    unique: 'name',
  });
  return (
    <FormDialog
      header="Add role binding"
      submitText="Add"
      form={form}
      failureTitle="The role binding could not be added"
      close={close}
    >
      <TextField
        label="Name"
        description="The audit shows it. It cannot be changed later."
        placeholder="dba-editors"
        ariaRequired
        {...form.fields.name}
      />
      <ProviderField providers={providers} {...form.fields.provider} />
      <BindingFields fields={form.fields} violations={form.violations} />
    </FormDialog>
  );
}
