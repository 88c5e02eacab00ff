import Box from '@cloudscape-design/components/box';
import { useState } from 'react';
import { endpoint as changeRoleBinding } from '../../functions/api/role-bindings/change/endpoint.ts';
import { call, requestOf, violationsOf } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useSubmit } from '../ui/use-submit.tsx';
import { BindingFields, draftOf, fieldsOf } from './binding-fields.tsx';
import type { RoleBinding } from './use-bindings.tsx';

interface Props {
  binding: RoleBinding;
  close: () => void;
  done: () => void;
}

export function ChangeBindingDialog({ binding, close, done }: Props) {
  const { binding_id, name, provider, revision } = binding;
  const [draft, setDraft] = useState(() => draftOf(binding));
  const { owners = null, node_name_claim = null, description = null, ...others } = fieldsOf(draft);
  // A field without a value is cleared.
  const body = { ...others, owners, node_name_claim, description };
  const request = { params: { binding_id }, body };
  const form = useSubmit({
    check: () => violationsOf(changeRoleBinding.body, body),
    send: async () => {
      await call(changeRoleBinding, request, { ifMatch: revision });
      flash.add({ type: 'success', content: `The role binding ${name} was changed.` });
      done();
    },
  });
  return (
    <FormDialog
      header="Change role binding"
      submitText="Change"
      form={form}
      failureTitle="The role binding could not be changed"
      close={close}
      request={{ ...requestOf(changeRoleBinding, request), revision }}
    >
      <Box>
        <b className="any-word">{name}</b> binds identities of the provider <b className="any-word">{provider}</b>. If
        the change can take something from an identity, keys and sessions that rest on it end within five minutes.
      </Box>
      <BindingFields draft={draft} violations={form.violations} onChange={setDraft} />
    </FormDialog>
  );
}
