import { useState } from 'react';
import { endpoint as addRoleBinding } from '../../functions/api/role-bindings/add/endpoint.ts';
import { call, requestOf, violationsOf } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useSubmit } from '../ui/use-submit.tsx';
import { BindingFields, emptyDraft, fieldsOf } from './binding-fields.tsx';
import { ProviderField } from './provider-field.tsx';

interface Props {
  providers: readonly string[];
  close: () => void;
  done: () => void;
}

export function AddBindingDialog({ providers, close, done }: Props) {
  const [name, setName] = useState('');
  const [provider, setProvider] = useState(providers.length === 1 ? (providers[0] ?? '') : '');
  const [draft, setDraft] = useState(emptyDraft);
  const body = { name, provider, ...fieldsOf(draft) };
  const form = useSubmit({
    check: () => violationsOf(addRoleBinding.body, body),
    send: async () => {
      await call(addRoleBinding, { body });
      flash.add({ type: 'success', content: `The role binding ${name} was added. It applies to later log-ins.` });
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
      request={requestOf(addRoleBinding, { body })}
    >
      <TextField
        label="Name"
        description="The audit shows it. It cannot be changed later."
        value={name}
        placeholder="dba-editors"
        ariaRequired
        error={form.said('name')}
        onChange={(value) => {
          setName(value);
          form.forget();
        }}
      />
      <ProviderField
        provider={provider}
        providers={providers}
        error={form.said('provider')}
        onChange={(value) => {
          setProvider(value);
          form.forget();
        }}
      />
      <BindingFields draft={draft} violations={form.violations} onChange={setDraft} />
    </FormDialog>
  );
}
